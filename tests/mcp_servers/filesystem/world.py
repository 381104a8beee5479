"""A small world for the file tools: an allowed folder, what lies around it, and links that lead out."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

SECRET = "TOP-SECRET-CONTENT"
INSIDE = "an allowed file\n"


@dataclass(frozen=True)
class World:
    """The folders; everything outside `allowed`, and `allowed/home`, must never be touched."""

    top: Path

    @property
    def allowed(self) -> Path:
        return self.top / "allowed"

    @property
    def outside(self) -> Path:
        return self.top / "outside"

    @property
    def protected(self) -> Path:
        """LeoChat's own folder, inside an allowed one."""
        return self.allowed / "home"

    def told(self, path: str) -> str:
        """A path of the tables below, with {top} and the like filled in."""
        return path.format(top=self.top, allowed=self.allowed, outside=self.outside)

    def fingerprint(self) -> dict[str, str]:
        """Everything that must not change: every path, kind and content."""
        seen: dict[str, str] = {}
        for folder, names, files in os.walk(self.top):
            where = Path(folder)
            if where == self.top:
                continue
            for name in [*names, *files]:
                path = where / name
                if path.is_relative_to(self.allowed) and not path.is_relative_to(self.protected):
                    continue
                seen[str(path.relative_to(self.top))] = _print(path)
        return seen


def _print(path: Path) -> str:
    if path.is_symlink():
        return f"link {path.readlink()}"
    if path.is_dir():
        return "folder"
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "other"


def make(top: Path) -> World:
    """The world, fresh."""
    world = World(Path(os.path.realpath(top)))
    allowed, outside = world.allowed, world.outside
    for folder in (
        allowed / "sub" / "deep",
        outside / "dir",
        world.top / "allowed-evil",
        world.top / "allowed evil",
        world.top / "allow",
        world.protected / "keys",
    ):
        folder.mkdir(parents=True)
    for secret in (
        outside / "secret.txt",
        outside / "dir" / "secret.txt",
        world.top / "secret.txt",
        world.top / "allowed-evil" / "f",
        world.top / "allowed evil" / "f",
        world.top / "allow" / "f",
        world.protected / "settings.json",
        world.protected / "keys" / "key.txt",
    ):
        secret.write_text(SECRET, encoding="utf-8")
    (allowed / "file.txt").write_text(INSIDE, encoding="utf-8")
    (allowed / "sub" / "deep" / "other.txt").write_text(INSIDE, encoding="utf-8")
    _link(world)
    return world


def _link(world: World) -> None:
    links = {
        "link-dir": world.outside,
        "link-up": "..",
        "link-top": "/",
        "link-file": world.outside / "secret.txt",
        "dangling": world.outside / "new.txt",
        "dangling-dir": world.outside / "newdir",
        "chain-1": "chain-2",
        "chain-2": "link-dir",
        "chain-file": "link-file",
        "loop-1": "loop-2",
        "loop-2": "loop-1",
        "self": "self",
        "sub/deep/up": "../../../outside",
        "sub/deep/rel": "../../../outside/secret.txt",
        "link-evil": "../allowed-evil",
        "link-home": "home",
        "link-key": "home/keys/key.txt",
        "link-proc": "/proc/self/root",
        "good-dir": "sub",
        "good-file": "file.txt",
        "good-loopback": "../allowed/sub",
    }
    for name, target in links.items():
        (world.allowed / name).symlink_to(target)
    os.link(world.protected / "settings.json", world.allowed / "hard-settings")
