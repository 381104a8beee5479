"""Whether two pictures look alike, whatever their sizes."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from PIL import Image

SIDE = 16
NEAR = 24.0
"""Mean difference of a channel, of 255, up to which they do."""


def same_picture(shown: Iterable[tuple[int, int, bytes]], file: Path) -> bool:
    """Whether any of `shown` (width, height, RGBA) looks like the picture in `file`."""
    wanted = _small(Image.open(file))
    return any(_apart(_small(Image.frombytes("RGBA", (w, h), pixels)), wanted) < NEAR for w, h, pixels in shown)


def _small(picture: Any) -> bytes:
    ground: Any = Image.new("RGBA", picture.size, "white")
    ground.alpha_composite(picture.convert("RGBA"))
    return ground.resize((SIDE, SIDE)).tobytes()


def _apart(one: bytes, other: bytes) -> float:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) / len(one)
