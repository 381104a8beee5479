/** What a person types becomes exactly the program and arguments that are shown to them. */
import { describe, expect, it } from "vitest";
import {
  commandLine,
  readArguments,
  readCommand,
  splitCommand,
  writeArguments,
  writeCommand,
} from "../../../src/views/servers/command";

const words = (text: string) => readArguments(text).words;

describe("a command line", () => {
  it("splits at spaces and keeps what is quoted together", () => {
    expect(splitCommand(`-y "a b" 'c "d"' e\\ f`).words).toEqual(["-y", "a b", 'c "d"', "e f"]);
  });
  it("keeps an empty quoted word", () => expect(splitCommand(`a "" b`).words).toEqual(["a", "", "b"]));
  it("leaves the backslashes of Windows paths alone", () => {
    expect(splitCommand(String.raw`C:\tools\run.exe \\host\share`).words).toEqual([
      String.raw`C:\tools\run.exe`,
      String.raw`\\host\share`,
    ]);
  });
  it("expands nothing", () =>
    expect(splitCommand("$HOME ~ *.py `x` a;b|c&d").words).toEqual(["$HOME", "~", "*.py", "`x`", "a;b|c&d"]));
  it("says that a quote is not closed", () => {
    expect(splitCommand('a "b c')).toEqual({ words: ["a", "b c"], unclosed: true });
    expect(splitCommand('a "b c"').unclosed).toBe(false);
  });
  it("joins quoted and plain parts of one word", () =>
    expect(splitCommand(`--name="x y"z`).words).toEqual(["--name=x yz"]));
});

describe("the arguments' field", () => {
  it("is split like a command when it is one line", () => {
    expect(words("-y @modelcontextprotocol/server-everything stdio")).toEqual([
      "-y",
      "@modelcontextprotocol/server-everything",
      "stdio",
    ]);
  });
  it("is one argument a line when there are several, spaces included", () => {
    expect(words("--dir\n/home/ana/My Files\n\n--x")).toEqual(["--dir", "/home/ana/My Files", "--x"]);
    expect(words("a\r\nb c\r\n")).toEqual(["a", "b c"]);
  });
  it("takes a line that is a JSON string for what it says", () =>
    expect(words('"two\\nlines"\n""')).toEqual(["two\nlines", ""]));
  it("is empty when nothing is typed", () => {
    expect(words("")).toEqual([]);
    expect(words(" \n ")).toEqual([]);
  });
  it.each([
    [["-y", "pkg"]],
    [["one"]],
    [["one two"]],
    [[""]],
    [["", "x"]],
    [["a\nb"]],
    [["a\nb", "c"]],
    [['"quoted"']],
    [['"quoted"', " outer "]],
    [["back\\slash", "it's", "$x"]],
    [["--json", '{"a": [1, "b c"]}']],
    [[]],
  ])("reads back what it writes: %j", (args) => expect(words(writeArguments(args))).toEqual(args));
});

describe("the command's field", () => {
  it("may hold the arguments too", () => expect(readCommand("npx -y thing").words).toEqual(["npx", "-y", "thing"]));
  it("takes a whole Windows path with spaces for one program", () => {
    expect(readCommand(String.raw`C:\Program Files\nodejs\npx.cmd`).words).toEqual([
      String.raw`C:\Program Files\nodejs\npx.cmd`,
    ]);
  });
  it.each(["npx", "/opt/my tools/run", String.raw`C:\Program Files\node.exe`, String.raw`C:\my "odd" dir\x`, "it's"])(
    "reads back what it writes: %s",
    (program) => expect(readCommand(writeCommand(program)).words).toEqual([program]),
  );
});

it("writes a command so that each word's ends can be seen", () => {
  expect(commandLine(["npx", "-y", "a b", ""])).toBe('npx -y "a b" ""');
});
