"""Documents as Word writes them, made from raw XML so that no library of ours has had a hand in them."""

import io
import zipfile

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_MORE = (
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
)
_TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_KIND = "application/vnd.openxmlformats-officedocument.wordprocessingml"

STYLES = f"""<w:styles {_W}>
<w:style w:type="paragraph" w:default="1" w:styleId="N"><w:name w:val="Normal"/></w:style>
<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style>
<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/></w:style>
<w:style w:type="paragraph" w:styleId="Mine"><w:name w:val="My own"/><w:basedOn w:val="H2"/></w:style></w:styles>"""
NUMBERING = f"""<w:numbering {_W}><w:abstractNum w:abstractNumId="0">
<w:lvl w:ilvl="0"><w:start w:val="3"/><w:numFmt w:val="decimal"/></w:lvl>
<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
</w:numbering>"""
FOOTNOTES = f"""<w:footnotes {_W}><w:footnote w:id="2"><w:p><w:r><w:t>The note.</w:t></w:r></w:p></w:footnote></w:footnotes>"""
HEADER = f"<w:hdr {_W}><w:p><w:r><w:t>Secret plan</w:t></w:r></w:p></w:hdr>"
FOOTER = f"<w:ftr {_W}><w:p><w:r><w:t>Page one</w:t></w:r></w:p></w:ftr>"


def p(inner: str, properties: str = "") -> str:
    """A paragraph; text without tags becomes a run."""
    return f"<w:p><w:pPr>{properties}</w:pPr>{inner if inner.startswith('<') else r(inner)}</w:p>"


def r(text: str, looks: str = "") -> str:
    """A run."""
    return f'<w:r><w:rPr>{looks}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


def table(*rows: list[str]) -> str:
    """A table; a cell is text or XML that begins with a tag."""
    cells = [
        "".join(c if c.startswith("<w:tc>") else f"<w:tc>{c if c.startswith('<') else p(c)}</w:tc>" for c in row)
        for row in rows
    ]
    return "<w:tbl>" + "".join(f"<w:tr>{row}</w:tr>" for row in cells) + "</w:tbl>"


def box(text: str) -> str:
    """A text box as Word writes it: twice, in a new form and an old one."""
    content = f"<w:txbxContent>{p(text)}</w:txbxContent>"
    return (
        "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wp:anchor><wps:wsp><wps:txbx>"
        f"{content}</wps:txbx></wps:wsp></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:shape><v:textbox>{content}"
        "</v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )


def document(body: str, *, main: str = "document") -> bytes:
    """A whole .docx with this body and, below it, two sections that share a header and a footer."""
    edges = '<w:headerReference w:type="default" r:id="rId4"/><w:footerReference w:type="default" r:id="rId5"/>'
    whole = f"<w:document {_W} {_R} {_MORE}><w:body>{body}<w:p><w:pPr><w:sectPr>{edges}</w:sectPr></w:pPr></w:p>"
    parts = {
        "word/document.xml": f"{whole}<w:sectPr>{edges}</w:sectPr></w:body></w:document>",
        "word/styles.xml": STYLES,
        "word/numbering.xml": NUMBERING,
        "word/footnotes.xml": FOOTNOTES,
        "word/header1.xml": HEADER,
        "word/footer1.xml": FOOTER,
    }
    kinds = {"word/document.xml": main, **{name: name[5:-4].rstrip("1") for name in parts if name != "word/document.xml"}}
    types = "".join(
        f'<Override PartName="/{name}" ContentType="{_KIND}.{kind}{".main" if kind == main else ""}+xml"/>'
        for name, kind in kinds.items()
    )
    default = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        packed = "http://schemas.openxmlformats.org/package/2006"
        archive.writestr("[Content_Types].xml", f'<Types xmlns="{packed}/content-types">{default}{types}</Types>')
        archive.writestr("_rels/.rels", _relations(packed, [("rId1", "officeDocument", "word/document.xml")]))
        names = ["styles", "numbering", "footnotes", "header", "footer"]
        files = ["styles.xml", "numbering.xml", "footnotes.xml", "header1.xml", "footer1.xml"]
        relations = [
            (f"rId{number}", kind, name) for number, (kind, name) in enumerate(zip(names, files, strict=True), start=1)
        ]
        relations.append(("rId9", "hyperlink", "https://example.org/x"))
        archive.writestr("word/_rels/document.xml.rels", _relations(packed, relations))
        for name, text in parts.items():
            archive.writestr(name, text)
    return held.getvalue()


def _relations(packed: str, relations: list[tuple[str, str, str]]) -> str:
    modes = {"hyperlink": ' TargetMode="External"'}
    lines = "".join(
        f'<Relationship Id="{key}" Type="{_TYPES}/{kind}" Target="{target}"{modes.get(kind, "")}/>'
        for key, kind, target in relations
    )
    return f'<Relationships xmlns="{packed}/relationships">{lines}</Relationships>'
