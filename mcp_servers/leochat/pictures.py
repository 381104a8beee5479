"""`generate_waifu`: a media card of random pictures from the waifu.pics service."""

import json
import secrets
from collections.abc import Callable
from typing import Annotated, Any, Literal, cast
from urllib.parse import urlsplit

from mcp.server import MCPServer
from mcp_types import CallToolResult

from mcp_servers.answers import READ_WEB, error_answer, text_answer
from mcp_servers.arguments import argument

SERVICE = "https://api.waifu.pics"
TIMEOUT = 15.0
"""Seconds for the whole request."""

Category = Literal[
    "waifu", "neko", "shinobu", "megumin", "cuddle", "hug", "pat", "smug", "blush", "smile", "wave",
    "highfive", "happy", "wink", "poke", "dance",
]  # fmt: skip

WORDS = {
    "en": {"title": "Random pictures", "picture": "Picture {n}, {category}", "again": "Again"},
    "es": {"title": "Imágenes al azar", "picture": "Imagen {n}, {category}", "again": "Otra vez"},
}


class PicturesError(Exception):
    """The service could not be asked; the text says why and what to do."""


def register(server: MCPServer, *, language: Callable[[], str], offline: bool, address: str) -> None:
    """Add the tool; `address` is the service's base URL without a slash at the end."""

    @server.tool(title="Random anime pictures", annotations=READ_WEB)
    async def generate_waifu(
        category: Annotated[Category, argument("What the pictures show.")] = "waifu",
        count: Annotated[int, argument("How many pictures.", ge=1, le=5)] = 1,
    ) -> CallToolResult:
        """Show a card with random anime pictures. Example: {"category": "neko", "count": 3}."""
        if offline:
            return error_answer("The pictures come from waifu.pics on the internet, and LeoChat is offline.")
        try:
            urls = await _ask(address, category, count)
        except PicturesError as error:
            return error_answer(str(error))
        words = WORDS.get(language(), WORDS["en"])
        return text_answer(json.dumps(_envelope(urls, category, count, words), ensure_ascii=False))


async def _ask(address: str, category: str, count: int) -> list[str]:
    import httpx

    try:
        async with httpx.AsyncClient(timeout=TIMEOUT) as client:
            answer = await client.post(f"{address}/many/sfw/{category}", json={"exclude": []})
            answer.raise_for_status()
            body: object = answer.json()
    except httpx.HTTPStatusError as error:
        raise PicturesError(f"waifu.pics answered with HTTP {error.response.status_code}. Try again later.") from error
    except httpx.TimeoutException as error:
        raise PicturesError(f"waifu.pics did not answer within {TIMEOUT:g} s. Try again later.") from error
    except httpx.HTTPError as error:
        raise PicturesError("waifu.pics cannot be reached. Is this computer connected to the internet?") from error
    except ValueError as error:
        raise PicturesError("waifu.pics answered with something that is not JSON. Try again later.") from error
    return _pictures(body, count)


def _pictures(body: object, count: int) -> list[str]:
    files: object = cast("dict[str, object]", body).get("files") if isinstance(body, dict) else None
    found = [url for url in cast("list[object]", files) if _is_picture(url)] if isinstance(files, list) else []
    if not found:
        raise PicturesError("waifu.pics sent no pictures. Try another category.")
    return cast("list[str]", found[:count])


def _is_picture(url: object) -> bool:
    return isinstance(url, str) and urlsplit(url).scheme == "https" and bool(urlsplit(url).hostname)


def _envelope(urls: list[str], category: str, count: int, words: dict[str, str]) -> dict[str, Any]:
    images = [
        {"url": url, "alt": words["picture"].format(n=number, category=category)} for number, url in enumerate(urls, start=1)
    ]
    body = {"type": "image", "image": images[0]} if len(images) == 1 else {"type": "images", "images": images}
    again = f'[generate_waifu category="{category}" count={count}]'
    card = {
        "id": f"waifu_{secrets.token_hex(4)}",
        "kind": "media",
        "title": words["title"],
        "subtitle": f"{category} · waifu.pics",
        "body": [body],
        "actions": [
            {
                "id": "again",
                "label": words["again"],
                "action": {
                    "type": "ui-command",
                    "command": "send_message",
                    "payload": {"text": again},
                },
            }
        ],
    }
    note = "The pictures are on the screen; one short sentence is enough."
    return {"type": "leochat-card", "card": card, "llmInstruction": note}
