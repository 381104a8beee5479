/** Palabras de las órdenes con barra que hace la propia página, y de la ayuda. */
export const slash = {
  "slash.label": "Órdenes",
  "slash.new": "Nueva conversación",
  "slash.settings": "Abrir los ajustes",
  "slash.servers": "Abrir los servidores",
  "slash.export": "Guardar esta conversación como Markdown",
  "slash.help": "Mostrar órdenes y teclas",
  "slash.done": "Hecho: /{name}",
  "slash.nothing": "Aún no hay conversación que guardar",
  "help.title": "Órdenes y teclas",
  "help.commands": "Empieza un mensaje con",
  "help.keys": "Teclas",
  "help.send": "Enviar",
  "help.line": "Línea nueva",
} as const;
