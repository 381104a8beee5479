"""HTTP for model endpoints: httpx's API on aiohttp's transport, with limits for connecting, the first byte and silence."""

import asyncio
import ipaddress
import sys
import urllib.request
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.core.provider import ProviderError

if TYPE_CHECKING:
    import httpx

USER_AGENT = "LeoChat"


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds. There is no limit on a whole stream as long as something comes."""

    connect: float = 10.0
    first: float = 60.0
    silence: float = 120.0


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
        sys.modules["httpx._main"] = None  # type: ignore[assignment]  # httpx takes an ImportError here as "not installed"
        try:
            import httpx  # noqa: F401
        finally:
            del sys.modules["httpx._main"]
    return sys.modules["httpx"]


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
        raise ProviderError("network", f"The proxy {proxy.partition('://')[0]}:// is not supported; set HTTPS_PROXY to an HTTP proxy.")
    return proxy


class Patience:
    """Ends a read that waits too long, with one timer for a whole stream instead of one for each read."""

    def __init__(self, first: float, silence: float) -> None:
        self._loop = asyncio.get_running_loop()
        self._limit = first
        self._silence = silence
        self._task: asyncio.Task[Any] | None = None
        self._since = self._loop.time()
        self._expired = False
        self._timer = self._loop.call_later(first, self._look)

    def _look(self) -> None:
        since = self._since if self._task else self._loop.time()
        left = since + self._limit - self._loop.time()
        if left > 0:
            self._timer = self._loop.call_later(left, self._look)
        elif self._task:
            self._expired = True
            self._task.cancel()

    async def chunks(self, body: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
        """The chunks of a body; TimeoutError where one is waited for too long."""
        task = asyncio.current_task()
        already = task.cancelling() if task else 0
        time = self._loop.time
        try:
            while True:
                self._task = task
                try:
                    chunk = await anext(body)
                except asyncio.CancelledError:
                    if self._expired and task and task.uncancel() <= already:
                        raise TimeoutError from None
                    raise
                self._task = None
                self._since = time()
                if self._limit != self._silence:
                    self._limit = self._silence
                yield chunk
                self._since = time()
        except StopAsyncIteration:
            return
        finally:
            self._task = None
            self._timer.cancel()


@dataclass(slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    chunks: AsyncGenerator[bytes, None]

    async def read(self, limit: int = 262_144) -> bytes:
        """The body, at most about `limit` bytes of it."""
        parts: list[bytes] = []
        size = 0
        async for chunk in self.chunks:
            parts.append(chunk)
            size += len(chunk)
            if size > limit:
                break
        return b"".join(parts)


class Http:
    """One endpoint's connections, opened with the first request. `title` names it in errors."""

    def __init__(self, base_url: str, title: str, limits: Limits | None = None) -> None:
        self._base_url = base_url
        self._title = title
        self.local = is_loopback(base_url)
        self._limits = limits or (LOCAL_LIMITS if self.local else Limits())
        self._client: "httpx.AsyncClient | None" = None

    def _open(self) -> "httpx.AsyncClient":
        if self._client is None:
            httpx = load_httpx()
            from httpx_aiohttp.transport import AiohttpTransport

            proxy = proxy_for(self._base_url)
            transport = AiohttpTransport(verify=self._base_url.startswith("https:") or bool(proxy), proxy=httpx.Proxy(proxy) if proxy else None)
            self._client = httpx.AsyncClient(transport=transport, trust_env=False, follow_redirects=False)
        return self._client

    @asynccontextmanager
    async def request(self, method: str, url: str, headers: Mapping[str, str], content: bytes | None = None) -> AsyncGenerator[Answer, None]:
        """An answer whose body has not been read yet. Raises ProviderError where there is none."""
        limits = self._limits
        loop = asyncio.get_running_loop()
        began = loop.time()
        with self._told(limits):
            client = self._open()
            httpx = load_httpx()
            timeout = httpx.Timeout(None, connect=limits.connect)
            request = client.build_request(method, url, content=content, timeout=timeout,
                                           headers={"user-agent": USER_AGENT, "accept-encoding": "identity", **headers})  # fmt: skip
            async with asyncio.timeout(limits.first + limits.connect):
                response = await client.send(request, stream=True)
        try:
            patience = Patience(max(0.001, limits.first - (loop.time() - began)), limits.silence)
            yield Answer(response.status_code, response.headers, self._chunks(response, patience))
        finally:
            await response.aclose()

    async def _chunks(self, response: "httpx.Response", patience: Patience) -> AsyncGenerator[bytes, None]:
        raw = response.aiter_bytes() if response.headers.get("content-encoding") else response.stream
        body = aiter(raw)  # type: ignore[arg-type]
        with self._told(self._limits):
            async for chunk in patience.chunks(body):
                yield chunk

    def _told(self, limits: Limits) -> "Told":
        return Told(self._title, self._base_url, self.local, limits)

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
            raise self._silent() from error
        if error is not None and type(error).__module__.partition(".")[0] == "httpx":
            raise self._network(error) from error

    def _silent(self) -> ProviderError:
        return ProviderError("timeout", f"{self._title} went silent for too long. Try again, or choose another model.", retryable=True)

    def _network(self, error: BaseException) -> ProviderError:
        """The transport calls a refused connection a time limit; the cause tells them apart."""
        import aiohttp

        cause = error.__cause__
        detail = f"{type(cause or error).__name__}: {cause or error}"
        if isinstance(cause, aiohttp.ClientConnectorCertificateError | aiohttp.ClientSSLError):
            return ProviderError("network", f"The certificate of {self._base_url} is not trusted. Behind a company proxy, set SSL_CERT_FILE to its certificates.", detail)
        if isinstance(cause, aiohttp.ClientConnectorDNSError):
            return ProviderError("network", f"The address {self._base_url} is not known here. Check the base URL and your connection to the internet.", detail, retryable=not self._local)
        if isinstance(cause, aiohttp.ClientConnectorError | aiohttp.ClientProxyConnectionError | aiohttp.ClientHttpProxyError):
            return self._unreachable(cause, detail)
        if isinstance(cause, aiohttp.ServerTimeoutError | asyncio.TimeoutError):
            return ProviderError("timeout", f"{self._title} did not answer within {self._limits.connect:.0f} s.", detail, retryable=True)
        if isinstance(cause, aiohttp.InvalidURL) or "UnsupportedProtocol" in type(error).__name__ or "InvalidURL" in type(error).__name__:
            return ProviderError("bad_request", f"{self._base_url} is not an address. Check the base URL in the settings.", detail)
        return ProviderError("network", f"The connection to {self._title} broke off.", detail, retryable=True)

    def _unreachable(self, cause: BaseException, detail: str) -> ProviderError:
        if self._local:
            return ProviderError("network", f"Nothing answers at {self._base_url}. Start {self._title} there, or check the address.", detail)
        if "roxy" in type(cause).__name__:
            return ProviderError("network", "The proxy does not let the request through. Check HTTPS_PROXY and NO_PROXY.", detail, retryable=True)
        return ProviderError("network", f"{self._title} cannot be reached at {self._base_url}. Check your connection to the internet.", detail, retryable=True)
