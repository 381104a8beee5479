"""Keys, in the system's key ring where there is one, else in a file that only its owner can read; never shown or logged."""

import json
import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Literal, ParamSpec, Protocol, TypeVar, cast
from urllib.parse import urlsplit

from pydantic import SecretStr

from app.settings.atomic import write_private

P = ParamSpec("P")
R = TypeVar("R")
SERVICE, ACCOUNT = "LeoChat", "keys"
FILE_NAME = "keys.json"


class Ring(Protocol):
    """What of a `keyring` backend is used. Its calls may raise whatever the platform's own store raises."""

    def get_password(self, service: str, username: str, /) -> str | None: ...

    def set_password(self, service: str, username: str, password: str, /) -> None: ...


class RingError(Exception):
    """The key ring said no (locked, denied, too long, gone)."""


class Secrets:
    """A map from `vendor@host` to a key, one item in the key ring, read once.

    A key is given only for the vendor and the host it was saved for. Methods may block for as long as the system asks
    the person to unlock the ring: call them off the event loop.
    """

    def __init__(self, home: Path, ring: Ring | Literal["system"] | None = "system"):
        self._path = home / FILE_NAME
        self._given = ring
        self._lock = threading.Lock()
        self._keys: dict[str, str] | None = None
        self._ring: Ring | None = None
        self._trouble: str | None = None

    def __repr__(self) -> str:
        return "Secrets(…)"

    def get(self, vendor: str, base_url: str) -> SecretStr | None:
        """The key saved for this vendor at this address's host; None where there is none."""
        with self._lock:
            key = self._loaded().get(slot(vendor, base_url))
        return SecretStr(key) if key else None

    def names(self) -> list[str]:
        """The `vendor@host` of every saved key, without the keys."""
        with self._lock:
            return sorted(self._loaded())

    def set(self, vendor: str, base_url: str, key: SecretStr | str) -> None:
        """Save a key for this vendor and host. Raises OSError where neither ring nor file takes it."""
        text = key.get_secret_value() if isinstance(key, SecretStr) else key
        with self._lock:
            self._save({**self._loaded(), slot(vendor, base_url): text.strip()})

    def delete(self, vendor: str, base_url: str) -> bool:
        """Forget a key; says whether there was one."""
        with self._lock:
            keys = dict(self._loaded())
            if keys.pop(slot(vendor, base_url), None) is None:
                return False
            self._save(keys)
            return True

    def where(self) -> str:
        """In one sentence for a person: where keys are kept on this computer, and why."""
        with self._lock:
            self._loaded()
            if self._ring is not None:
                return f"Keys are kept in this computer's key ring ({_name(self._ring)})."
            return f"{self._trouble or 'This computer has no key ring'}: keys are kept in {self._path}, readable only by you."

    def _loaded(self) -> dict[str, str]:
        if self._keys is None:
            self._ring = _system_ring() if isinstance(self._given, str) else self._given
            # the file is written only when the ring failed, so what it holds is newer
            self._keys = {**self._read_ring(), **_read_file(self._path)}
        return self._keys

    def _read_ring(self) -> dict[str, str]:
        if self._ring is None:
            return {}
        try:
            return _parse(_call(self._ring.get_password, SERVICE, ACCOUNT) or "{}")
        except RingError as error:
            self._give_up_ring(error)
            return {}

    def _save(self, keys: dict[str, str]) -> None:
        text = json.dumps(keys)
        if self._ring is not None:
            try:
                _call(self._ring.set_password, SERVICE, ACCOUNT, text)
            except RingError as error:
                self._give_up_ring(error)
            else:
                self._path.unlink(missing_ok=True)
                self._keys = keys
                return
        write_private(self._path, text)
        self._keys = keys

    def _give_up_ring(self, error: RingError) -> None:
        self._trouble = f"The key ring of this computer did not work ({error})"
        self._ring = None


def slot(vendor: str, base_url: str) -> str:
    """`vendor@host[:port]`: what a key is saved for; plain http has its port named, so that it is another place."""
    parts = urlsplit(base_url)
    port = parts.port or (80 if parts.scheme == "http" else 443)
    return f"{vendor}@{(parts.hostname or '').lower()}{'' if port == 443 else f':{port}'}"


def key_from_environment(names: Sequence[str], environ: Mapping[str, str] = os.environ) -> tuple[str, SecretStr] | None:
    """The first of these variables that is set, with its value."""
    return next(((name, SecretStr(environ[name].strip())) for name in names if environ.get(name, "").strip()), None)


def _system_ring() -> Ring | None:
    if sys.platform != "darwin":
        # keyring imports the backends of every system. That of macOS asks the linker for frameworks, which on Linux runs
        # programs: a tenth of a second for what can never be used.
        sys.modules.setdefault("keyring.backends.macOS", ModuleType("keyring.backends.macOS"))
    # Before Python 3.12 it imports a copy of importlib.metadata, of which it uses no more than 3.11's own has: 30 ms.
    from importlib import metadata

    own_metadata = ModuleType("keyring.compat.py312")
    own_metadata.__dict__["metadata"] = metadata
    sys.modules.setdefault(own_metadata.__name__, own_metadata)
    import keyring
    from keyring.backends.fail import Keyring as NoRing
    from keyring.backends.null import Keyring as NullRing

    ring = keyring.get_keyring()
    return None if isinstance(ring, NoRing | NullRing) else cast("Ring", ring)


def _name(ring: Ring) -> str:
    return str(getattr(ring, "name", type(ring).__name__))


def _call(ask: Callable[P, R], *args: P.args, **named: P.kwargs) -> R:
    try:
        return ask(*args, **named)
    except Exception as error:  # noqa: BLE001  every platform's key ring raises classes of its own
        raise RingError(str(error) or type(error).__name__) from None


def _parse(text: str) -> dict[str, str]:
    try:
        found: object = json.loads(text)
    except ValueError:
        return {}
    if not isinstance(found, dict):
        return {}
    return {str(k): v for k, v in cast("dict[object, object]", found).items() if isinstance(v, str)}


def _read_file(path: Path) -> dict[str, str]:
    try:
        return _parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
