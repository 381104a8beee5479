"""Keys: in the key ring as one item, in a private file where there is none, and never anywhere else."""

import json
import logging
import stat
import sys
from pathlib import Path

import keyring
import keyring.errors
import pytest
from keyring.backend import KeyringBackend
from keyring.backends import fail

from app.settings import Secrets, key_from_environment
from app.settings.secrets import slot

OPENAI = ("openai", "https://api.openai.com/v1")
CANARY = "sk-canary-5f1e"


class MemoryRing(KeyringBackend):
    """A key ring in memory that counts its reads, and can be locked."""

    priority = 1  # pyright: ignore[reportAssignmentType, reportIncompatibleMethodOverride]

    def __init__(self) -> None:
        super().__init__()
        self.items: dict[tuple[str, str], str] = {}
        self.reads = 0
        self.locked = False

    def get_password(self, service: str, username: str) -> str | None:
        self.reads += 1
        self._check()
        return self.items.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._check()
        self.items[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self.items.pop((service, username), None)

    def _check(self) -> None:
        if self.locked:
            raise keyring.errors.KeyringLocked("the ring is locked")


@pytest.fixture
def ring() -> MemoryRing:
    return MemoryRing()


def shown(secrets: Secrets, vendor: str, base_url: str) -> str | None:
    key = secrets.get(vendor, base_url)
    return key.get_secret_value() if key else None


def test_all_keys_are_one_item_of_the_ring_read_once(tmp_path: Path, ring: MemoryRing) -> None:
    Secrets(tmp_path, ring).set(*OPENAI, CANARY)
    Secrets(tmp_path, ring).set("anthropic", "https://api.anthropic.com", "other")
    ring.reads = 0
    secrets = Secrets(tmp_path, ring)
    assert shown(secrets, *OPENAI) == CANARY
    assert shown(secrets, "anthropic", "https://api.anthropic.com") == "other"
    assert ring.reads == 1
    assert len(ring.items) == 1
    assert list(tmp_path.iterdir()) == []
    assert "key ring" in secrets.where()


@pytest.mark.parametrize(
    ("vendor", "base_url"),
    [
        ("openai", "https://evil.example/v1"),
        ("openai", "https://api.openai.com.evil.example/v1"),
        ("openai", "https://api.openai.com:8443/v1"),
        ("openai", "http://api.openai.com/v1"),
        ("openai", "https://api.openai.com@evil.example/v1"),
        ("custom", "https://api.openai.com/v1"),
        ("openai", ""),
    ],
)
def test_a_key_goes_only_to_the_vendor_and_host_it_was_saved_for(
    tmp_path: Path, ring: MemoryRing, vendor: str, base_url: str
) -> None:
    secrets = Secrets(tmp_path, ring)
    secrets.set(*OPENAI, CANARY)
    assert shown(secrets, vendor, base_url) is None


def test_the_same_host_written_otherwise_is_the_same_place() -> None:
    assert slot("openai", "https://API.OpenAI.com:443/v1/") == slot(*OPENAI)


def test_without_a_ring_a_private_file_is_used_and_said(tmp_path: Path) -> None:
    secrets = Secrets(tmp_path, None)
    secrets.set(*OPENAI, CANARY)
    file = tmp_path / "keys.json"
    assert str(file) in secrets.where()
    assert "no key ring" in secrets.where()
    if sys.platform != "win32":
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert shown(Secrets(tmp_path, None), *OPENAI) == CANARY


def test_a_ring_that_says_no_is_said_and_the_file_takes_over(tmp_path: Path, ring: MemoryRing) -> None:
    ring.locked = True
    secrets = Secrets(tmp_path, ring)
    secrets.set(*OPENAI, CANARY)
    assert "the ring is locked" in secrets.where()
    assert shown(Secrets(tmp_path, ring), *OPENAI) == CANARY
    ring.locked = False
    mended = Secrets(tmp_path, ring)
    assert shown(mended, *OPENAI) == CANARY
    mended.set("anthropic", "https://api.anthropic.com", "other")
    assert not (tmp_path / "keys.json").exists(), "once the ring works nothing stays in the file"
    assert json.loads(next(iter(ring.items.values()))) == {slot(*OPENAI): CANARY, "anthropic@api.anthropic.com": "other"}


def test_a_deleted_key_is_gone(tmp_path: Path, ring: MemoryRing) -> None:
    secrets = Secrets(tmp_path, ring)
    secrets.set(*OPENAI, CANARY)
    assert secrets.delete(*OPENAI)
    assert not secrets.delete(*OPENAI)
    assert CANARY not in str(ring.items)


def test_the_system_s_own_ring_is_asked_for_or_its_absence_said(tmp_path: Path) -> None:
    before = keyring.get_keyring()
    keyring.set_keyring(fail.Keyring())
    try:
        assert "no key ring" in Secrets(tmp_path).where()
    finally:
        keyring.set_keyring(before)


def test_a_key_is_never_shown_by_accident(tmp_path: Path, ring: MemoryRing, caplog: pytest.LogCaptureFixture) -> None:
    secrets = Secrets(tmp_path, ring)
    with caplog.at_level(logging.DEBUG):
        secrets.set(*OPENAI, CANARY)
        ring.locked = True
        secrets.set("anthropic", "https://api.anthropic.com", CANARY)
    key = secrets.get(*OPENAI)
    texts = [repr(secrets), repr(key), str(key), secrets.where(), caplog.text, str(secrets.names())]
    assert all(CANARY not in text for text in texts)


def test_the_first_variable_that_is_set_gives_the_key() -> None:
    environ = {"A_KEY": " ", "B_KEY": " value\n"}
    found = key_from_environment(["A_KEY", "B_KEY"], environ)
    assert found is not None
    assert (found[0], found[1].get_secret_value()) == ("B_KEY", "value")
    assert key_from_environment(["C_KEY"], environ) is None
