"""A small shop on a free port, as real shops are: search, a basket, a form, dialogs, files, and pages that misbehave."""

import asyncio
import contextlib
import html
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field

from aiohttp import web

GOODS = {"Heron headphones": 89, "Drift speaker": 45, "Fjord lamp": 30, "Ember kettle": 25}

HOME = """<!doctype html><html lang="en"><title>Little shop</title><body>
<h1>Little shop</h1>
<form action="/search"><label>Search <input name="q"></label><button>Find</button></form>
<nav><a href="/order">Order</a> <a href="/files">Files</a> <a href="/news" target="_blank">News</a></nav>
<script>console.log("the shop is open"); console.error("the till is stuck"); fetch("/api/offers?day=1")</script>
</body></html>"""

ORDER = """<!doctype html><html lang="en"><title>Order</title><body><h1>Order</h1>
<form method="post" action="/order">
<label>Name <input name="name" required></label>
<label>Town <input name="town"></label>
<label>Delivery <select name="way"><option value="slow">Standard</option><option value="fast">Express</option></select></label>
<label><input type="checkbox" name="gift"> Wrap it as a gift</label>
<label><input type="radio" name="pay" value="card"> Card</label><label><input type="radio" name="pay" value="cash"> Cash</label>
<label>Tip <input type="range" name="tip" min="0" max="10" value="0"></label>
<button>Place the order</button></form></body></html>"""

FILES = """<!doctype html><html lang="en"><title>Files</title><body><h1>Files</h1>
<a href="/receipt.csv" download>Receipt</a>
<form method="post" action="/upload" enctype="multipart/form-data">
<label>Picture <input type="file" name="file"></label><button>Send</button></form></body></html>"""

DIALOGS = """<!doctype html><html lang="en"><title>Dialogs</title><body><h1>Dialogs</h1>
<button onclick="alert('Sold out'); said.textContent = 'alert over'">Warn</button>
<button onclick="said.textContent = confirm('Empty the basket?') ? 'emptied' : 'kept'">Empty</button>
<button onclick="said.textContent = 'named ' + prompt('A name?', 'Ann')">Name</button>
<button onclick="for (;;) {}">Hang</button>
<div id="menu" onmouseover="said.textContent = 'menu open'">Menu</div>
<p id="said"></p>
<div id="thing" draggable="true" aria-label="thing" role="img" style="width:60px;height:60px;background:teal"></div>
<div id="box" role="region" aria-label="box" style="width:120px;height:120px;background:silver"
 ondragover="event.preventDefault()" ondrop="said.textContent = 'dropped'"></div>
<input aria-label="Keys" onkeydown="said.textContent = 'key ' + event.key"></body></html>"""

ODD = """<!doctype html><html lang="en"><title>Odd</title><body><h1>Odd</h1>
<label>Day <input type="date" id="day"></label>
<button onclick="for (let n = 0; confirm('Question ' + n++) || n < 9;) {}">Ask on</button>
<button onclick="for (let n = 0; n < 40; n++) open('/news?' + n)">Open on</button>
<p id="colours"></p>
<script>
const dark = matchMedia("(prefers-color-scheme: dark)");
const tell = () => { colours.textContent = dark.matches ? "seen dark" : "seen light"; };
tell(); dark.onchange = tell;
</script>
<div id="box" role="region" aria-label="box" style="width:90px;height:90px;background:silver"
 ondragover="event.preventDefault()" ondrop="event.preventDefault();
 this.textContent = 'dropped ' + [...event.dataTransfer.files].map(f => f.name)
 + event.dataTransfer.getData('text/plain')"></div>
</body></html>"""


@dataclass
class Shop:
    """Where it is, and what it was asked for: paths, orders and files."""

    port: int = 0
    asked: list[str] = field(default_factory=list[str])
    orders: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    elsewhere: str = ""
    """Another address, for redirects and parts of pages."""

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, path: str = "/") -> str:
        return f"http://{self.host}{path}"

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.path_qs)
        pages = {
            "/": HOME,
            "/order": ORDER,
            "/files": FILES,
            "/dialogs": DIALOGS,
            "/odd": ODD,
            "/framed": '<title>Framed</title><h1>Framed</h1><iframe src="/silent"></iframe>',
            "/news": "<title>News</title><h1>No news</h1>",
        }
        if request.method == "POST":
            return await self.taken(request)
        if request.path == "/favicon.ico":
            return web.Response(status=204)
        if request.path == "/search":
            return page(found(request.query.get("q", "")))
        if request.path == "/receipt.csv":
            return web.Response(text="item,price\nlamp,30\n", content_type="text/csv")
        if request.path == "/api/offers":
            return web.json_response({"offers": ["lamp"]})
        if request.path in ("/never", "/silent"):
            return await never(request)
        if request.path == "/away":
            return web.Response(status=302, headers={"Location": self.elsewhere})
        if request.path == "/part":
            return page(f"<title>Part</title><h1>Part</h1><script>fetch('{self.elsewhere}', {{mode: 'no-cors'}})</script>")
        if request.path == "/long":
            return page("<title>Long</title>" + "".join(f"<p>Line {n} of a long page</p>" for n in range(2000)))
        return page(pages[request.path]) if request.path in pages else other(request.path)

    async def taken(self, request: web.Request) -> web.Response:
        form = await request.post()
        for value in form.values():
            if isinstance(value, web.FileField):
                self.files[value.filename] = value.file.read()
        self.orders.append({name: value for name, value in form.items() if isinstance(value, str)})
        name = html.escape(str(form.get("name", "")))
        return page(f"<title>Thanks</title><h1>Thanks</h1><p>Order 1001 for {name} is on its way.</p>")


def other(path: str) -> web.Response:
    """What is no page: a file, a place for the staff, or nothing."""
    if path == "/bill":
        return web.Response(body=b"paid", headers={"Content-Disposition": 'attachment; filename="bill.txt"'})
    if path == "/closed":
        return web.Response(status=401, headers={"WWW-Authenticate": 'Basic realm="staff"'})
    return web.Response(status=404, text="nothing here")


def page(text: str) -> web.Response:
    return web.Response(text=text, content_type="text/html")


def found(query: str) -> str:
    hits = [(name, price) for name, price in GOODS.items() if query.lower() in name.lower()]
    rows = "".join(f"<tr><td>{name}</td><td>{price} €</td><td><button>Add {name}</button></td></tr>" for name, price in hits)
    return f"<title>Results</title><h1>{len(hits)} found</h1><table>{rows}</table>"


async def never(request: web.Request) -> web.StreamResponse:
    """The beginning of a page whose end never comes; or not even that."""
    if request.path == "/silent":
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.sleep(3600)
    response = web.StreamResponse(headers={"Content-Type": "text/html"})
    await response.prepare(request)
    await response.write(b"<title>Slow</title><h1>The beginning</h1>" + b"<p>so far</p>" * 200)
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.sleep(3600)
    return response


@contextlib.asynccontextmanager
async def open_shop() -> AsyncGenerator[Shop]:
    """The shop, until the test is over."""
    shop = Shop()
    app = web.Application()
    app.router.add_route("*", "/{rest:.*}", shop.answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1)
    await runner.setup()
    try:
        listening = web.TCPSite(runner, "127.0.0.1", 0)
        await listening.start()
        shop.port = runner.addresses[0][1]
        yield shop
    finally:
        await runner.cleanup()
