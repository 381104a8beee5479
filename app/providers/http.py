"""HTTP for model endpoints: httpx's API on a transport of our own, with limits for connecting, the first byte and silence."""

import asyncio
import importlib
import ipaddress
import socket
import ssl
import sys
import urllib.request
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from app.core.provider import ProviderError
from app.core.saying import Hole
from app.providers.sentences import failure

if TYPE_CHECKING:
    from types import ModuleType

    import httpx

    from app.providers.transport import Body

USER_AGENT = "LeoChat"
TLS_ALERT = "\x15\x03"
"""How a TLS server's refusal of a request in plain words begins (RFC 8446, 6)."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds. There is no limit on a whole stream as long as something comes."""

    connect: float = 10.0
    first: float = 60.0
    silence: float = 120.0


AFTER_THE_END = 2.0
"""Seconds for what may still come after a reply's own mark of its end (usage, the end of the body)."""
REFUSAL = 10.0
"""Seconds for the words of a refusal, whose status is known."""
LOCAL_LIMITS = Limits(first=300.0)  # it may be loading weights


def is_loopback(url: str) -> bool:
    host = url.partition("://")[2].partition("/")[0].rpartition("@")[2]
    host = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def load_httpx() -> Any:
    """httpx, imported late and without its command line, which costs a tenth of a second and is never used here."""
    if "httpx" not in sys.modules:
        sys.modules["httpx._main"] = cast("ModuleType", None)  # httpx takes an ImportError here as "not installed"
        try:
            importlib.import_module("httpx")
        finally:
            del sys.modules["httpx._main"]
    return sys.modules["httpx"]


def load_transport() -> None:
    """Import what a first request needs; may be called in a thread."""
    load_httpx()
    importlib.import_module("app.providers.transport")


def proxy_for(url: str) -> str | None:
    """The proxy that the environment (or on Windows and macOS the system) wants for this address."""
    scheme, _, rest = url.partition("://")
    host = rest.partition("/")[0].rpartition("@")[2]
    if is_loopback(url) or urllib.request.proxy_bypass(host):
        return None
    proxies = urllib.request.getproxies()
    proxy = proxies.get(scheme) or proxies.get("all")
    if proxy and "://" not in proxy:
        proxy = f"http://{proxy}"
    if proxy and not proxy.startswith(("http://", "https://")):
        raise failure("network", "proxyKind", holes={"kind": proxy.partition("://")[0]})
    if proxy:
        _check_proxy(proxy)
    return proxy


def _check_proxy(proxy: str) -> None:
    try:
        at = urlsplit(proxy)
        fits = bool((at.hostname or "").encode("idna")) and at.port != 0
    except ValueError:
        fits = False
    if not fits:
        raise failure("network", "noProxy", holes={"url": proxy.rpartition("@")[2]})


@dataclass(frozen=True, slots=True)
class Answer:
    """`read` gives the next bytes of the body, b"" after the last. `hurry`: no more is expected, but may come at once."""

    status: int
    headers: Mapping[str, str]
    read: Callable[[], Awaitable[bytes]]
    hurry: Callable[[], None]

    async def whole(self, limit: int = 262_144) -> bytes:
        """The body, at most about `limit` bytes of it."""
        parts: list[bytes] = []
        size = 0
        while size <= limit and (chunk := await self.read()):
            parts.append(chunk)
            size += len(chunk)
        return b"".join(parts)

    async def what_comes(self, limit: int = 262_144) -> bytes:
        """As `whole`, of a body that may break off or never end: then what came of it until then."""
        parts: list[bytes] = []
        try:
            async with asyncio.timeout(REFUSAL):
                while sum(map(len, parts)) <= limit and (chunk := await self.read()):
                    parts.append(chunk)
        except (TimeoutError, load_httpx().TransportError):
            pass
        return b"".join(parts)


