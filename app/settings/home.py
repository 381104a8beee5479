"""Where LeoChat keeps its things: the folder given, else the variable, else the platform's place for user data."""

import os
from collections.abc import Mapping
from pathlib import Path

HOME_VARIABLE = "LEOCHAT_HOME"


def home_folder(given: str | Path | None = None, environ: Mapping[str, str] = os.environ) -> Path:
    """The home, made if it was not there (readable by its owner only). Raises OSError where it cannot be made."""
    chosen = given or environ.get(HOME_VARIABLE) or default_home()
    home = Path(chosen).expanduser().absolute()
    if not home.is_dir():
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    return home


def default_home() -> Path:
    """The platform's folder for this user's data, not made yet."""
    from platformdirs import user_data_dir

    from app.settings.edition import edition

    return Path(user_data_dir(edition().name, appauthor=False))
