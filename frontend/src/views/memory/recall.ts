/** Whether what is remembered goes along with messages. */
import { settingValue } from "../settings/data";

export const RECALL = "memory.recall";

export const recallIsOn = (): boolean => settingValue(RECALL) === true;
