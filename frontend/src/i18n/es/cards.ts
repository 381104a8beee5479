/** Palabras alrededor de las tarjetas; las suyas propias vienen de sus servidores. */
export const cards = {
  "card.from": "Del servidor {server}",
  "card.untitled": "Tarjeta",
  "card.newer": "Una tarjeta más nueva sustituye a esta",
  "card.noAction": "Este botón no tiene acción",
  "card.pressed": "Pulsado",
  "card.running": "En marcha",
  "card.queued": "Espera en la cola",
  "card.failed": "Ha fallado, pulsa para reintentar",
  "card.progress": "Progreso",
} as const;
