"""Opens a connection to a server: directly or through a proxy, with TLS or without."""

import asyncio
import base64
import ssl
from urllib.parse import SplitResult, unquote, urlsplit

from app.providers.connection import Connection
from app.providers.http import is_loopback


class ProxyRefusedError(Exception):
    """The proxy did not let the connection through; its status line is the message."""


class ProxyDownError(Exception):
    """There is no connection to the proxy itself; the cause says why."""


async def open_connection(
    host: str, port: int, context: ssl.SSLContext | None, proxy: str | None, proxy_context: ssl.SSLContext | None
) -> Connection:
    """Connected, and with TLS where `context` is given; through `proxy` by CONNECT for TLS, else to the proxy itself."""
    loop = asyncio.get_running_loop()
    if proxy is None:
        # On this computer a port answers or refuses at once; a race cut short may leave a socket open.
        race = None if is_loopback(f"http://[{host}]" if ":" in host else f"http://{host}") else 0.25
        name = host if context else None
        _, made = await loop.create_connection(
            Connection, host, port, ssl=context, server_hostname=name, happy_eyeballs_delay=race
        )
        return made
    at = urlsplit(proxy)
    made = await _to_proxy(at, proxy_context)
    if context is None:
        return made
    try:
        await _tunnel(made, host, port, at)
        await made.secure(context, host)
    except BaseException:
        made.close()
        raise
    return made


async def _to_proxy(at: SplitResult, context: ssl.SSLContext | None) -> Connection:
    secure = at.scheme == "https"
    try:
        _, made = await asyncio.get_running_loop().create_connection(
            Connection,
            at.hostname or "",
            at.port or (443 if secure else 80),
            ssl=context if secure else None,
            happy_eyeballs_delay=0.25,
        )
    except OSError as error:
        raise ProxyDownError(str(error)) from error
    return made


async def _tunnel(made: Connection, host: str, port: int, proxy: SplitResult) -> None:
    name = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    lines = [f"CONNECT {name} HTTP/1.1", f"Host: {name}"]
    if who := proxy_authorization(proxy):
        lines.append(f"Proxy-Authorization: {who}")
    made.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
    head = await made.head()
    if not 200 <= head.status < 300:
        raise ProxyRefusedError(f"HTTP {head.status} {head.reason.decode('latin-1')}")


def proxy_authorization(proxy: SplitResult) -> str | None:
    if not proxy.username:
        return None
    pair = f"{unquote(proxy.username)}:{unquote(proxy.password or '')}"
    return "Basic " + base64.b64encode(pair.encode()).decode()
