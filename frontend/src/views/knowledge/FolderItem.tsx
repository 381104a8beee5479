/** One indexed folder: where it is, how far it is, what could not be read, and the ways to look again and to remove it. */
import type { JSX } from "preact";
import { when } from "../../format";
import { t } from "../../i18n";
import { Icon } from "../../icons/Icon";
import { Button, IconButton } from "../../parts/Button";
import type { KnowledgeFile, KnowledgeFolder } from "../../wire";

interface ItemProps {
  folder: KnowledgeFolder;
  /** Whether anybody works on it. */
  on: boolean;
  onAgain: () => void;
  onRemove: () => void;
}

export function FolderItem({ folder, on, onAgain, onRemove }: ItemProps): JSX.Element {
  const { path, state } = folder;
  return (
    <li data-testid="knowledge-folder" data-state={state}>
      <Icon name="folder" />
      <span class="grow">
        <code class="where">{path}</code>
        <span class="muted num">{stateWords(folder)}</span>
        {on && <Bar folder={folder} />}
        {state === "missing" && (
          <span class="bad">
            <Icon name="alert" small /> {t("knowledge.missing")}
          </span>
        )}
        {state !== "missing" && folder.problem && (
          <span class="bad">
            <Icon name="alert" small /> {folder.problem}
          </span>
        )}
        <Problems folder={folder} />
      </span>
      <IconButton
        icon="redo"
        label={t("knowledge.againThis", { folder: path })}
        testid="knowledge-again"
        onClick={onAgain}
      />
      <Button small testid="knowledge-remove" title={t("knowledge.removeThis", { folder: path })} onClick={onRemove}>
        {t("knowledge.remove")}
      </Button>
    </li>
  );
}

function Bar({ folder }: { folder: KnowledgeFolder }): JSX.Element | null {
  if (folder.state === "scanning") return <progress aria-label={t("knowledge.scanning")} />;
  if (folder.state !== "reading") return null;
  const done = folder.files - folder.waiting;
  return (
    <progress
      max={folder.files}
      value={done}
      aria-label={t("knowledge.reading", { done, all: folder.files })}
      data-testid="knowledge-progress"
    />
  );
}

function stateWords(folder: KnowledgeFolder): string {
  if (folder.state === "scanning") return t("knowledge.scanning");
  if (folder.state === "reading") {
    return t("knowledge.reading", { done: folder.files - folder.waiting, all: folder.files });
  }
  const said = [
    t("knowledge.ready", { count: folder.indexed }),
    t("knowledge.passages", { count: folder.passages }),
    folder.others > 0 ? t("knowledge.others", { count: folder.others }) : "",
    folder.indexed_ms ? t("knowledge.at", { when: when(new Date(folder.indexed_ms)) }) : "",
  ];
  return said.filter(Boolean).join(" · ");
}

function Problems({ folder }: { folder: KnowledgeFolder }): JSX.Element | null {
  const { problems, failed } = folder;
  if (problems.length === 0) return null;
  const title = failed ? t("knowledge.failed", { count: failed }) : t("knowledge.remarks", { count: problems.length });
  const more = failed - problems.length;
  return (
    <details class="raw" data-testid="knowledge-problems">
      <summary>{title}</summary>
      <ul class="unread">
        {problems.map((file) => (
          <li key={file.path}>
            <code>{file.path}</code>
            <span class="muted">{reason(file)}</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p class="muted">{t("knowledge.more", { count: more })}</p>}
    </details>
  );
}

const KINDS = ["name", "large", "unreadable", "locked", "scan", "binary", "damaged", "slow", "cut", "empty"] as const;

/** In the person's language where the kind has words; else as the backend says it. */
function reason({ kind, problem }: KnowledgeFile): string {
  const known = KINDS.find((each) => each === kind);
  return known ? t(`knowledge.problem.${known}`) : problem;
}
