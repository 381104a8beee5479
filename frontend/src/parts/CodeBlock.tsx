/** A code block as a component: head with a label, buttons and copy; text coloured where its language is known. */
import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import { colour } from "../markdown/highlight";
import { CopyButton } from "./CopyButton";

interface CodeBlockProps {
  text: string;
  language?: string;
  label?: ComponentChildren;
  /** Long lines wrap, for what must be seen whole. */
  wrap?: boolean;
  children?: ComponentChildren;
}

export function CodeBlock({ text, language = "", label, wrap, children }: CodeBlockProps): JSX.Element {
  const code = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (!code.current) return;
    code.current.textContent = text;
    colour(code.current, text, language);
  }, [text, language]);
  return (
    <div class={`code${wrap ? " wrap" : ""}`}>
      <div class="head">
        <span class="grow cut">{label ?? (language || t("code.plain"))}</span>
        {children}
        <CopyButton text={() => text} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <pre tabIndex={0}>
        <code ref={code} />
      </pre>
    </div>
  );
}
