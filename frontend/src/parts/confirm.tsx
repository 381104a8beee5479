/** One question with two answers, asked from anywhere: `await confirm({...})`; the host draws it. */
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { t } from "../i18n";
import { Button } from "./Button";
import { Dialog } from "./Dialog";

export interface Question {
  title: string;
  message?: string | undefined;
  confirmText?: string | undefined;
  cancelText?: string | undefined;
  /** The confirming button is drawn in the error colour. */
  danger?: boolean;
}

interface Asked extends Question {
  answer: (confirmed: boolean) => void;
}

const waiting = signal<readonly Asked[]>([]);

/** Asks, one question at a time; resolves to true only if the person pressed the confirming button. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    const asked: Asked = {
      ...question,
      answer: (confirmed) => {
        waiting.value = waiting.value.filter((other) => other !== asked);
        resolve(confirmed);
      },
    };
    waiting.value = [...waiting.value, asked];
  });
}

/** Draws the question that is being asked; once in the page. */
export function ConfirmHost(): JSX.Element | null {
  const asked = waiting.value[0];
  if (!asked) return null;
  return (
    <Dialog
      key={asked}
      small
      testid="confirm-dialog"
      title={asked.title}
      lead={asked.message}
      onClose={() => asked.answer(false)}
      footer={
        <>
          <Button autofocus testid="confirm-cancel" onClick={() => asked.answer(false)}>
            {asked.cancelText ?? t("part.cancel")}
          </Button>
          <Button
            kind={asked.danger ? "danger fill" : "primary"}
            testid="confirm-ok"
            onClick={() => asked.answer(true)}
          >
            {asked.confirmText ?? t("part.confirm")}
          </Button>
        </>
      }
    />
  );
}
