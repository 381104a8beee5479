/** Palabras de las carpetas que pueden usar los servidores propios de LeoChat. */
export const folders = {
  "ask.folder.title": "¿Permitir esta carpeta?",
  "ask.folder.titleMany": "¿Permitir estas carpetas?",
  "ask.folder.needs":
    "necesita una carpeta que no está permitida. Los servidores propios de LeoChat podrán leer y cambiar todo lo que hay en ella.",
  "ask.folder.also":
    "Este lugar está fuera de las carpetas permitidas. Permitir la llamada permite también esta carpeta, con todo lo que hay en ella:",
  "ask.folder.alsoMany":
    "Estos lugares están fuera de las carpetas permitidas. Permitir la llamada permite también estas carpetas, con todo lo que contienen:",
  "ask.folder.always": "Siempre",
  "ask.folder.alwaysBoth": "Siempre en esta carpeta",
  "settings.folders": "Carpetas",
  "folders.lead":
    "Los servidores de archivos, Excel, Word y navegador trabajan en estas carpetas y en ninguna más. Si hace falta otra, se te pregunta.",
  "folders.own": "La carpeta de LeoChat; las rutas relativas empiezan aquí",
  "folders.missing": "Esta carpeta no está ahora.",
  "folders.closed": "No se usa: las carpetas del sistema, las claves y los ajustes quedan cerrados a las herramientas.",
  "folders.remove": "Quitar",
  "folders.removeThis": "Quitar {folder}",
  "folders.add": "Permitir otra carpeta",
  "folders.placeholder": "/home/yo/Proyectos",
  "folders.allow": "Permitir",
  "folders.choose": "Elegir…",
  "folders.note":
    "En la ventana de LeoChat también puedes soltar una carpeta, aquí o sobre una conversación. Un navegador no dice dónde está la carpeta que sueltas: escribe su ruta. Añadir o quitar una carpeta no cambia nada en ella.",
  "folders.noPath": "El navegador no dice dónde está esta carpeta. Escribe su ruta en los ajustes.",
  "folders.open": "Carpetas",
  "folders.sure":
    "Los servidores propios de LeoChat podrán leer y cambiar todo lo que hay en {folder}, en todas las conversaciones.",
  "folders.added": "Permitida: {folder}",
} as const;
