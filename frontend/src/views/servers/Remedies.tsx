/** What LeoChat can do about a server's trouble, as buttons; a command to install something is shown to be copied. */
import type { JSX } from "preact";
import { t } from "../../i18n";
import { Button } from "../../parts/Button";
import { CopyButton } from "../../parts/CopyButton";
import type { Remedy } from "../../wire";
import { remedy as carryOut } from "./deeds";

export function Remedies({ name, remedies }: { name: string; remedies: readonly Remedy[] }): JSX.Element | null {
  if (remedies.length === 0) return null;
  return (
    <>
      {remedies.map((each) =>
        each.kind === "install" ? (
          <Install key={each.value} command={each.value} />
        ) : (
          <Button key={`${each.kind} ${each.value}`} small testid="server-remedy" onClick={() => carryOut(name, each)}>
            {labelOf(each)}
          </Button>
        ),
      )}
    </>
  );
}

/** A command for the person's own terminal: LeoChat installs nothing. */
export function Install({ command }: { command: string }): JSX.Element {
  return (
    <span class="install">
      <span class="muted">{t("servers.remedy.install")}</span> <code>{command}</code>
      <CopyButton text={() => command} label={t("servers.remedy.copy")} />
    </span>
  );
}

export function labelOf({ kind, value }: Remedy): string {
  switch (kind) {
    case "program":
      return t("servers.remedy.program", { value });
    case "address":
      return t("servers.remedy.address", { value });
    case "argument":
      return t("servers.remedy.argument", { value });
    case "longer":
      return t("servers.remedy.longer", { count: Number(value) / 60 });
    case "handshake":
      return t("servers.remedy.handshake");
    case "install":
      return value;
  }
}
