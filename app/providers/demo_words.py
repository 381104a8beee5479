"""What the demo model says, in English and Spanish."""

import re

SPANISH = re.compile(
    r"[¿¡ñ]|\b(el|la|los|las|un|una|que|qué|de|del|con|por|para|en|mi|tu|busca|buscar|muestra|lista|abre|pon|haz|quiero|hola|gracias|empieza|inicia|juega|"
    r"archivos|ventana|tema|recuerda|carrito|tienda|oscuro|claro|pequeña|grande)\b",
    re.IGNORECASE,
)
ENGLISH = re.compile(
    r"\b(the|a|an|of|with|for|in|my|your|is|are|what|search|show|list|open|make|start|please|hello|hi|thanks|play|files|window|theme|remember|cart|shop|dark|light)\b",
    re.IGNORECASE,
)

WORDS: dict[str, dict[str, str]] = {
    "en": {
        "honest": "Demo model: scripted, no AI.",
        "guide": (
            "Demo model: scripted, no AI. I understand a few wishes only. Choose one below, or add a "
            "real model with its key in the settings."
        ),
        "guide_alone": (
            "Demo model: scripted, no AI, and there are no tools here. Add a real model with its key in the settings."
        ),
        "guide_title": "What the demo can do",
        "guide_after": "Demo model: scripted, no AI. Press a button above, or choose a real model in the settings.",
        "no_tool": (
            "Demo model: for this I would call {tool}, but the server {server} is off or not there. Switch it on in the "
            "settings, under MCP servers."
        ),
        "no_tool_there": "Demo model: {server} is there, but has no tool named {tool}.",
        "no_name": "Demo model: there is no tool named {tool} here.",
        "not_now": "Demo model: that is all for now.",
        "failed": "That did not work: {text}",
        "denied": "All right, I leave it.",
        "done": "Done: {text}",
        "not_done": "Not done: {text}",
        "several": "All {count} calls are done.",
        "card": "The card above shows it.",
        "text": "Here is what came back:\n\n{text}",
        "empty": "Done; the tool gave no output.",
        "script_over": "The script is over.",
        "script_bad": "The script cannot be played: {text}",
        "pokemon_start": "Good luck! Choose an answer on the card.",
        "pokemon_answer": "The card shows how it went.",
        "pokemon_next": "Next one: choose an answer on the card.",
        "product_search": "Here is what the shop has.",
        "product_none": "Nothing was found. Try another word, or let me show all products.",
        "cart_add": "It is in the cart.",
        "order_place": "Ordered. Pay with the button on the card.",
        "order_pay": "Paid. You can follow the order with the button.",
        "create_entities": "I wrote that down.",
        "quiz": "Start the Pokémon quiz",
        "shop": "Show the shop",
        "theme": "Make the theme dark purple",
        "window": "Make the window small",
        "files": "List the files",
        "memory": "What do you remember?",
    },
    "es": {
        "honest": "Modelo de demostración: con guion, sin IA.",
        "guide": (
            "Modelo de demostración: con guion, sin IA. Solo entiendo unos pocos deseos. Elige uno, o "
            "añade un modelo de verdad con su clave en los ajustes."
        ),
        "guide_alone": (
            "Modelo de demostración: con guion, sin IA, y aquí no hay herramientas. Añade un modelo de verdad con su clave "
            "en los ajustes."
        ),
        "guide_title": "Lo que sabe hacer la demostración",
        "guide_after": "Modelo de demostración: con guion, sin IA. Pulsa un botón, o elige un modelo de verdad en los ajustes.",
        "no_tool": (
            "Modelo de demostración: para esto usaría {tool}, pero el servidor {server} está apagado o no existe. "
            "Actívalo en los ajustes, en Servidores MCP."
        ),
        "no_tool_there": "Modelo de demostración: {server} está, pero no tiene ninguna herramienta {tool}.",
        "no_name": "Modelo de demostración: aquí no hay ninguna herramienta {tool}.",
        "not_now": "Modelo de demostración: eso es todo por ahora.",
        "failed": "No ha funcionado: {text}",
        "denied": "De acuerdo, lo dejo.",
        "done": "Hecho: {text}",
        "not_done": "No se ha hecho: {text}",
        "several": "Las {count} llamadas están hechas.",
        "card": "La tarjeta de arriba lo muestra.",
        "text": "Esto es lo que ha devuelto:\n\n{text}",
        "empty": "Hecho; la herramienta no ha devuelto nada.",
        "script_over": "El guion ha terminado.",
        "script_bad": "El guion no se puede reproducir: {text}",
        "pokemon_start": "¡Suerte! Elige una respuesta en la tarjeta.",
        "pokemon_answer": "La tarjeta muestra el resultado.",
        "pokemon_next": "La siguiente: elige una respuesta en la tarjeta.",
        "product_search": "Esto es lo que tiene la tienda.",
        "product_none": "No se ha encontrado nada. Prueba otra palabra, o te muestro todos los productos.",
        "cart_add": "Ya está en el carrito.",
        "order_place": "Pedido hecho. Págalo con el botón de la tarjeta.",
        "order_pay": "Pagado. Puedes seguir el pedido con el botón.",
        "create_entities": "Lo he apuntado.",
        "quiz": "Empieza el quiz de Pokémon",
        "shop": "Muestra la tienda",
        "theme": "Pon el tema morado oscuro",
        "window": "Haz la ventana pequeña",
        "files": "Lista los archivos",
        "memory": "¿Qué recuerdas?",
    },
}


TITLES: dict[str, dict[str, str]] = {
    "filesystem": {"en": "Files", "es": "Archivos"},
    "memory": {"en": "Memory", "es": "Memoria"},
    "fetch": {"en": "Web pages", "es": "Páginas web"},
    "excel": {"en": "Excel", "es": "Excel"},
    "word": {"en": "Word", "es": "Word"},
    "shop": {"en": "Shop", "es": "Tienda"},
    "pokemon_quiz": {"en": "Pokémon quiz", "es": "Quiz de Pokémon"},
    "leochat": {"en": "LeoChat", "es": "LeoChat"},
}
"""What the servers of the rules are called in the settings."""


def without_server(language: str, tool: str, server: str) -> str:
    """Why a wish is not fulfilled: the tool's server is not there."""
    return say(language, "no_tool", tool=tool, server=f"“{TITLES.get(server, {}).get(language, server)}”")


def language_of(texts: list[str]) -> str:
    """`es` or `en`, from the newest text that tells."""
    for text in reversed(texts):
        spanish, english = len(SPANISH.findall(text)), len(ENGLISH.findall(text))
        if spanish != english:
            return "es" if spanish > english else "en"
    return "en"


def say(language: str, key: str, **values: object) -> str:
    return WORDS[language][key].format(**values)
