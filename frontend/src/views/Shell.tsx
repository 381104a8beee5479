/** The frame of the window: the list at the left, header, thread and dock at the right. */
import type { JSX } from "preact";
import { t } from "../i18n";
import { Icon, Mark } from "../icons/Icon";

/** The window at rest: an empty list and an empty conversation. */
export function Shell(): JSX.Element {
  return (
    <div class="app">
      <nav class="side" aria-label={t("list.label")}>
        <div class="side-top">
          <Mark size={28} />
          <b class="grow">{t("app.name")}</b>
        </div>
        <button type="button" class="row" data-testid="new-conversation">
          <Icon name="compose" />
          <span class="grow">{t("list.new")}</span>
        </button>
        <div class="side-list" data-testid="conversation-list" />
      </nav>
      <main class="main">
        <header class="top">
          <h1 class="cut muted">{t("list.new")}</h1>
        </header>
        <div class="scroll">
          <div class="hello">
            <div class="hi">
              <Mark size={56} />
              <h2>{t("welcome.title")}</h2>
              <p>{t("welcome.safe")}</p>
            </div>
          </div>
        </div>
      </main>
    </div>
  );
}
