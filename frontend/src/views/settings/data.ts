/** The settings as the backend tells them, cut into sections and fields in the person's language. */
import { computed } from "@preact/signals";
import { settingOf, settings } from "../../desk";
import { language } from "../../i18n";
import { ask } from "../../socket";
import { type FieldSpec, type Section, sectionsOf } from "./schema";

/** Reads schema and values anew. Rejects with the backend's words. */
export async function readSettings(): Promise<void> {
  settings.value = await ask({ type: "get_settings" });
}

export const sections = computed<readonly Section[]>(() =>
  settings.value ? sectionsOf(settings.value.json_schema, language.value) : [],
);

/** The field of a setting by its dotted name, with its words. */
export const fieldNamed = (name: string): FieldSpec | undefined =>
  sections.value.flatMap(({ fields }) => fields).find((field) => field.name === name);

export const settingValue = (name: string): unknown => settingOf(name);

/** Rejects with the backend's words where the value does not fit. */
export const saveSetting = (name: string, value: unknown): Promise<unknown> =>
  ask({ type: "set_setting", name, value });
