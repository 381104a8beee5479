"""The wishes the demo model understands: a pattern, the tool that fulfils it, and its arguments."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from app.providers.demo_calls import Wish

Arguments: TypeAlias = Callable[[re.Match[str], str], dict[str, Any]]
DOCUMENT = r"[\"'“]?(?P<path>[^\s\"'“”]{1,400}\.{ext})[\"'”]?"
LOOKED_AT = 2_000
"""Characters of a message that wishes are looked for in: the patterns cost more than the text is long."""
COLOURS = {
    "purple": "purple",
    "morado": "purple",
    "morada": "purple",
    "violeta": "purple",
    "púrpura": "purple",
    "green": "green",
    "verde": "green",
}
SHADES = {
    "dark": "dark",
    "oscuro": "dark",
    "oscura": "dark",
    "negro": "dark",
    "light": "light",
    "claro": "light",
    "clara": "light",
    "bright": "light",
}
SIZES = {
    "small": "small",
    "pequeñ": "small",
    "medium": "medium",
    "median": "medium",
    "large": "large",
    "big": "large",
    "grande": "large",
    "full": "fullscreen",
    "complet": "fullscreen",
    "maxim": "fullscreen",
}


@dataclass(frozen=True, slots=True)
class Rule:
    """`server` is named where the tool is not there; `tool` may be one of several, the first that is there."""

    pattern: re.Pattern[str]
    server: str
    tools: tuple[str, ...]
    arguments: Arguments


def rule(pattern: str, server: str, tools: str, arguments: Arguments = lambda match, language: {}) -> Rule:
    return Rule(re.compile(pattern, re.IGNORECASE), server, tuple(tools.split()), arguments)


def _quiz(match: re.Match[str], language: str) -> dict[str, Any]:
    arguments: dict[str, Any] = {"lang": language}
    if number := re.search(r"\b(\d{1,2})\b", match.string):
        arguments["rounds"] = max(1, min(20, int(number.group(1))))
    for pattern, difficulty in ((r"\b(easy|fácil)", "easy"), (r"\b(hard|difícil)", "hard")):
        if re.search(pattern, match.string, re.IGNORECASE):
            arguments["difficulty"] = difficulty
    return arguments


def _theme(match: re.Match[str], language: str) -> dict[str, Any]:
    words = re.findall(r"\w+", match.string.lower())
    colour = next((COLOURS[w] for w in words if w in COLOURS), None)
    shade = next((SHADES[w] for w in words if w in SHADES), None)
    if colour:
        return {"theme": f"{shade}-{colour}" if shade else colour}
    return {"mode": shade} if shade else {"theme": match.string.strip()[-40:]}


def _window(match: re.Match[str], language: str) -> dict[str, Any]:
    if size := re.search(r"(\d{3,5})\s*(?:x|×|by|por)\s*(\d{3,5})", match.string, re.IGNORECASE):
        return {"width": int(size.group(1)), "height": int(size.group(2))}
    text = match.string.lower()
    return {"preset": next((preset for word, preset in SIZES.items() if word in text), "medium")}


def _keyword(match: re.Match[str], language: str) -> dict[str, Any]:
    word = match.group("what").strip(" .!?¿¡\"'“”")
    word = re.sub(r"^(for|the|some|a|an|me|unos|unas|los|las|el|la|un|una|algo de)\s+", "", word, flags=re.IGNORECASE)
    word = re.sub(r"\s+(in|on|at|en)\s+(the\s+|la\s+)?(shop|store|tienda)$", "", word, flags=re.IGNORECASE)
    return {
        "keyword": "all"
        if re.fullmatch(r"(?:(?:en|in|at)\s+)?(?:la|el|the)?\s*(?:shop|store|tienda|cat[aá]log\w*)?", word, re.IGNORECASE)
        else word
    }


def _path(match: re.Match[str], language: str) -> dict[str, Any]:
    path = (match.groupdict().get("path") or "").strip(" .?!\"'“”") or "."
    return {
        "path": "."
        if path.lower() in ("here", "aquí", "my folder", "the folder", "mi carpeta", "la carpeta", "leochat")
        else path
    }


def _pattern(match: re.Match[str], language: str) -> dict[str, Any]:
    return {"path": ".", "pattern": f"*{match.group('what').strip(' .?!')}*"}


def _fact(match: re.Match[str], language: str) -> dict[str, Any]:
    """An entity a fact: one that is there already would be left as it is, and the fact lost."""
    fact = match.group("fact").strip(" .")
    return {"entities": [{"name": fact[:60], "entityType": "fact", "observations": [fact]}]}


def _url(match: re.Match[str], language: str) -> dict[str, Any]:
    return {"url": match.group("url").rstrip(".,;)")}


def _group(name: str) -> Arguments:
    return lambda match, language: {name: match.group(name).strip(" \"'“”.")}


# The first that fits counts: what names its thing exactly stands before what is wide.
RULES: tuple[Rule, ...] = (
    rule(
        r"pok[eé]mon|\b(start|play|begin|new|empieza|empezar|inicia|iniciar|juega|jugar|jugamos|comienza)\b.*\bquiz",
        "pokemon_quiz",
        "pokemon_start",
        _quiz,
    ),
    rule(
        r"\b(theme|tema|colou?rs?)\b.*\b(dark|light|purple|green|oscur[oa]|clar[oa]|morad[oa]|violeta|púrpura|verde)|\b(dark|light|oscur[oa]|clar[oa])\b.*\b(theme|tema|mode|modo)\b|\b(modo|mode)\b.*\b(oscuro|claro|dark|light)",
        "leochat",
        "update_theme",
        _theme,
    ),
    rule(
        r"\b(window|ventana)\b.*(small|pequeñ|medium|median|large|big|grande|full|complet|maxim|\d{3,5})|(small|pequeñ|medium|median|large|big|grande|full|complet|maxim)\w*\s+(window|ventana)",
        "leochat",
        "resize_window",
        _window,
    ),
    rule(
        r"\b(fetch|get|open|read|download|visit|summari[sz]e|trae|lee|abre|descarga|visita|resume)\b.*?(?P<url>https?://\S+)",
        "fetch",
        "fetch fetch_url read_url",
        _url,
    ),
    rule(
        DOCUMENT.replace("{ext}", r"(xlsx|xlsm|xls|csv)"),
        "excel",
        "read_sheet read_excel read_workbook describe_workbook workbook_info read_range",
        _path,
    ),
    rule(DOCUMENT.replace("{ext}", r"docx?"), "word", "read_document read_docx read_word document_outline", _path),
    rule(
        r"\b(read|open|show|print|what(?:'s| is) in|lee|leer|abre|muestra|qué hay en|que hay en)\b.*?"
        + DOCUMENT.replace("{ext}", r"[a-z0-9]{1,8}"),
        "filesystem",
        "read_text_file read_file",
        _path,
    ),
    rule(
        r"\b(?:search|find|look|busca|buscar|encuentra)\b.*\b(?:files?|archivos?|ficheros?)\b.*?\b(?:for|named|called|con|llamad[oa]s?)\s+(?P<what>\S.*)",
        "filesystem",
        "search_files",
        _pattern,
    ),
    rule(
        r"\b(list|show|what|see|lista|listar|muestra|ver|qué|que)\b.*\b(files?|folders?|director(?:y|ies)|archivos?|ficheros?|carpetas?|directorios?)\b(?:.*?\b(?:in|of|under|en|de|del)\b\s*(?P<path>\S.*))?",
        "filesystem",
        "list_directory",
        _path,
    ),
    rule(r"\bwhat\b.*\b(remember|know about me)|\bqué\b.*\b(recuerdas|sabes de mí)", "memory", "read_graph"),
    rule(
        r"\b(?:remember|note|recuerda|apunta|anota)\b(?:\s+(?:that|que))?[:\s]+(?P<fact>.+)", "memory", "create_entities", _fact
    ),
    rule(r"\b(cart|basket|carrito|cesta)\b", "shop", "cart_view"),
    rule(r"\b(waifu|anime)\b", "leochat", "generate_waifu"),
    rule(
        r"\b(?:search|find|look|shop|buy|busca|buscar|encuentra|compra|comprar|quiero)\b(?:\s+(?:for|comprar))?\s+(?P<what>\S.*)",
        "shop",
        "product_search",
        _keyword,
    ),
    rule(
        r"\b(shop|store|tienda|catalogue|catálogo|products|productos)\b",
        "shop",
        "product_search",
        lambda match, language: {"keyword": "all"},
    ),
    rule(
        r"\b(?:notify me|notification|notifícame|notificación|avísame)\b[:\s]*(?:that|saying|que|:)?\s*(?P<message>.+)",
        "leochat",
        "show_notification",
        _group("message"),
    ),
    rule(
        r"\b(open|show|abre|muestra)\b.*\b(settings|ajustes|configuración)\b",
        "leochat",
        "open_panel",
        lambda match, language: {"panel": "settings"},
    ),
    rule(r"\b(?:copy|copia)\b\s+(?P<text>.+)", "leochat", "copy_to_clipboard", _group("text")),
    rule(r"\btest\b.*\btool\b|\bprueba\b.*\bherramienta\b", "leochat", "test_tool_call"),
)


def wish_for(text: str, language: str) -> tuple[Rule, Wish] | None:
    """The rule a sentence meets, and what it asks of the rule's first tool."""
    head = text[:LOOKED_AT]
    for each in RULES:
        if match := each.pattern.search(head):
            return each, Wish(each.tools[0], each.arguments(match, language))
    return None
