/** What was used: tokens and cost by day and by model. Unknown is left out, never written as 0. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { cost, number } from "../../format";
import { locale, t } from "../../i18n";
import { ask } from "../../socket";
import type { UsageReport, UsageRow } from "../../wire";
import { tried } from "./tried";

export function Used(): JSX.Element | null {
  const [report, setReport] = useState<UsageReport | null>(null);
  useEffect(() => {
    void tried(ask({ type: "usage_list", days: 30 })).then(setReport);
  }, []);
  if (report === null) return null;
  return (
    <section class="used" data-testid="used" aria-labelledby="used-title">
      <h2 id="used-title">{t("settings.used")}</h2>
      {report.days.length === 0 && <p class="muted">{t("settings.usedNone")}</p>}
      {report.days.length > 0 && (
        <>
          <p class="muted">{t("settings.usedLead", { day: dayWords(report.prices_as_of) })}</p>
          <Sums head={t("settings.usedDay")} rows={report.days} words={dayWords} />
          <Sums head={t("settings.usedModel")} rows={report.models} words={(label) => label} />
        </>
      )}
    </section>
  );
}

interface SumsProps {
  head: string;
  rows: readonly UsageRow[];
  words: (label: string) => string;
}

function Sums({ head, rows, words }: SumsProps): JSX.Element {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col">{t("settings.usedIn")}</th>
          <th scope="col">{t("settings.usedOut")}</th>
          <th scope="col">{t("settings.usedCost")}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.label}>
            <th scope="row">{words(row.label)}</th>
            <td class="num">{known(row.usage.input_tokens)}</td>
            <td class="num">{known(row.usage.output_tokens)}</td>
            <td class="num">{costWords(row)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const known = (tokens: number | null): string => (tokens === null ? "" : number(tokens));

/** With "+" where some of the answers have no known cost. */
const costWords = ({ usage, priced, replies }: UsageRow): string =>
  usage.cost === null ? "" : `${cost(usage.cost)}${priced < replies ? " +" : ""}`;

/** "2026-05-01" as a date of the person's locale. */
const dayWords = (day: string): string =>
  new Intl.DateTimeFormat(locale.value, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));
