/** The models page: what new conversations use, and every provider with its key, address and model. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { page } from "../../desk";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button } from "../../parts/Button";
import { Empty, Skeleton } from "../../parts/Empty";
import type { ProviderInfo } from "../../wire";
import { wordsOf } from "../settings/tried";
import { isDemo, isUsable, providers, readLocal, readProviders } from "./catalog";
import { chosenIn, defaultChoice } from "./chosen";
import { DefaultsForm } from "./DefaultsForm";
import { chipWords } from "./ModelPicker";
import { ProviderForm } from "./ProviderForm";
import { answers, keyWords } from "./readiness";

/** A provider's name, or the defaults of new conversations; null in a narrow window: the list alone. */
const DEFAULTS = "";

export function ModelsPage(): JSX.Element {
  const list = providers.value;
  const [chosen, setChosen] = useState<string | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const read = () => {
    setRefused(null);
    readLocal();
    readProviders().catch((error: unknown) => setRefused(wordsOf(error)));
  };
  // once, when the page opens
  useEffect(read, []);
  const shown = list?.find(({ name }) => name === chosen);
  const wanted = page.value.at === "settings" ? page.value.tab : null;
  useEffect(() => {
    if (list?.some(({ name }) => name === wanted)) setChosen(wanted);
  }, [wanted, list === null]);
  return (
    <>
      <header class="top with-line">
        <h1>{t("settings.models")}</h1>
        {list && <span class="sums wide-only">{t("models.usable", { count: list.filter(answers).length })}</span>}
      </header>
      <div class={`sides${chosen === null ? "" : " open"}`}>
        <div class="side-left">
          {refused !== null && (
            <Empty sign={<Icon name="error" />} title={t("settings.unread")} hint={refused}>
              <Button onClick={read}>{t("settings.again")}</Button>
            </Empty>
          )}
          {list === null && refused === null && <Skeleton />}
          {list && <List list={list} chosen={chosen ?? DEFAULTS} narrow={chosen === null} onChoose={setChosen} />}
        </div>
        <div class="side-right">
          {list &&
            (shown ? (
              <ProviderForm key={shown.name} provider={shown} onBack={() => setChosen(null)} />
            ) : (
              <DefaultsForm onBack={() => setChosen(null)} />
            ))}
        </div>
      </div>
    </>
  );
}

interface ListProps {
  list: readonly ProviderInfo[];
  chosen: string;
  narrow: boolean;
  onChoose: (name: string) => void;
}

function List({ list, chosen, onChoose }: ListProps): JSX.Element {
  const standard = defaultChoice().provider;
  const groups = [
    { title: t("models.group.ready"), of: list.filter((each) => isUsable(each) && !each.local) },
    { title: t("models.group.local"), of: list.filter((each) => each.local && !isDemo(each)) },
    { title: t("models.group.none"), of: list.filter((each) => !isUsable(each) && !each.local) },
    { title: t("models.group.demo"), of: list.filter(isDemo) },
  ].filter((group) => group.of.length > 0);
  return (
    <>
      <button
        type="button"
        class={`server provider${chosen === DEFAULTS ? " on" : ""}`}
        aria-current={chosen === DEFAULTS ? "true" : undefined}
        onClick={() => onChoose(DEFAULTS)}
      >
        <Icon name="compose" />
        <span class="name">
          <b class="cut">{t("models.newOnes")}</b>
        </span>
        <span class="state">{chipWords(chosenIn(null))}</span>
      </button>
      {groups.map((group) => (
        <section key={group.title} aria-label={group.title}>
          <h2 class="side-group">{group.title}</h2>
          {group.of.map((each) => (
            <button
              key={each.name}
              type="button"
              class={`server provider${chosen === each.name ? " on" : ""}`}
              aria-current={chosen === each.name ? "true" : undefined}
              data-testid="provider-row"
              data-provider={each.name}
              onClick={() => onChoose(each.name)}
            >
              <i class="dot" data-status={answers(each) ? "ready" : "disabled"} />
              <span class="name">
                <b class="cut">{isDemo(each) ? t("models.demoShort") : each.title}</b>
                {each.name === standard && <span class="tag">{t("models.standard")}</span>}
              </span>
              <span class="state">
                {keyWords(each)}
                {each.model && ` · ${each.model}`}
              </span>
            </button>
          ))}
        </section>
      ))}
    </>
  );
}
