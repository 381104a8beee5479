/** A conversation's title as a field: Enter keeps it, Esc does not. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { renameConversation } from "../../actions/conversation";
import { t } from "../../i18n";
import { renaming } from "../../renaming";

export function TitleBox({ id, title }: { id: string; title: string }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState(title);
  useEffect(() => input.current?.select(), []);
  const end = (keep: boolean) => {
    if (renaming.value === null) return;
    renaming.value = null;
    if (keep && words.trim() && words !== title) void renameConversation(id, words.trim());
  };
  return (
    <input
      ref={input}
      class="in title-box"
      data-testid="title-box"
      aria-label={t("head.rename")}
      value={words}
      onInput={(event) => setWords(event.currentTarget.value)}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        if (event.isComposing) return;
        if (event.key === "Enter") end(true);
        else if (event.key === "Escape") end(false);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    />
  );
}
