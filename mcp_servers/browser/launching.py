"""One browser with its own profile, started at the first call and started anew after it was closed or died."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_servers.addresses import Guard
from mcp_servers.browser.finding import find_browser
from mcp_servers.browser.gate import Gate
from mcp_servers.browser.profile import Profile

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Playwright
    from psutil import Process

START_SECONDS = 45.0
CLOSE_SECONDS = 1.2
VIEWPORT = (1280, 800)
ARGUMENTS = (
    "--disable-quic",
    "--disable-auto-reload",  # a page that failed is opened again when somebody wants it
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # or a page could look around by UDP
    "--hide-crash-restore-bubble",
)


class LaunchError(Exception):
    """The browser could not be started; the text says why and what to do."""


@dataclass
class Wanted:
    """How a person wants it: `program` None: what is found; `folder` for all that is the browser's own."""

    folder: Path
    program: str | None = None
    headless: bool = True
    sandbox: bool = True
    isolated: bool = False
    """A profile of its own that is gone at the end."""

    @property
    def installed(self) -> Path:
        """Where a browser that we install goes."""
        return self.folder / "programs"


class Browser:
    """The browser of this process. `wanted` is asked for at each start."""

    def __init__(self, wanted: Callable[[], Wanted], guard: Callable[[], Guard]) -> None:
        self._wanted = wanted
        self.gate = Gate(guard)
        self.note: str | None = None
        self._playwright: Playwright | None = None
        self._driver: Process | None = None
        self._context: BrowserContext | None = None
        self._profile: Profile | None = None
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._headless = True
        self._starting = asyncio.Lock()

    def staging(self, name: str) -> Callable[[], Path]:
        """Where files on their way in or out lie, while this browser runs."""
        return lambda: self._profile.folder.parent / name if self._profile else self._wanted().folder / name

    @property
    def unseen(self) -> bool:
        """Whether the browser that runs has no window."""
        return self._headless

    @property
    def running(self) -> bool:
        """Whether there is a browser now."""
        return self._context is not None

    async def context(self) -> BrowserContext:
        """The running browser, started if need be. Raises LaunchError, NoBrowserError or ProfileLockedError."""
        async with self._starting:
            if self._playwright is not None and not self._driven():
                self._playwright = None  # killed by somebody: it cannot tell us that the browser ended with it
                self._let_go()
            if self._context is None:
                self._context = await self._start()
            return self._context

    def _driven(self) -> bool:
        """Whether Playwright's driver, a process of its own, still lives."""
        import psutil

        try:
            return self._driver is None or self._driver.status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return False

    async def _start(self) -> BrowserContext:
        wanted = self._wanted()
        program = find_browser(wanted.program, wanted.installed)
        port = await self.gate.open()
        self._take(wanted)
        try:
            return await self._launched(wanted, program, port)
        except BaseException:
            self._let_go()
            raise

    def _take(self, wanted: Wanted) -> None:
        if wanted.isolated:
            self._temporary = tempfile.TemporaryDirectory(prefix="leochat-browser-", ignore_cleanup_errors=True)
            folder = Path(self._temporary.name) / "profile"
        else:
            folder = wanted.folder / "profile"
        profile = Profile(folder)
        profile.take()
        self._profile = profile
        for name in ("downloads", "uploads"):  # what a browser that was killed has left there
            shutil.rmtree(folder.parent / name, ignore_errors=True)
            (folder.parent / name).mkdir(mode=0o700)

    def _let_go(self) -> None:
        self._context = None
        if self._profile is not None:
            self._profile.release()
            self._profile = None
        if self._temporary is not None:
            self._temporary.cleanup()
            self._temporary = None

    async def _launched(self, wanted: Wanted, program: str, port: int) -> BrowserContext:
        import psutil
        from playwright.async_api import Error, async_playwright

        assert self._profile is not None
        if self._playwright is None:
            before = psutil.Process().children()
            self._playwright = await async_playwright().start()
            self._driver = next((child for child in psutil.Process().children() if child not in before), None)
        headless, self.note = _headless(wanted.headless)
        self._headless = headless
        width, height = VIEWPORT
        try:
            context = await self._playwright.chromium.launch_persistent_context(
                self._profile.folder,
                executable_path=program,
                headless=headless,
                chromium_sandbox=wanted.sandbox and not _root(),
                proxy={"server": f"socks5://127.0.0.1:{port}"},
                args=[*ARGUMENTS, *(() if headless else (f"--window-size={width},{height}",))],
                viewport={"width": width, "height": height} if headless else None,
                no_viewport=None if headless else True,
                accept_downloads=True,
                downloads_path=self._profile.folder.parent / "downloads",
                timeout=START_SECONDS * 1000,
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
            )
        except Error as error:
            raise LaunchError(_why(str(error), program, self._profile.folder)) from error
        context.on("close", lambda _: self._closed(context))
        return context

    def _closed(self, context: BrowserContext) -> None:
        if context is self._context:
            self._let_go()

    async def close(self) -> None:
        """End the browser, with what it has to write down; it may be started again."""
        context = self._context
        if context is not None:
            with contextlib.suppress(Exception):  # whatever it says, it is to end
                await asyncio.wait_for(context.close(), CLOSE_SECONDS)
        self._let_go()


def _headless(wanted: bool) -> tuple[bool, str | None]:
    blind = sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    if blind and not wanted:
        return True, "There is no display here, so the browser runs without a window although the settings want one."
    return wanted, None


def _root() -> bool:
    """Whether we are the superuser, under whom Chromium's sandbox cannot work."""
    return sys.platform != "win32" and os.geteuid() == 0


def _why(said: str, program: str, profile: Path) -> str:
    if "ProcessSingleton" in said or "profile is already in use" in said or "existing browser session" in said:
        return (
            f"The browser's profile folder {profile} is in use by another browser, and only one at a time can use it. "
            "Close that one and try again."
        )
    if "sandbox" in said.partition("Call log")[0].lower():
        return (
            f"{program} cannot be started with its sandbox on this system. Let the system allow it (user namespaces), use "
            "the system's own Chrome or Chromium package, or switch the sandbox off in the settings, under Browser."
        )
    first = next((line.strip() for line in said.splitlines() if line.strip()), "")
    first = first.partition("launch_persistent_context: ")[2] or first
    return f"The browser {program} could not be started: {first[:300]}. Try another one: name its program in the settings."
