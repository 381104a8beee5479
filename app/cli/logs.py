"""The program's log: a file in the home that stays small, and warnings on stderr."""

import contextlib
import logging
import re
from logging.handlers import RotatingFileHandler
from pathlib import Path

FILE = "leochat.log"
MOST_BYTES = 1024 * 1024
OLDER = 3
FORMAT = "%(asctime)s %(levelname)s %(name)s %(message)s"
# What must never be in a file that people send around: the page's token, and keys as vendors write them.
_SECRET = re.compile(r"(token=|Bearer\s+|\b(?:sk|rk|pk|gsk|xai|AIza)[-_A-Za-z]{0,12}?[-_]?)[A-Za-z0-9_\-]{16,}")


class Hiding(logging.Formatter):
    """Writes no keys, wherever a library puts them."""

    def format(self, record: logging.LogRecord) -> str:
        return _SECRET.sub(r"\1…", super().format(record))


class Rotating(RotatingFileHandler):
    """Writes on in the same file while another program holds it, which Windows then lets nobody rename."""

    def doRollover(self) -> None:  # noqa: N802 (its name there)
        with contextlib.suppress(OSError):
            super().doRollover()


def keep_log(home: Path) -> None:
    """From now on warnings of all and the news of ours go to `home/logs/leochat.log`, at most four files of 1 MiB.

    A log that cannot be written is no reason not to start.
    """
    root = logging.getLogger()
    spoken = logging.StreamHandler()
    spoken.setLevel(logging.WARNING)
    spoken.setFormatter(Hiding("%(message)s"))
    root.addHandler(spoken)
    logging.getLogger("leochat").setLevel(logging.INFO)
    try:
        folder = home / "logs"
        folder.mkdir(mode=0o700, exist_ok=True)
        written = Rotating(folder / FILE, maxBytes=MOST_BYTES, backupCount=OLDER, encoding="utf-8", delay=True)
    except OSError as error:
        logging.getLogger("leochat").warning("No log is kept: %s", error)
        return
    written.setFormatter(Hiding(FORMAT))
    root.addHandler(written)
