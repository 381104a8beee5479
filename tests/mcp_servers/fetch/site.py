"""A small web of our own on a free port: answers as a test wants them, and remembers what was asked."""

import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from dataclasses import dataclass, field

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass
class Site:
    """`answers` by path: a body with its Content-Type, a redirect's target, or a handler."""

    port: int = 0
    answers: dict[str, tuple[bytes, str] | str | Handler] = field(
        default_factory=dict[str, "tuple[bytes, str] | str | Handler"]
    )
    asked: list[web.Request] = field(default_factory=list[web.Request])

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, path: str) -> str:
        return f"http://{self.host}{path}"

    def page(self, path: str, body: str | bytes, kind: str = "text/html; charset=utf-8") -> str:
        """Serve `body` at `path`; the whole address."""
        self.answers[path] = (body.encode("utf-8") if isinstance(body, str) else body, kind)
        return self.url(path)

    def paths(self) -> list[str]:
        """What was asked for, without robots.txt."""
        return [request.path for request in self.asked if request.path != "/robots.txt"]

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request)
        found = self.answers.get(request.path)
        if found is None:
            return web.Response(status=404, text="<h1>Nothing here</h1>", content_type="text/html")
        if isinstance(found, str):
            return web.Response(status=302, headers={"Location": found})
        if callable(found):
            return await found(request)
        return web.Response(body=found[0], headers={"Content-Type": found[1]})


@contextlib.asynccontextmanager
async def served() -> AsyncGenerator[Site]:
    """The site, until the test is over."""
    site = Site()
    app = web.Application()
    app.router.add_route("*", "/{rest:.*}", site.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        listening = web.TCPSite(runner, "127.0.0.1", 0)
        await listening.start()
        site.port = runner.addresses[0][1]
        yield site
    finally:
        await runner.cleanup()
