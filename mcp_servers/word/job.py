"""What runs in the child process: one read or one change of one document, from its bytes to its answer."""

import base64
from typing import Any

from mcp_servers.word.package import fresh, loaded, stored

PREVIEW = 1200
"""How many characters of the new text the card shows."""


def read(request: dict[str, Any]) -> dict[str, Any]:
    """`{name, data: base64, marked}` to `{text}`, the whole document as Markdown."""
    from mcp_servers.word.reading import markdown

    return {"text": markdown(loaded(base64.b64decode(request["data"]), request["name"]), marked=request["marked"])}


def outline(request: dict[str, Any]) -> dict[str, Any]:
    """`{name, data}` to headings, counts and styles in use."""
    from mcp_servers.word.outline import outline_of

    return outline_of(loaded(base64.b64decode(request["data"]), request["name"]))


def change(request: dict[str, Any]) -> dict[str, Any]:
    """`{operation, name, data, arguments}` to `{words, data, shown}`. Without `data` the document is new."""
    from mcp_servers.word.edits import EDITS

    document = loaded(base64.b64decode(request["data"]), request["name"]) if request["data"] else fresh()
    done = EDITS[request["operation"]](document, **request["arguments"])
    shown = done.shown if len(done.shown) <= PREVIEW else f"{done.shown[:PREVIEW]}…"
    made = base64.b64encode(stored(document)).decode("ascii")
    return {"words": "\n".join([done.words, *done.notes]), "data": made, "shown": shown}


def for_printing(request: dict[str, Any]) -> dict[str, Any]:
    """`{name, data}` to `{data, left_out}`: a real document, without what another program would fetch for it."""
    from mcp_servers.word.outside import without_outside

    given = base64.b64decode(request["data"])
    loaded(given, request["name"])
    made, count = without_outside(given, request["name"])
    return {"data": base64.b64encode(made).decode("ascii"), "left_out": count}
