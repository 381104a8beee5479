"""Where the window's page may go: nowhere but to itself."""

from urllib.parse import urlsplit

OWN_WORDS = ("data:text/html", "about:blank")


class Fence:
    """Asked before every navigation. While no page's address is known only the window's own words are let through."""

    def __init__(self) -> None:
        self._origin = ""

    def admit(self, address: str) -> None:
        """From now on the page at this address, and nothing else."""
        parts = urlsplit(address)
        self._origin = f"{parts.scheme}://{parts.netloc}"

    def withdraw(self) -> None:
        """There is no page any more: only what the window itself has to say."""
        self._origin = ""

    def allows(self, url: str) -> bool:
        """Whether a document may be loaded: the page itself, by whatever fragment."""
        if not self._origin:
            return url.startswith(OWN_WORDS)
        document = url.partition("#")[0]
        return document in (self._origin, f"{self._origin}/")

    def owns(self, url: str) -> bool:
        """Whether something to download was made by the page (`blob:`) or comes from our own server."""
        return bool(self._origin) and url.removeprefix("blob:").startswith(f"{self._origin}/")
