/** What the backend tells with a key (`said`), in Spanish. */
export const said = {
  "said.reason": "Dice: {reason}",
} as const;
