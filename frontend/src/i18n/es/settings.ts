/** Palabras de los ajustes; las de cada ajuste vienen con su esquema. */
import { data } from "./data";
import { knowledge } from "./knowledge";
import { memory } from "./memory";
import { models } from "./models";
import { servers } from "./servers";

const pages = {
  "settings.title": "Ajustes",
  "settings.back": "Volver a la conversación",
  "settings.toList": "Volver a la lista",
  "settings.again": "Intentar otra vez",
  "settings.save": "Guardar",
  "settings.models": "Modelos",
  "settings.servers": "Servidores MCP",
  "settings.appearance": "Aspecto",
  "settings.about": "Acerca de {name}",
  "settings.unread": "No se ha podido leer",
  "settings.theme": "Tema",
  "settings.option.system": "Como el sistema",
  "settings.option.ask": "Preguntar antes de cambiar",
  "settings.option.reads": "Solo leer, sin preguntar",
  "settings.option.all": "Permitir todo",
  "settings.option.none": "No permitir nada",
  "settings.mode.ask": "Leer se hace enseguida. Lo que cambia algo o sale fuera te pregunta antes.",
  "settings.mode.reads": "Leer se hace enseguida. Todo lo demás se deniega.",
  "settings.mode.all": "Nada pregunta. Para trabajos que vigilas, con herramientas de confianza.",
  "settings.mode.none": "Ninguna herramienta se ejecuta, tampoco las demos.",
  "settings.option.off": "Apagado",
  "settings.option.low": "Bajo",
  "settings.option.medium": "Medio",
  "settings.option.high": "Alto",
  "settings.modelDefault": "Como haga el modelo",
  "settings.fault.number": "Tiene que ser un número",
  "settings.fault.whole": "Tiene que ser un número entero",
  "settings.fault.low": "Como mínimo {bound}",
  "settings.fault.high": "Como máximo {bound}",
  "settings.fault.empty": "No puede quedar vacío",
  "settings.approvalsNote":
    "Lo que permites con «Siempre» queda permitido. Las carpetas, las direcciones y los tipos de enlace se vigilan en todos los modos.",
  "settings.used": "Lo que se ha usado",
  "settings.usedLead":
    "En los últimos 30 días, en este ordenador. El coste es el que dice el proveedor o se calcula con precios del {day}; «+» indica que hay respuestas sin precio conocido.",
  "settings.usedNone": "Nada todavía.",
  "settings.usedDay": "Día",
  "settings.usedModel": "Modelo",
  "settings.usedIn": "Entrada",
  "settings.usedOut": "Salida",
  "settings.usedCost": "Coste",
  "settings.grants": "Lo que has permitido",
  "settings.grants.none": "Nada todavía: cada cambio pregunta antes.",
  "settings.grants.allTools": "todas sus herramientas",
  "settings.grants.everywhere": "en todas las conversaciones",
  "settings.grants.conversation": "en «{title}»",
  "settings.grants.takeBack": "Retirar",
  "settings.aboutText": "Un programa de escritorio para modelos y sus herramientas. Libre, con licencia MIT.",
  "settings.home": "Tus datos",
  "settings.keysWhere": "Tus claves",
  "settings.telemetry": "Telemetría",
  "settings.noTelemetry": "Ninguna. De este ordenador solo sale lo que mandas a un proveedor o a un servidor.",
} as const;

export const settings = { ...pages, ...servers, ...models, ...memory, ...knowledge, ...data } as const;
