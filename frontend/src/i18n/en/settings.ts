/** English words of settings, servers and models. */
export const settings = {} as const;
