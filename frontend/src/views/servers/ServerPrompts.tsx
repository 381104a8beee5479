/** A server's prompts, each to be used in the conversation. */
import type { JSX } from "preact";
import { closePages } from "../../desk";
import { focusAsked } from "../../drafts";
import { t } from "../../i18n";
import { prompts, usePrompt } from "../../material";
import { Button } from "../../parts/Button";
import { allWorded } from "../../sayings";
import type { PromptInfo, ServerInfo } from "../../wire";

export function ServerPrompts({ server }: { server: ServerInfo }): JSX.Element | null {
  const listed = prompts.value.find((each) => each.server === server.name);
  if (!listed || server.state !== "ready") return null;
  return (
    <section class="part" data-testid="server-prompts">
      <div class="head">
        <h3>{t("material.prompts")}</h3>
        <span class="muted num">{listed.prompts.length || ""}</span>
      </div>
      {listed.problem && (
        <p class="muted">
          {t("material.failed", { server: server.name, problem: allWorded(listed.problem, listed.said) })}
        </p>
      )}
      <ul class="tools">
        {listed.prompts.map((info) => (
          <Prompt key={info.name} info={info} />
        ))}
      </ul>
    </section>
  );
}

function Prompt({ info }: { info: PromptInfo }): JSX.Element {
  const use = () => {
    closePages();
    usePrompt(info);
    focusAsked.value += 1;
  };
  const about = info.description || info.title || info.arguments.map(({ name }) => name).join(", ");
  return (
    <li class="tool prompt">
      <div class="line">
        <span class="pick still" title={about}>
          <code>{info.name}</code>
          <span class="what cut">{about}</span>
        </span>
        <Button small title={t("material.useOne", { name: info.name })} testid="prompt-use" onClick={use}>
          {t("material.use")}
        </Button>
      </div>
    </li>
  );
}
