"""Which addresses may be reached on a model's behalf: public ones, and those a person opened by name."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

if TYPE_CHECKING:
    from aiohttp.abc import AbstractResolver

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Lookup = Callable[[str, int], Awaitable[Sequence[str]]]
"""The addresses of a host; raises OSError where it has none."""

CLOSED = tuple(
    ipaddress.ip_network(block)
    for block in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT; one vendor's metadata lives in it
        "127.0.0.0/8",
        "168.63.129.16/32",  # a vendor's metadata and DNS, public in name only
        "169.254.0.0/16",  # link-local, where metadata services live
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
        "100::/64",
        "2001::/23",  # protocol assignments, Teredo among them
        "2001:db8::/32",
        "2002::/16",  # 6to4 wraps any IPv4 address, and nothing real needs it any more
        "3fff::/20",
        "5f00::/16",
        "64:ff9b:1::/48",  # NAT64 for local use
        "fc00::/7",
        "fe80::/10",
        "fec0::/10",
        "ff00::/8",
    )
)
"""What is never public, from the IANA special-purpose registries (and the one exception said there)."""

WRAPPED = tuple(
    ipaddress.IPv6Network(block)
    for block in (
        "::/96",  # IPv4-compatible, with ::1 and :: in it
        "::ffff:0:0/96",  # IPv4-mapped
        "::ffff:0:0:0/96",  # IPv4-translated
        "64:ff9b::/96",  # NAT64
    )
)
"""IPv6 blocks whose last 32 bits are an IPv4 address."""

ISATAP = re.compile(r"^(0000|0200):5efe$")
NUMERIC = re.compile(r"(0x[0-9a-f]*|[0-9]+)(\.(0x[0-9a-f]*|[0-9]+)){0,3}\.?", re.IGNORECASE)
INNER = (".localhost", ".local", ".internal", ".intranet", ".lan", ".home.arpa", ".corp", ".home")
"""Names that only mean something inside a network."""


class AddressError(Exception):
    """The address may not be reached or cannot be found; the text says why."""


class PrivateAddressError(AddressError):
    """The address is not public; a person could open `where`, its "host:port" as the guard takes it."""

    def __init__(self, where: str, words: str) -> None:
        super().__init__(words)
        self.where = where


def public(address: str) -> bool:
    """Whether an IP address is one of the public internet, and does not wrap one that is not."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        if any(ip in block for block in WRAPPED) or ISATAP.match(ip.exploded[20:29]):
            return public(str(ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)))
        if ip not in ipaddress.IPv6Network("2000::/3"):  # nothing else is given out
            return False
    return ip.is_global and not any(ip in block for block in CLOSED if block.version == ip.version)


@dataclass(frozen=True)
class Target:
    """A checked address of the web: the URL as it will be asked for, and the IP addresses to connect to."""

    url: str
    host: str
    port: int
    addresses: tuple[str, ...]


async def look_up(host: str, port: int) -> Sequence[str]:
    """All addresses that the system's resolver has for a host."""
    import asyncio

    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class Guard:
    """Checks where a URL leads. `open_to` are hosts ("intranet.example", "127.0.0.1:8000", "[::1]:8000")
    that a person opened although they are not public."""

    def __init__(self, open_to: Collection[str] = (), lookup: Lookup = look_up) -> None:
        self._open = {host.casefold().replace("[", "").replace("]", "") for host in open_to}
        self._lookup = lookup

    async def check(self, url: str, *, proxied: bool = False) -> Target:
        """The target of an http or https URL; raises AddressError (PrivateAddressError) where it may not be reached.

        A host with several addresses is refused if any is not public. With `proxied` a name
        that this computer cannot resolve is left to the proxy.
        """
        parts = checked_url(url)
        host, port = _host(parts), parts.port or (443 if parts.scheme == "https" else 80)
        opened = host in self._open or f"{host}:{port}" in self._open
        addresses = await self._addresses(host, port, proxied)
        if not opened and not all(public(address) for address in addresses):
            raise PrivateAddressError(
                f"{host}:{port}",
                f"{parts.hostname} is an address inside this computer or its network, which tools may not reach. "
                "Use a public address: only the person who runs this server can open a host of their own to it.",
            )
        return Target(parts._replace(netloc=_netloc(parts, host), fragment="").geturl(), host, port, tuple(addresses))

    async def _addresses(self, host: str, port: int, proxied: bool) -> Sequence[str]:
        if literal := _literal(host):
            return [str(literal)]
        try:
            found = await self._lookup(host, port)
        except (OSError, UnicodeError) as error:
            if proxied and "." in host and not host.endswith(INNER):
                return []
            raise AddressError(f"{host} cannot be found. Check the spelling and the internet connection.") from error
        if not found:
            raise AddressError(f"{host} has no address.")
        return found


def checked_url(url: str) -> SplitResult:
    """The parts of a URL that may be asked for at all; raises AddressError for every other."""
    if re.search(r"[\x00-\x20\x7f\\]", url.strip()):
        raise AddressError("The URL holds spaces, backslashes or control characters. Write it percent-encoded.")
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError as error:
        raise AddressError(f"This is not a valid URL: {error}.") from error
    if parts.scheme not in ("http", "https"):
        raise AddressError("Only http and https URLs can be fetched, such as https://example.org/page.")
    if not parts.hostname or port == 0:
        raise AddressError("The URL names no host. Write it like https://example.org/page.")
    if "@" in parts.netloc:
        raise AddressError("The URL holds a user name or password, which is not sent. Leave out what is before the @.")
    return parts


def _host(parts: SplitResult) -> str:
    """The host as a resolver would take it: ASCII, small, without a dot at the end, numbers as an address."""
    host = (parts.hostname or "").casefold()
    if literal := _literal(host):
        return str(literal)
    try:
        ascii_host = host.encode("idna").decode("ascii") if not host.isascii() else host
    except UnicodeError as error:
        raise AddressError(f"{host} is not a valid host name.") from error
    ascii_host = ascii_host.rstrip(".")
    literal = _literal(ascii_host)  # full-width digits and dots become plain ones only here
    return str(literal) if literal else ascii_host


def _literal(host: str) -> Address | None:
    """The address a host stands for by itself, also where it is written as 0x7f.1 or 2130706433."""
    try:
        return ipaddress.ip_address(host.partition("%")[0].strip("[]"))
    except ValueError:
        if not NUMERIC.fullmatch(host):
            return None
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host.rstrip(".")))
    except OSError as error:
        raise AddressError(f"{host} is not a valid address.") from error


def _netloc(parts: SplitResult, host: str) -> str:
    name = f"[{host}]" if ":" in host else host
    return f"{name}:{parts.port}" if parts.port else name


def pinned(target: Target) -> AbstractResolver:
    """A resolver that gives the checked addresses alone, so that a name cannot change its mind meanwhile."""
    import asyncio

    from aiohttp.abc import AbstractResolver, ResolveResult

    class Pinned(AbstractResolver):
        async def resolve(self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET) -> list[ResolveResult]:
            await asyncio.sleep(0)
            if host != target.host:
                raise OSError(f"{host} was not checked")
            return [
                ResolveResult(
                    hostname=host,
                    host=address,
                    port=port,
                    family=socket.AF_INET6 if ":" in address else socket.AF_INET,
                    proto=0,
                    flags=socket.AI_NUMERICHOST,
                )
                for address in target.addresses
            ]

        async def close(self) -> None:
            await asyncio.sleep(0)

    return Pinned()
