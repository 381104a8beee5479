/** All slash commands and keys at a glance. */
import type { JSX } from "preact";
import { actions } from "../actions/action";
import { keyCaps } from "../actions/keys";
import { t } from "../i18n";
import { Button } from "../parts/Button";
import { Dialog } from "../parts/Dialog";
import { helpOpen, slashCommands } from "../slash";

/** Mounted once; shows itself while `helpOpen` is true. */
export function HelpHost(): JSX.Element | null {
  return helpOpen.value ? <Help /> : null;
}

function Help(): JSX.Element {
  const close = () => {
    helpOpen.value = false;
  };
  const keys = actions.value.flatMap(({ id, title, keys: chord }) => (chord ? [{ id, title: title(), chord }] : []));
  return (
    <Dialog
      title={t("help.title")}
      testid="help"
      onClose={close}
      footer={
        <Button autofocus onClick={close}>
          {t("part.close")}
        </Button>
      }
    >
      <section>
        <h3>{t("help.commands")}</h3>
        <dl class="help-list">
          {slashCommands().map(({ name, hint, title }) => (
            <div key={name}>
              <dt>
                <code>/{name}</code> {hint && <span class="muted">{hint}</span>}
              </dt>
              <dd>{title}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section>
        <h3>{t("help.keys")}</h3>
        <dl class="help-list">
          {keys.map(({ id, title, chord }) => (
            <Keys key={id} chord={chord} title={title} />
          ))}
          <Keys chord="Enter" title={t("help.send")} />
          <Keys chord="Shift+Enter" title={t("help.line")} />
        </dl>
      </section>
    </Dialog>
  );
}

function Keys({ chord, title }: { chord: string; title: string }): JSX.Element {
  return (
    <div>
      <dt>
        {keyCaps(chord).map((cap) => (
          <span key={cap} class="key">
            {cap}
          </span>
        ))}
      </dt>
      <dd>{title}</dd>
    </div>
  );
}
