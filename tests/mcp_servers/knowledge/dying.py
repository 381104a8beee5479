"""A reader that ends at one file, as a library does that a hostile file brings down."""

import os
from collections.abc import Callable
from typing import Any

from mcp_servers.knowledge import job


def read_files(request: dict[str, Any], tell: Callable[[float, float | None, str], None]) -> dict[str, Any]:
    """The real work up to a file called deadly.txt."""
    for file in request["files"]:
        if file["path"] == "deadly.txt":
            job.read_files({**request, "files": []}, tell)
            tell(0, 1, f'{{"file": {file["id"]}, "begins": true}}')
            os._exit(3)
        job.read_files({**request, "files": [file]}, tell)
    return {}
