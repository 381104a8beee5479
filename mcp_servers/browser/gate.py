"""The browser's only way out: a SOCKS 5 proxy of our own that checks every host and connects to what was checked.

Redirects, parts of pages, scripts, workers and web sockets all come through here, so none can reach an
address that a person did not open; and since the checked address is the one connected to, a name cannot
change its mind in between.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
import struct
import urllib.request
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from mcp_servers.addresses import AddressError, Guard, PrivateAddressError, Target, public

CONNECT_SECONDS = 10.0
PART = 65_536
GRANTED, FAILED, FORBIDDEN, NO_HOST, NO_COMMAND, NO_KIND = 0, 1, 2, 4, 7, 8
"""Replies of RFC 1928, section 6."""


@dataclass(frozen=True)
class Refusal:
    """A connection that was not made; `private`: because of where it leads, which a person could open."""

    number: int
    host: str
    private: bool
    words: str


class OfflineGuard(Guard):
    """A guard that lets nothing through but what a person opened."""

    async def check(self, url: str, *, proxied: bool = False) -> Target:
        target = await super().check(url, proxied=proxied)
        if all(public(address) for address in target.addresses):
            raise AddressError("LeoChat is offline: pages of the web cannot be opened.")
        return target


def guard(opened: Iterable[str], *, offline: bool = False) -> Guard:
    """The guard over the hosts that a person opened."""
    return (OfflineGuard if offline else Guard)(tuple(opened))


class Gate:
    """Listens on a port of this computer. `guard` is asked for at every connection, so that hosts can be opened meanwhile."""

    def __init__(self, guard: Callable[[], Guard]) -> None:
        self._guard = guard
        self._server: asyncio.Server | None = None
        self._count = 0
        self._refused: deque[Refusal] = deque(maxlen=200)

    async def open(self) -> int:
        """Begin to listen; the port."""
        if self._server is None:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        return self._server.sockets[0].getsockname()[1]

    @property
    def mark(self) -> int:
        """A moment, for `refused_since`."""
        return self._count

    def refused_since(self, mark: int) -> list[Refusal]:
        """What was refused after a moment, each host once."""
        return list({refusal.host: refusal for refusal in self._refused if refusal.number > mark}.values())

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if asked := await _asked(reader, writer):
                await self._through(*asked, reader, writer)
        except (OSError, EOFError):
            pass  # either side hung up: nobody is left to be told
        finally:
            writer.close()

    async def _through(self, host: str, port: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        name = f"[{host}]" if ":" in host else host
        where = f"{name}:{port}"
        try:
            there, thither = await self._connected(where, port)
        except PrivateAddressError as error:
            self._note(error.where, True, str(error))
            _reply(writer, FORBIDDEN)
        except AddressError as error:
            self._note(where, False, str(error))
            _reply(writer, NO_HOST)
        except (OSError, EOFError) as error:
            self._note(where, False, f"{where} cannot be reached: {_reason(error)}.")
            _reply(writer, FAILED)
        else:
            _reply(writer, GRANTED)
            await asyncio.gather(_pump(reader, thither), _pump(there, writer))

    def _note(self, where: str, private: bool, words: str) -> None:
        self._count += 1
        self._refused.append(Refusal(self._count, where, private, words))

    async def _connected(self, where: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        url = _url(where, port)
        proxy = _proxy(url)
        target = await self._guard().check(url, proxied=proxy is not None)
        if proxy and all(public(address) for address in target.addresses):
            return await _through_proxy(proxy, where)
        fault: Exception = ConnectionError("it has no address")
        for address in target.addresses:
            try:
                return await asyncio.wait_for(asyncio.open_connection(address, target.port), CONNECT_SECONDS)
            except (OSError, TimeoutError) as error:
                fault = error
        raise fault


async def private_host(url: str, opened: Iterable[str]) -> str | None:
    """The "host:port" of a URL that leads where only a person can open the way and did not; None for every other.

    Raises AddressError where the URL leads nowhere at all.
    """
    try:
        await guard(opened).check(url, proxied=_proxy(url) is not None)
    except PrivateAddressError as error:
        return error.where
    return None


def _url(where: str, port: int) -> str:
    return f"{'https' if port == 443 else 'http'}://{where}/"


async def _asked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> tuple[str, int] | None:
    """The host and port that the browser wants, by RFC 1928; None where it wants something else."""
    version, methods = await reader.readexactly(2)
    await reader.readexactly(methods)
    if version != 5:
        return None
    writer.write(b"\x05\x00")
    _, command, _, kind = await reader.readexactly(4)
    if kind == 1:
        host = socket.inet_ntop(socket.AF_INET, await reader.readexactly(4))
    elif kind == 4:
        host = str(ipaddress.IPv6Address(await reader.readexactly(16)))
    elif kind == 3:
        length = (await reader.readexactly(1))[0]
        host = (await reader.readexactly(length)).decode("ascii", "replace")
    else:
        _reply(writer, NO_KIND)
        return None
    (port,) = struct.unpack("!H", await reader.readexactly(2))
    if command != 1:
        _reply(writer, NO_COMMAND)
        return None
    return host, port


def _reply(writer: asyncio.StreamWriter, code: int) -> None:
    writer.write(bytes((5, code, 0, 1)) + bytes(6))


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    try:
        while part := await source.read(PART):
            sink.write(part)
            await sink.drain()
    except OSError:
        pass  # one end is gone, so the other is closed below
    finally:
        with contextlib.suppress(OSError):
            sink.close()


def _proxy(url: str) -> str | None:
    """The proxy that the person's environment or system names for this URL."""
    parts = urlsplit(url)
    if urllib.request.proxy_bypass(parts.netloc):
        return None
    proxies = urllib.request.getproxies()
    found = proxies.get(parts.scheme) or proxies.get("all")
    return found if found and found.startswith("http") else None


async def _through_proxy(proxy: str, where: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A tunnel by CONNECT (RFC 9110, section 9.3.6) through the person's own proxy."""
    parts = urlsplit(proxy)
    secure = parts.scheme == "https"
    opening = asyncio.open_connection(parts.hostname, parts.port or (443 if secure else 80), ssl=secure or None)
    reader, writer = await asyncio.wait_for(opening, CONNECT_SECONDS)
    head = f"CONNECT {where} HTTP/1.1\r\nHost: {where}\r\n"
    if parts.username:
        secret = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
        head += f"Proxy-Authorization: Basic {b64encode(secret).decode()}\r\n"
    writer.write(f"{head}\r\n".encode())
    try:
        answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), CONNECT_SECONDS)
    except asyncio.LimitOverrunError as error:
        raise ConnectionError("the proxy's answer is no HTTP") from error
    status = answer.split(b" ", 2)[1:2]
    if status != [b"200"]:
        writer.close()
        raise ConnectionError(f"the proxy {parts.hostname} answered {b''.join(status).decode('ascii', 'replace')}")
    return reader, writer


def _reason(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return f"no answer within {CONNECT_SECONDS:g} s"
    return (error.strerror if isinstance(error, OSError) and error.strerror else str(error)) or type(error).__name__
