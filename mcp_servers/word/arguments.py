"""The arguments that several tools share."""

from typing import Annotated, Literal

from pydantic import BaseModel

from mcp_servers.arguments import argument

Path = Annotated[
    str,
    argument("The document. Outside the allowed folders the user is asked.", examples=["report.docx", "~/Desktop/offer.docx"]),
]
Under = Annotated[
    str | None,
    argument("The heading whose section it goes to, in its own words; left out: the whole document.", examples=["Results"]),
]
Place = Annotated[Literal["top", "end"], argument("At the top (right after the heading) or at the end of it.")]
Style = Annotated[str | None, argument("A style of the document, by its name.", examples=["Intense Quote"])]
Align = Annotated[Literal["left", "center", "right", "justify"] | None, argument("How its lines are set.")]
Occurrence = Annotated[int, argument("Which one, if the text is there several times.", ge=1)]
Markdown = Annotated[
    str,
    argument(
        "Headings (#), paragraphs, **bold**, *italic*, lists, tables, links, code, quotes, ![alt](picture.png), footnotes "
        "([^1] in the text, [^1]: its note on a line of its own). A line \\pagebreak begins a new page.",
        min_length=1,
        examples=["# Report\n\nSales **rose**.\n\n| Year | Sum |\n| --- | --- |\n| 2026 | 5 |"],
    ),
]

Bold = Annotated[bool | None, argument("Bold or not; left out: as it is.")]
Italic = Annotated[bool | None, argument("Italic or not; left out: as it is.")]
Underline = Annotated[bool | None, argument("Underlined or not; left out: as it is.")]
Font = Annotated[str | None, argument("The font's name.", examples=["Georgia"])]
Size = Annotated[float | None, argument("The size in points.", ge=1, le=400, examples=[11])]
Color = Annotated[str | None, argument("The colour as RRGGBB.", examples=["C00000"])]


class RunShape(BaseModel):
    """A piece of a paragraph with its own looks."""

    text: Annotated[str, argument("Its words.")]
    bold: Bold = None
    italic: Italic = None
    underline: Underline = None
    strike: Annotated[bool | None, argument("Struck through.")] = None
    highlight: Annotated[bool | None, argument("Marked in yellow.")] = None
    font: Font = None
    size: Size = None
    color: Color = None
    link: Annotated[str | None, argument("The address it leads to.", examples=["https://example.org"])] = None
