/** The empty conversation: what Leo can do here, things to try, and honestly who answers. */
import type { JSX } from "preact";
import { openSettings, settingOf, settings, toolbox } from "../../desk";
import { type Key, t } from "../../i18n";
import { Icon, Mark, Pictogram } from "../../icons/Icon";
import type { PictogramName } from "../../icons/names";
import { Button } from "../../parts/Button";
import { sendText } from "../../sending";

interface Try {
  id: string;
  picture: PictogramName;
  title: Key & `try.${string}`;
  says: Key & `try.${string}`;
}

const tries = [
  { id: "quiz", picture: "quiz", title: "try.quiz", says: "try.quizSays" },
  { id: "shop", picture: "shop", title: "try.shop", says: "try.shopSays" },
  { id: "theme", picture: "theme", title: "try.theme", says: "try.themeSays" },
  { id: "files", picture: "excel", title: "try.files", says: "try.filesSays" },
] as const satisfies readonly Try[];

interface TryItProps {
  id: string;
  picture: PictogramName;
  title: string;
  says: string;
}

function TryIt({ id, picture, title, says }: TryItProps): JSX.Element {
  return (
    <button type="button" data-testid="try-it" data-try={id} onClick={() => void sendText(says)}>
      <Pictogram name={picture} />
      <span class="grow">
        <b class="cut">{title}</b>
        <span>{t("welcome.quoted", { text: says })}</span>
      </span>
      <span class="go">
        <Icon name="send" />
      </span>
    </button>
  );
}

export function Welcome(): JSX.Element {
  const { servers, tools } = toolbox.value;
  return (
    <div class="hello">
      <div class="hi">
        <Mark size={56} />
        <h2>{t("welcome.title")}</h2>
        <p>
          {tools > 0 && `${t("welcome.tools", { count: tools, servers: t("welcome.servers", { count: servers }) })} `}
          {t("welcome.safe")}
        </p>
      </div>
      <section>
        <span class="label">{t("welcome.try")}</span>
        <div class="tries">
          {(settings.value?.edition.prompts ?? []).map(({ title, text }) => (
            <TryIt key={title} id="edition" picture="theme" title={title} says={text} />
          ))}
          {tries.map(({ id, picture, title, says }) => (
            <TryIt key={id} id={id} picture={picture} title={t(title)} says={t(says)} />
          ))}
        </div>
      </section>
      {isDemo() && (
        <section class="who">
          <div class="line">
            <Icon name="script" />
            <div class="grow">
              <b>{t("models.demoShort")}</b> <span>{t("welcome.demo")}</span>
            </div>
            <Button small onClick={() => openSettings("models")}>
              {t("welcome.connect")}
            </Button>
          </div>
        </section>
      )}
    </div>
  );
}

const isDemo = (): boolean => {
  const provider = settingOf("model.provider");
  return provider === undefined || provider === "" || provider === "demo";
};
