/** An icon button that is an Action: its words, keys, state and effect come from the record. */
import type { JSX } from "preact";
import { IconButton } from "../parts/Button";
import { actionOf, runAction } from "./action";
import { keyText } from "./keys";

/** Draws nothing while no such action is registered. */
export function ActionButton({ id, testid }: { id: string; testid?: string }): JSX.Element | null {
  const action = actionOf(id);
  if (!action) return null;
  return (
    <IconButton
      icon={action.icon}
      label={action.title()}
      keys={keyText(action.keys)}
      disabled={action.enabled?.() === false}
      testid={testid}
      onClick={() => runAction(id)}
    />
  );
}
