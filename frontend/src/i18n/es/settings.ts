/** Palabras de ajustes, servidores y modelos. */
export const settings = {} as const;
