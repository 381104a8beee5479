"""Running a demo by itself over stdio, for any MCP client: its configuration comes from the environment."""

import os
from collections.abc import Mapping
from pathlib import Path


def from_environment(name: str, environment: Mapping[str, str] = os.environ) -> dict[str, object]:
    """`data_dir`, `language` and `offline` for the server `name`.

    LEOCHAT_DATA_DIR is used as it is; without it each server has a folder of its own in LeoChat's user data folder.
    """
    folder = environment.get("LEOCHAT_DATA_DIR") or str(default_folder() / name)
    language = environment.get("LEOCHAT_LANGUAGE") or "en"
    offline = environment.get("LEOCHAT_OFFLINE", "").strip().lower() in {"1", "true", "yes", "on"}
    return {"data_dir": folder, "language": language, "offline": offline}


def default_folder() -> Path:
    from platformdirs import user_data_path

    return user_data_path("LeoChat", appauthor=False)
