/** A page for looking at everything at once, in development only: `npm run dev`, then /gallery.html?theme=dark&lang=es. */
import { type JSX, render } from "preact";
import { CardView } from "../src/cards/CardView";
import { setLanguage } from "../src/i18n";
import { Mark } from "../src/icons/Icon";
import { Button } from "../src/parts/Button";
import { ConfirmHost } from "../src/parts/confirm";
import { Empty, Skeleton } from "../src/parts/Empty";
import { Toasts } from "../src/parts/Toasts";
import { toast } from "../src/parts/toasts";
import { ServicesContext } from "../src/services";
import "../src/styles/index.css";
import "./gallery.css";
import type { CardState } from "../src/wire";
import { blocks, detail, kinds, type Sample, search } from "./samples";

const services = {
  openUrl: (url: string) => toast({ text: url }),
  attachment: () => Promise.reject(new Error("404")),
  remotePicture: () => Promise.reject(new Error("not trusted")),
};

function Shown({ sample }: { sample: Sample }): JSX.Element {
  const stateOf = (id: string): CardState | undefined => {
    const state = sample.states?.[id];
    return state ? { message_id: "m", card_id: sample.card.id, action_id: id, state, message: null } : undefined;
  };
  return (
    <CardView
      card={sample.card}
      server={sample.server}
      stateOf={stateOf}
      onAction={() => new Promise((done) => setTimeout(done, 1500))}
      onNewer={sample.old ? () => undefined : undefined}
    />
  );
}

const buttons = ["primary", "secondary", "danger", "danger fill", "quiet", "link"] as const;

function Gallery(): JSX.Element {
  return (
    <div class="gallery">
      <h2>Kinds of card</h2>
      <div class="three">
        {kinds.map((sample) => (
          <Shown key={sample.card.id} sample={sample} />
        ))}
      </div>
      <div class="column">
        <Shown sample={search} />
        <Shown sample={detail} />
      </div>
      <h2>Every block</h2>
      <div class="three">
        {blocks.map((sample) => (
          <Shown key={sample.card.id} sample={sample} />
        ))}
      </div>
      <h2>States</h2>
      <div class="acts">
        {buttons.map((kind) => (
          <Button key={kind} kind={kind}>
            {kind}
          </Button>
        ))}
        {buttons.map((kind) => (
          <Button key={kind} kind={kind} disabled>
            {kind}
          </Button>
        ))}
      </div>
      <div class="acts">
        <Mark size={20} />
        <Mark size={32} />
        <Mark size={48} awake />
        <input class="in" aria-label="rest" placeholder="Rest" />
        <input class="in" aria-label="wrong" aria-invalid="true" value="Wrong" />
        <input type="checkbox" class="switch" aria-label="switch" checked />
        <input type="checkbox" class="check" aria-label="check" checked />
      </div>
      <div class="three">
        <Empty sign={<Mark size={32} />} title="No conversations yet" hint="They appear here, newest first." />
        <Skeleton />
      </div>
      <Toasts />
      <ConfirmHost />
    </div>
  );
}

const query = new URLSearchParams(location.search);
document.documentElement.dataset.themeId = query.get("theme") ?? "light";
setLanguage(query.get("lang") === "es" ? "es" : "en");
const root = document.getElementById("app");
if (root) {
  render(
    <ServicesContext.Provider value={services}>
      <Gallery />
    </ServicesContext.Provider>,
    root,
  );
}
