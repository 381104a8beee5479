/** Prices of models in words. */
import { cost } from "../../format";
import type { ModelChoice } from "../../wire";

/** "$3.00 · $15.00": input and output per million tokens; null where either is unknown. */
export const priceWords = (model: ModelChoice): string | null =>
  model.input_price === null || model.output_price === null
    ? null
    : `${cost(model.input_price)} · ${cost(model.output_price)}`;
