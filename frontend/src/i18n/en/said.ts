/** What the backend tells with a key (`said`): the same sentences as its own, in English. */
export const said = {
  "said.reason": "It says: {reason}",
} as const;
