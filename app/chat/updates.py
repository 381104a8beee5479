"""Whether there is a newer version: one question to one address, and only a sentence comes of it."""

import json
import re
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

from app.chat.refused import Refused
from app.chat.shell import checked_url

MOST_BYTES = 64 * 1024
SECONDS = 20.0
NOWHERE = "Nobody said where to look: write an address into “Where to look”, in Settings, About."


@dataclass(frozen=True, slots=True)
class Newest:
    """What the address says: the newest version, and where a person can read about it ("" nowhere)."""

    version: str
    url: str


async def newest(address: str) -> Newest:
    """Ask. Raises Refused in words where the address does not answer as it should; nothing is downloaded but its answer."""
    import httpx

    _check(address)
    try:
        async with (
            httpx.AsyncClient(timeout=SECONDS, follow_redirects=False) as client,
            client.stream("GET", address, headers={"Accept": "application/json", "User-Agent": "LeoChat"}) as answer,
        ):
            if answer.status_code != 200:
                raise Refused("unavailable", f"{_host(address)} answered {answer.status_code} instead of a version.")
            body = b""
            async for part in answer.aiter_bytes():
                body += part
                if len(body) > MOST_BYTES:
                    raise Refused("unavailable", f"What {_host(address)} answered is too long for a version.")
    except httpx.HTTPError as error:
        raise Refused("unavailable", f"{_host(address)} could not be asked: {error or type(error).__name__}.") from error
    return read(body, _host(address))


def read(body: bytes, host: str) -> Newest:
    """`{"version": "1.2.0", "url": "https://…"}`; Refused where it is something else."""
    try:
        told: Any = json.loads(body)
    except ValueError:
        told = None
    version = cast("dict[str, Any]", told).get("version") if isinstance(told, dict) else None
    if not isinstance(version, str) or not re.fullmatch(r"v?\d+(\.\d+){0,3}", version):
        raise Refused("unavailable", f"What {host} answered holds no version.")
    url = cast("dict[str, Any]", told).get("url")
    try:
        link = checked_url(url) if isinstance(url, str) and url else ""
    except Refused:
        link = ""
    return Newest(version.removeprefix("v"), link if link.startswith(("https://", "http://")) else "")


def is_newer(version: str, than: str) -> bool:
    """By numbers: 0.10 is newer than 0.9; 1.0 is not newer than 1.0.0."""
    one, other = _numbers(version), _numbers(than)
    longest = max(len(one), len(other))
    return one + (0,) * (longest - len(one)) > other + (0,) * (longest - len(other))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.match(r"[\d.]*", version)[0].split(".") if part)  # type: ignore[index]


def _check(address: str) -> None:
    if not address:
        raise Refused("unavailable", NOWHERE)
    parts = urlsplit(address)
    if parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "localhost", "::1"):
        raise Refused("invalid", f"{address} is not asked for a newer version: the address must begin with https.")


def _host(address: str) -> str:
    return urlsplit(address).netloc
