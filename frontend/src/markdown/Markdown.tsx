/** Markdown in a view: of a text that is whole, or of one that is still being written. */
import { effect } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { LiveText } from "../live";
import { copyText } from "../parts/clipboard";
import { type Services, useServices } from "../services";
import { image } from "./inline";
import { StreamingMarkdown } from "./stream";

interface MarkdownProps {
  /** A whole text, or a growing one. */
  source: string | LiveText;
  small?: boolean;
  /** The server whose words these are, for its pictures. */
  server?: string | undefined;
}

/** Draws Markdown. The element's content is the renderer's alone; Preact never touches it. */
export function Markdown({ source, small, server }: MarkdownProps): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const services = useServices();
  const loaded = useRef(new Map<string, string>());
  useLayoutEffect(() => {
    if (!box.current) return;
    const markdown = new StreamingMarkdown(box.current, { loaded: loaded.current });
    const stop = typeof source === "string" ? whole(markdown, source) : follow(markdown, source);
    return () => {
      stop();
      markdown.reset();
    };
  }, [source]);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const onClick = (event: MouseEvent) => clicked(event, services, loaded.current, server);
    element.addEventListener("click", onClick);
    element.addEventListener("auxclick", onClick);
    return () => {
      element.removeEventListener("click", onClick);
      element.removeEventListener("auxclick", onClick);
    };
  }, [services, server]);
  return <div ref={box} class={`md${small ? " small" : ""}`} dir="auto" />;
}

function whole(markdown: StreamingMarkdown, text: string): () => void {
  markdown.finish(text);
  return () => undefined;
}

function follow(markdown: StreamingMarkdown, source: LiveText): () => void {
  let read = 0;
  let epoch = source.epoch;
  return effect(() => {
    source.changed.value;
    const ended = source.ended.value;
    if (epoch !== source.epoch) {
      markdown.reset();
      read = 0;
      epoch = source.epoch;
    }
    const fresh = source.parts.length === read + 1 ? (source.parts[read] ?? "") : source.parts.slice(read).join("");
    read = source.parts.length;
    if (ended) markdown.finish(fresh);
    else markdown.append(fresh);
  });
}

/** Links are opened by the page, pictures are fetched when asked for, code is copied; the browser itself follows nothing. */
function clicked(event: MouseEvent, services: Services, loaded: Map<string, string>, server: string | undefined): void {
  if (!(event.target instanceof Element)) return;
  const link = event.target.closest("a");
  if (link) {
    event.preventDefault();
    services.openUrl(link.href);
    return;
  }
  if (event.type !== "click") return;
  const chip = event.target.closest<HTMLButtonElement>("button[data-picture]");
  if (chip) void showPicture(chip, services, loaded, server);
  const copy = event.target.closest<HTMLButtonElement>("button[data-copy]");
  if (copy) void copyCode(copy);
}

async function showPicture(
  chip: HTMLButtonElement,
  services: Services,
  loaded: Map<string, string>,
  server: string | undefined,
): Promise<void> {
  const url = chip.dataset.picture ?? "";
  chip.disabled = true;
  try {
    const source = await services.remotePicture(url, { server, clicked: true });
    loaded.set(url, source);
    chip.replaceWith(image(source, chip.dataset.alt ?? ""));
  } catch (error) {
    chip.disabled = false;
    const words = chip.querySelector(".grow > span");
    if (words) words.textContent = error instanceof Error ? error.message : String(error);
  }
}

async function copyCode(button: HTMLButtonElement): Promise<void> {
  const text = button.closest(".code")?.querySelector("code")?.textContent ?? "";
  if (!(await copyText(text))) return;
  const use = button.querySelector("use");
  use?.setAttribute("href", "#i-check");
  setTimeout(() => use?.setAttribute("href", "#i-copy"), 1500);
}