class Http:
    """One endpoint's connections, opened with the first request. `title` names it in errors."""

    def __init__(self, base_url: str, title: str, limits: Limits | None = None) -> None:
        self._base_url = base_url
        self.local = is_loopback(base_url)
        self.limits = limits or (LOCAL_LIMITS if self.local else Limits())
        self._told = Told(title, base_url, self.local, self.limits)
        self._client: httpx.AsyncClient | None = None

    def _open(self) -> "httpx.AsyncClient":
        if self._client is not None:
            return self._client
        library = load_httpx()
        from app.providers.transport import Transport

        transport = Transport(proxy_for(self._base_url))
        client: httpx.AsyncClient = library.AsyncClient(transport=transport, trust_env=False, follow_redirects=False)
        self._client = client
        return client

    @asynccontextmanager
    async def request(
        self, method: str, url: str, headers: Mapping[str, str], content: bytes | None = None
    ) -> AsyncGenerator[Answer, None]:
        """An answer whose body has not been read yet. Raises ProviderError where there is none."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        with self._told:
            response = await self._send(method, url, headers, content)
            body: Body = response.extensions["body"]
            body.limit(max(0.001, self.limits.first - (loop.time() - began)), self.limits.silence)
            try:
                yield Answer(
                    response.status_code, response.headers, body.read, lambda: body.limit(AFTER_THE_END, AFTER_THE_END)
                )
            finally:
                await response.aclose()

    async def _send(self, method: str, url: str, headers: Mapping[str, str], content: bytes | None) -> "httpx.Response":
        client = self._open()
        whole = {"user-agent": USER_AGENT, "accept-encoding": "identity", **headers}
        timeout = load_httpx().Timeout(None, connect=self.limits.connect)
        try:
            request = client.build_request(method, url, content=content, headers=whole, timeout=timeout)
            async with asyncio.timeout(self.limits.first + self.limits.connect):
                return await client.send(request, stream=True)
        except UnicodeError as error:  # a name that no name server can be asked for
            raise failure("bad_request", "noUrl", str(error), holes={"url": self._base_url}) from error

    async def aclose(self) -> None:
        if self._client is not None:
            client, self._client = self._client, None
            await client.aclose()


class Told:
    """A context that turns network trouble into a ProviderError in words."""

    def __init__(self, title: str, base_url: str, local: bool, limits: Limits) -> None:
        self._title, self._base_url, self._local, self._limits = title, base_url, local, limits

    def __enter__(self) -> None: ...

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, TimeoutError):
            raise failure("timeout", "silent", holes={"who": self._title}, retryable=True) from error
        if error is not None and type(error).__module__.partition(".")[0] == "httpx":
            raise self._network(error) from error

    def _network(self, error: BaseException) -> ProviderError:
        httpx = load_httpx()
        cause = error.__cause__ or error.__context__
        detail = f"{type(cause or error).__name__}: {cause or error}"
        who: dict[str, Hole | None] = {"who": self._title}
        url: dict[str, Hole | None] = {"url": self._base_url}
        if isinstance(error, httpx.ConnectTimeout):
            holes = {**who, "seconds": round(self._limits.connect)}
            return failure("timeout", "late", detail, holes=holes, retryable=True)
        if isinstance(error, httpx.ProxyError):
            return self._proxied(cause, detail)
        if isinstance(error, httpx.ConnectError):
            return self._unreachable(cause, detail, who | url)
        if isinstance(error, httpx.UnsupportedProtocol | httpx.InvalidURL):
            return failure("bad_request", "noUrl", detail, holes=url)
        if isinstance(error, httpx.RemoteProtocolError) and "no HTTP answer" in str(error):
            return failure("protocol", "wantsTls" if TLS_ALERT in str(error) else "noHttp", detail, holes=url)
        if isinstance(error, httpx.DecodingError):
            return failure("protocol", "packed", detail, holes={**who, "word": str(error)})
        return failure("network", "brokeOff", detail, holes=who, retryable=True)

    def _proxied(self, cause: BaseException | None, detail: str) -> ProviderError:
        if isinstance(cause, OSError) and not isinstance(cause, ssl.SSLError):
            down = proxy_for(self._base_url) or ""
            return failure("network", "proxyDown", detail, holes={"url": down.rpartition("@")[2]}, retryable=True)
        return failure("network", "proxy", detail, holes={})

    def _unreachable(self, cause: BaseException | None, detail: str, holes: dict[str, Hole | None]) -> ProviderError:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return failure("network", "certificate", detail, holes=holes)
        if isinstance(cause, ssl.SSLError):
            return failure("network", "noTls", detail, holes=holes)
        if isinstance(cause, ConnectionResetError) and self._base_url.startswith("https:"):
            return failure("network", "noTls", detail, holes=holes)
        if self._local:
            return failure("network", "nothingThere", detail, holes=holes)
        key = "unknownHost" if isinstance(cause, socket.gaierror) else "unreachable"
        return failure("network", key, detail, holes=holes, retryable=True)
