/** Palabras de la página de datos y copias. */
export const data = {
  "data.title": "Datos y copias",
  "data.backups": "Copias de seguridad",
  "data.lead":
    "Cada día y antes de cada actualización del almacén se hace una copia de todo, se comprueba y se guarda a su lado; las siete más recientes.",
  "data.none": "Todavía no hay ninguna.",
  "data.make": "Hacer una copia ahora",
  "data.made": "Copia hecha y comprobada.",
  "data.back": "Volver a ella…",
  "data.ask": "¿Volver a {when}?",
  "data.asked":
    "Todas las conversaciones vuelven a ser las de entonces cuando LeoChat se inicie de nuevo. Lo que hay ahora se guarda en un archivo al lado.",
  "data.plan": "Volver en el próximo inicio",
  "data.planned": "En su próximo inicio LeoChat vuelve a {when}. Ciérralo y ábrelo de nuevo.",
  "data.unplan": "No volver",
  "data.move": "Todas las conversaciones",
  "data.moveLead":
    "Un solo archivo con todo, imágenes y tarjetas incluidas, para otro equipo o para guardarlo. Se pueden importar exportaciones de ChatGPT, Claude, LibreChat, Open WebUI y del propio LeoChat.",
  "data.export": "Exportar todo",
  "data.import": "Importar…",
  "data.importing": "Importando…",
  "data.imported": "{conversations} conversaciones con {messages} mensajes de {program}.",
  "data.already": "{count} ya estaban aquí.",
  "data.notes": "No se ha entendido",
} as const;
