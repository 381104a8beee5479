"""Tools that answer with each kind of content: pictures, sound, links, resources, audiences."""

import base64
import io
import math
import struct
import wave
import zlib
from typing import Annotated, Literal

from mcp.server import MCPServer
from mcp_types import (
    Annotations,
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextContent,
    TextResourceContents,
)

from mcp_servers.answers import READ, text_answer
from mcp_servers.arguments import argument

SIDE = 64
"""The picture's width and height in pixels."""

RATE = 8000
"""The sound's samples a second."""


def picture() -> bytes:
    """A small PNG: a gradient (PNG specification, third edition)."""
    rows = b"".join(b"\0" + b"".join(bytes((x * 255 // SIDE, y * 255 // SIDE, 160)) for x in range(SIDE)) for y in range(SIDE))
    header = struct.pack(">IIBBBBB", SIDE, SIDE, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def sound(seconds: float = 0.3) -> bytes:
    """A short tone as WAV: 440 Hz, one channel, 16 bit."""
    samples = (int(9000 * math.sin(2 * math.pi * 440 * n / RATE)) for n in range(int(RATE * seconds)))
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
    return buffer.getvalue()


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def register(server: MCPServer) -> None:
    """Add the tools."""
    _register_media(server)
    _register_resources(server)
    _register_audiences(server)


def _register_media(server: MCPServer) -> None:
    @server.tool(title="A picture", annotations=READ)
    async def get_image() -> CallToolResult:
        """Answer with a small picture between two texts."""
        return CallToolResult(
            content=[
                TextContent(type="text", text="This is the picture:"),
                ImageContent(type="image", data=_base64(picture()), mime_type="image/png"),
                TextContent(type="text", text="It is a gradient."),
            ]
        )

    @server.tool(title="A sound", annotations=READ)
    async def get_audio() -> CallToolResult:
        """Answer with a short tone."""
        tone = AudioContent(type="audio", data=_base64(sound()), mime_type="audio/wav")
        return CallToolResult(content=[tone])


def _register_resources(server: MCPServer) -> None:
    @server.tool(title="Links to resources", annotations=READ)
    async def get_resource_links(
        count: Annotated[int, argument("How many links.", ge=1, le=10)] = 3,
    ) -> CallToolResult:
        """Answer with links to resources of this server."""
        links = [
            ResourceLink(
                type="resource_link",
                uri=f"demo://notes/{number}",
                name=f"Note {number}",
                mime_type="text/plain",
            )
            for number in range(1, count + 1)
        ]
        return CallToolResult(content=[TextContent(type="text", text=f"{count} notes:"), *links])

    @server.tool(title="An embedded resource", annotations=READ)
    async def get_resource(
        kind: Annotated[Literal["text", "blob"], argument("Whether its content is text or bytes.")] = "text",
    ) -> CallToolResult:
        """Answer with a resource and its content."""
        note = TextResourceContents(uri="demo://notes/1", mime_type="text/plain", text="This is note 1.")
        blob = BlobResourceContents(uri="demo://picture", mime_type="image/png", blob=_base64(picture()))
        return CallToolResult(content=[EmbeddedResource(type="resource", resource=note if kind == "text" else blob)])


def _register_audiences(server: MCPServer) -> None:
    @server.tool(title="Annotated message", annotations=READ)
    async def annotated_message(
        audience: Annotated[Literal["user", "assistant", "both"], argument("For whom the message is.")] = "both",
        priority: Annotated[float, argument("From 0, least important, to 1.", ge=0, le=1)] = 0.5,
    ) -> CallToolResult:
        """Answer with messages that say for whom they are."""
        chosen: list[Literal["user", "assistant"]] = ["user", "assistant"] if audience == "both" else [audience]
        marks = Annotations(audience=chosen, priority=priority)
        text = f"This message is for: {', '.join(chosen)}."
        return CallToolResult(content=[TextContent(type="text", text=text, annotations=marks)])

    @server.tool(title="A card", annotations=READ)
    async def get_card() -> CallToolResult:
        """Answer with a LeoChat card; other clients see its JSON."""
        return text_answer(
            '{"type": "leochat-card", "card": {"id": "everything", "kind": "summary", "title": '
            '"A card", "body": [{"type": "text", "text": "From the everything server."}]}}'
        )
