/** A command shown whole: on one line, then the program and each argument on a line of its own, nothing hidden. */
import type { JSX } from "preact";
import { t } from "../../i18n";
import { commandLine } from "./command";
import { hidesSomething, pieces } from "./visible";

/** A text with every character that cannot be seen written out by its name. */
export function Exact({ text }: { text: string }): JSX.Element {
  return (
    <>
      {pieces(text).map((piece, at) =>
        piece.hidden ? (
          <span key={at} class="hidden-char" title={t("servers.hiddenChar")}>
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
    </>
  );
}

/** `words`: program and arguments. */
export function Command({ words }: { words: readonly string[] }): JSX.Element {
  const [program = "", ...args] = words;
  return (
    <div class="command">
      <div class="whole">
        <Exact text={commandLine(words)} />
      </div>
      <ol>
        <li>
          <span>{t("servers.program")}</span>
          <code>
            <Exact text={program} />
          </code>
        </li>
        {args.map((word, at) => (
          <li key={at}>
            <span class="num">{at + 1}</span>
            <code>{word === "" ? <i class="muted">{t("servers.emptyArgument")}</i> : <Exact text={word} />}</code>
          </li>
        ))}
      </ol>
      {words.some(hidesSomething) && <p class="warn">{t("servers.hidden")}</p>}
    </div>
  );
}

/** An address shown whole. */
export function Address({ url }: { url: string }): JSX.Element {
  return (
    <div class="command">
      <div class="whole">
        <Exact text={url} />
      </div>
      {hidesSomething(url) && <p class="warn">{t("servers.hidden")}</p>}
    </div>
  );
}
