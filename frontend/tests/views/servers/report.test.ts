/** The backend's sentences, differences and logs are taken apart without losing anything. */
import { expect, it } from "vitest";
import { causeAndCure, diffLines, logLine } from "../../../src/views/servers/report";

it.each([
  [
    "The program “uvx” was not found. Install uv, or give the full path of uvx.",
    "The program “uvx” was not found.",
    "Install uv, or give the full path of uvx.",
  ],
  ["It ended with exit code 1.", "It ended with exit code 1.", ""],
  [
    "No answer from mcp.example.org within 10 s. Check the address.",
    "No answer from mcp.example.org within 10 s.",
    "Check the address.",
  ],
  ["Can't read /a/b.c d e.", "Can't read /a/b.c d e.", ""],
  ["No se encontró «uvx». Instala uv. O da la ruta.", "No se encontró «uvx».", "Instala uv. O da la ruta."],
])("cause and cure of %s", (message, cause, cure) => expect(causeAndCure(message)).toEqual({ cause, cure }));

it("reads a difference with or without heads", () => {
  expect(diffLines("--- a\n+++ b\n@@ -1 +1 @@\n- argument: -y\n+ argument: --yes\n folder: x")).toEqual([
    { sign: "-", text: "argument: -y" },
    { sign: "+", text: "argument: --yes" },
    { sign: " ", text: "folder: x" },
  ]);
});

it("keeps a removed line that begins with dashes", () => {
  expect(diffLines("- --flag\n---flag")).toEqual([
    { sign: "-", text: "--flag" },
    { sign: "-", text: "--flag" },
  ]);
});

it("shows a log line in this computer's time with its level", () => {
  const now = new Date(2026, 5, 1, 12, 0, 0);
  const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), 10, 5, 7));
  const two = (part: number) => String(part).padStart(2, "0");
  expect(logLine("10:05:07.120 host: read_file refused: outside", now)).toEqual({
    time: `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`,
    text: "read_file refused: outside",
    level: "warning",
  });
  expect(logLine("10:05:07.120 stderr: Error: boom", now)).toMatchObject({
    text: "stderr: Error: boom",
    level: "error",
  });
  expect(logLine("no stamp", now)).toEqual({ time: "", text: "no stamp", level: "plain" });
});
