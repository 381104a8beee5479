/** What a call would change in a file, as removed and added lines. */
import type { JSX } from "preact";
import { t } from "../../i18n";
import { CopyButton } from "../../parts/CopyButton";
import type { ToolCall } from "../../wire";

export interface Changes {
  path: string;
  /** One list of lines for each replaced place. */
  places: readonly (readonly Line[])[];
}

interface Line {
  sign: "add" | "del";
  text: string;
}

interface Edit {
  oldText: string;
  newText: string;
}

/** The change a call describes in its arguments: replaced texts or a whole new content; null for any other call. */
export function changesOf(call: ToolCall): Changes | null {
  const { path, edits, content } = call.arguments;
  if (typeof path !== "string") return null;
  if (Array.isArray(edits) && edits.every(isEdit)) {
    return { path, places: edits.map(({ oldText, newText }) => [...lines(oldText, "del"), ...lines(newText, "add")]) };
  }
  return typeof content === "string" ? { path, places: [lines(content, "add")] } : null;
}

const isEdit = (edit: unknown): edit is Edit =>
  typeof edit === "object" &&
  edit !== null &&
  "oldText" in edit &&
  "newText" in edit &&
  typeof edit.oldText === "string" &&
  typeof edit.newText === "string";

const lines = (text: string, sign: Line["sign"]): Line[] =>
  text
    .replace(/\n$/, "")
    .split("\n")
    .map((line) => ({ sign, text: line }));

export function Diff({ changes }: { changes: Changes }): JSX.Element {
  const all = changes.places.flat();
  const count = (sign: Line["sign"]) => all.filter((line) => line.sign === sign).length;
  const text = () => all.map(({ sign, text: line }) => `${sign === "add" ? "+" : "-"} ${line}`).join("\n");
  return (
    <div class="code">
      <div class="head">
        <code class="grow">{changes.path}</code>
        <span class="diff-sums num">
          {count("add") > 0 && <span class="added">+{count("add")}</span>}{" "}
          {count("del") > 0 && <span class="removed">−{count("del")}</span>}
        </span>
        <CopyButton text={text} />
      </div>
      <section class="diff" aria-label={t("ask.changes")}>
        {all.map(({ sign, text: line }, at) => (
          <div key={at} class={`ln ${sign}`}>
            <span />
            <span>{sign === "add" ? "+" : "−"}</span>
            <span>{line}</span>
          </div>
        ))}
      </section>
    </div>
  );
}
