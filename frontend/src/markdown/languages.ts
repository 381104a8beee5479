/** The languages code is coloured in. Each grammar is built only when a block in it is closed, since building all takes long. */
import type { LanguageFn } from "highlight.js";
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import csharp from "highlight.js/lib/languages/csharp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import graphql from "highlight.js/lib/languages/graphql";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import kotlin from "highlight.js/lib/languages/kotlin";
import latex from "highlight.js/lib/languages/latex";
import lua from "highlight.js/lib/languages/lua";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import perl from "highlight.js/lib/languages/perl";
import php from "highlight.js/lib/languages/php";
import powershell from "highlight.js/lib/languages/powershell";
import python from "highlight.js/lib/languages/python";
import r from "highlight.js/lib/languages/r";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import scss from "highlight.js/lib/languages/scss";
import shell from "highlight.js/lib/languages/shell";
import sql from "highlight.js/lib/languages/sql";
import swift from "highlight.js/lib/languages/swift";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";

/** Names as they stand after a fence, first the library's own; then the languages that may stand inside. */
const table: readonly (readonly [names: string, grammar: LanguageFn, inside?: string])[] = [
  ["bash sh zsh", bash],
  ["c h", c],
  ["cpp c++ cc cxx hpp h++", cpp],
  ["csharp cs c#", csharp],
  ["css", css],
  ["diff patch", diff],
  ["dockerfile docker", dockerfile, "bash"],
  ["go golang", go],
  ["graphql gql", graphql],
  ["ini toml conf", ini],
  ["java", java],
  ["javascript js jsx mjs cjs node", javascript, "xml"],
  ["json jsonc json5 jsonl", json],
  ["kotlin kt kts", kotlin],
  ["latex tex", latex],
  ["lua", lua],
  ["makefile make mk", makefile],
  ["markdown md mkd", markdown, "xml"],
  ["perl pl pm", perl],
  ["php", php, "xml"],
  ["powershell ps1 pwsh ps", powershell],
  ["python py gyp ipython", python],
  ["r", r],
  ["ruby rb gemspec", ruby],
  ["rust rs", rust],
  ["scss", scss],
  ["shell console shellsession", shell, "bash"],
  ["sql sqlite postgresql postgres mysql", sql],
  ["swift", swift],
  ["typescript ts tsx mts cts", typescript, "xml"],
  ["xml html xhtml svg vue", xml, "css javascript"],
  ["yaml yml", yaml],
];

const rows = new Map(table.flatMap((row) => row[0].split(" ").map((name) => [name, row] as const)));

/** Markup with the library's classes; null for a language that is not known. */
export function highlighted(text: string, name: string): string | null {
  const row = rows.get(name.toLowerCase());
  if (!row) return null;
  return hljs.highlight(text, { language: registered(row), ignoreIllegals: true }).value;
}

function registered([names, grammar, inside]: (typeof table)[number]): string {
  const language = names.split(" ", 1)[0] ?? names;
  if (hljs.getLanguage(language)) return language;
  hljs.registerLanguage(language, grammar);
  for (const name of inside?.split(" ") ?? []) {
    const row = rows.get(name);
    if (row) registered(row);
  }
  return language;
}
