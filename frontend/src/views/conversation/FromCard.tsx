/** A chip for what no person typed: a card's button sent it, or the wish to go on did. */
import type { JSX } from "preact";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import type { Origin } from "../../wire";

/** LeoChat's own word for going on after a cut. */
const isContinue = ({ server, card_id, label }: Origin): boolean => label === "continue" && !server && !card_id;

/** The button's label, and the whole text that was sent: one click away, always on show for servers of others. */
export function FromCard({ origin, text }: { origin: Origin; text: string }): JSX.Element {
  const goesOn = isContinue(origin);
  const line = (
    <>
      <Icon name={goesOn ? "play" : "card"} />
      <b>{goesOn ? t("note.continue") : origin.label}</b>
      {origin.server && <span class="whom">{t("message.fromCard", { server: origin.server })}</span>}
    </>
  );
  if (!text || text === origin.label) {
    return (
      <div class="via" data-server={origin.server}>
        <div class="via-line">{line}</div>
      </div>
    );
  }
  return (
    <details class="via" data-server={origin.server} open={!origin.bundled}>
      <summary title={t("message.showSent")}>{line}</summary>
      <div class="sent">{text}</div>
    </details>
  );
}
