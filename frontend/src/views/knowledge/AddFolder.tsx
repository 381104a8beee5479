/** The way to index another folder. */
import type { JSX } from "preact";
import { t } from "../../i18n";
import { ask } from "../../socket";
import type { KnowledgeView } from "../../wire";
import { FolderForm } from "../settings/FolderForm";

interface AddProps {
  picks: boolean;
  onView: (view: KnowledgeView) => void;
}

export function AddFolder({ picks, onView }: AddProps): JSX.Element {
  const shown = async (asked: Promise<KnowledgeView>) => {
    onView(await asked);
    return true;
  };
  return (
    <FolderForm
      name="knowledge"
      words={{
        label: t("knowledge.add"),
        placeholder: t("knowledge.placeholder"),
        add: t("knowledge.index"),
        choose: t("knowledge.choose"),
        hint: t("knowledge.skips"),
      }}
      onAdd={(path) => shown(ask({ type: "knowledge_add", path }))}
      onPick={picks ? () => shown(ask({ type: "knowledge_pick" })) : null}
    />
  );
}
