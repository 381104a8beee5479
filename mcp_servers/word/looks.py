"""How text looks: character formats, styles by name, links, fields."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from mcp_servers.word.package import Doc, R, W
from mcp_servers.worker import WorkError

ALIGNMENTS = {"left": "LEFT", "center": "CENTER", "right": "RIGHT", "justify": "JUSTIFY"}


@dataclass(frozen=True)
class Format:
    """Looks of characters; None leaves one as it is. `size` in points, colours as RRGGBB."""

    bold: bool | None = None
    italic: bool | None = None
    underline: bool | None = None
    strike: bool | None = None
    font: str | None = None
    size: float | None = None
    color: str | None = None
    highlight: bool | None = None

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Format:
        """From JSON; other keys are passed over."""
        return cls(**{one.name: told.get(one.name) for one in fields(cls)})


def dress(run: Any, looks: Format) -> None:
    """Give a run these looks."""
    from docx.enum.text import WD_COLOR_INDEX

    for name in ("bold", "italic", "underline"):
        if (wanted := getattr(looks, name)) is not None:
            setattr(run, name, wanted)
    if looks.strike is not None:
        run.font.strike = looks.strike
    if looks.highlight is not None:
        run.font.highlight_color = WD_COLOR_INDEX.YELLOW if looks.highlight else None
    dress_font(run.font, looks)


def dress_font(font: Any, looks: Format) -> None:
    """Give a run's or a style's font its face, size and colour."""
    from docx.shared import Pt

    if looks.font:
        font.name = looks.font
        names = font._element.get_or_add_rPr().get_or_add_rFonts()  # noqa: SLF001
        for kind in ("cs", "eastAsia"):
            names.set(f"{W}{kind}", looks.font)
    if looks.size:
        font.size = Pt(looks.size)
    if looks.color:
        font.color.rgb = colour(looks.color)


STYLES_TOLD = 25
LOCAL_NAMES = {
    "título": "Title", "titulo": "Title", "titre": "Title", "titel": "Title", "subtítulo": "Subtitle", "cita": "Quote",
    "cita destacada": "Intense Quote", "párrafo de lista": "List Paragraph", "encabezado": "Header",
    "pie de página": "Footer", "lista con viñetas": "List Bullet", "lista con números": "List Number",
    "sin espaciado": "No Spacing", "texto independiente": "Body Text", "descripción": "Caption",
    "tabla con cuadrícula": "Table Grid", "standard": "Normal",
}  # fmt: skip
"""Word's own names of its styles in Spanish, and some in other languages."""


def colour(text: str) -> Any:
    """A colour from RRGGBB or #RRGGBB. Raises WorkError."""
    from docx.shared import RGBColor

    digits = text.lstrip("#")
    if not re.fullmatch(r"[0-9a-fA-F]{6}", digits):
        raise WorkError(f"{text!r} is no colour. Write it as RRGGBB, such as C00000 for a dark red.")
    return RGBColor.from_string(digits.upper())


def styled(paragraph: Any, name: str) -> None:
    """Give a paragraph a style of ours by name; a template that lacks a usual one leaves it plain."""
    if any(one.name == name for one in paragraph.part.styles):
        paragraph.style = name


def style_of(document: Doc, name: str) -> Any:
    """The style that a person named, whatever its capitals. Raises WorkError with those there are."""
    for one in document.styles:
        if (one.name or "").casefold() == name.strip().casefold():
            return one
    if (english := _english(name)) and english.casefold() != name.strip().casefold():
        return style_of(document, english)
    names = [str(one.name) for one in document.styles if one.type is not None and not one.hidden]
    names = [one for one in names if not one.endswith(" Char")]
    near = difflib.get_close_matches(name, names, STYLES_TOLD, 0.4)
    told = [*near, *(one for one in names if one not in near)]
    more = f" and {len(told) - STYLES_TOLD} more" if len(told) > STYLES_TOLD else ""
    raise WorkError(f"The document has no style {name!r}. It has: {', '.join(told[:STYLES_TOLD])}{more}.")


def _english(name: str) -> str | None:
    """What a file calls a style that Word shows under another name in other languages; None for a name of no such kind."""
    plain = " ".join(name.casefold().split())
    if heading := re.fullmatch(r"(?:título|titulo|titre|überschrift|titolo) ([1-9])", plain):
        return f"Heading {heading[1]}"
    return LOCAL_NAMES.get(plain)


def align(paragraph: Any, where: str) -> None:
    """left, center, right or justify."""
    from docx.enum.text import WD_ALIGN_PARAGRAPH

    paragraph.alignment = getattr(WD_ALIGN_PARAGRAPH, ALIGNMENTS[where])


def link(paragraph: Any, words: str, address: str) -> Any:
    """A link at the end of a paragraph; its run. Only web and mail addresses lead anywhere."""
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.text.run import Run

    run = paragraph.add_run(words)
    if not re.match(r"(https?://|mailto:)", address, re.IGNORECASE):
        return run
    element: Any = run._r  # noqa: SLF001
    holder = element.makeelement(f"{W}hyperlink")
    holder.set(f"{R}id", paragraph.part.relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))
    element.addprevious(holder)
    holder.append(element)
    dress(run, Format(color="0563C1", underline=True))
    return Run(element, paragraph)


def field(paragraph: Any, instruction: str, shown: str, *, dirty: bool = False) -> None:
    """A field such as PAGE, with the text that is shown until Word works it out."""
    for kind in ("begin", "instr", "separate", "shown", "end"):
        run: Any = paragraph.add_run(shown if kind == "shown" else "")._r  # noqa: SLF001
        if kind == "instr":
            made = run.makeelement(f"{W}instrText")
            made.text = f" {instruction} "
            made.set("{http://www.w3.org/XML/1998/namespace}space", "preserve")
            run.append(made)
        elif kind != "shown":
            made = run.makeelement(f"{W}fldChar")
            made.set(f"{W}fldCharType", kind)
            if kind == "begin" and dirty:
                made.set(f"{W}dirty", "true")
            run.append(made)
