/** Fields for the arguments of a prompt or pattern; what the server proposes is offered while one types. */
import type { JSX } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { Field } from "../../parts/Field";
import { ask } from "../../socket";

const PAUSE_MS = 150;

export interface Argument {
  name: string;
  label: string;
  description: string;
  required: boolean;
}

/** What the arguments belong to, as `argument_complete` names it. */
export interface Owner {
  server: string;
  kind: "prompt" | "resource";
  name: string;
}

export type Given = Readonly<Record<string, string>>;

interface ArgumentFieldsProps {
  owner: Owner;
  args: readonly Argument[];
  given: Given;
  /** Marks required fields that are empty. */
  missing: string | undefined;
  onGiven: (given: Given) => void;
}

export function ArgumentFields({ owner, args, given, missing, onGiven }: ArgumentFieldsProps): JSX.Element {
  return (
    <>
      {args.map((argument, at) => (
        <ArgumentField
          key={argument.name}
          owner={owner}
          argument={argument}
          first={at === 0}
          given={given}
          error={missing !== undefined && argument.required && !given[argument.name]?.trim() ? missing : undefined}
          onValue={(value) => onGiven({ ...given, [argument.name]: value })}
        />
      ))}
    </>
  );
}

interface ArgumentFieldProps {
  owner: Owner;
  argument: Argument;
  first: boolean;
  given: Given;
  error: string | undefined;
  onValue: (value: string) => void;
}

function ArgumentField({ owner, argument, first, given, error, onValue }: ArgumentFieldProps): JSX.Element {
  const listId = useId();
  const value = given[argument.name] ?? "";
  const proposals = useProposals(owner, argument.name, given);
  return (
    <Field label={argument.label} required={argument.required} hint={argument.description} error={error}>
      {(bound) => (
        <>
          <input
            {...bound}
            class="in"
            data-testid="argument"
            data-name={argument.name}
            autocomplete="off"
            autofocus={first}
            list={listId}
            value={value}
            onInput={(event) => onValue(event.currentTarget.value)}
          />
          <datalist id={listId}>
            {proposals.map((each) => (
              <option key={each} value={each} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

/** What the server proposes for one argument, given the others; asked once the person pauses. */
function useProposals({ server, kind, name }: Owner, argument: string, given: Given): readonly string[] {
  const [proposals, setProposals] = useState<readonly string[]>([]);
  const asked = useRef(0);
  const value = given[argument] ?? "";
  const others = JSON.stringify(Object.entries(given).filter(([other, text]) => other !== argument && text !== ""));
  useEffect(() => {
    asked.current += 1;
    const mine = asked.current;
    const timer = setTimeout(() => {
      const rest = Object.fromEntries(JSON.parse(others) as [string, string][]);
      ask({ type: "argument_complete", server, kind, name, argument, value, given: rest }).then(
        (found) => {
          if (mine === asked.current) setProposals(found.values);
        },
        () => setProposals([]), // then the person types all of it
      );
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [server, kind, name, argument, value, others]);
  return proposals;
}
