"""A small file written whole or not at all, readable by its owner only."""

import os
from pathlib import Path
from uuid import uuid4


def write_private(path: Path, text: str) -> None:
    """Replace the file at `path`; a crash leaves the old content or the new. Raises OSError."""
    part = path.with_name(f".{path.name}.{uuid4().hex[:8]}")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
