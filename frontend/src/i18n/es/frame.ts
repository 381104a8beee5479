/** Palabras del marco: la lista, la cabecera, la conversación vacía, el redactor y la línea de estado. */
export const frame = {
  "list.label": "Conversaciones",
  "list.new": "Nueva conversación",
  "list.search": "Buscar conversaciones",
  "list.hide": "Ocultar la lista",
  "list.show": "Mostrar la lista",
  "list.empty": "Aún no hay conversaciones",
  "list.emptyHint": "Aparecen aquí, la más reciente primero.",
  "frame.servers": "Servidores",
  "frame.settings": "Ajustes",
  "composer.placeholder": "Pregunta a Leo, o escribe / para ver órdenes",
  "composer.send": "Enviar",
  "welcome.title": "Cuando quieras",
  "welcome.safe": "Todo lo que cambia algo te pregunta antes.",
  "welcome.try": "Pruébalo",
} as const;
