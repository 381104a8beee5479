"""Named points at which a test can kill the process, to prove that what was acknowledged is kept.

`LEOCHAT_FAILPOINT=name` kills at the first hit of `name`, `name:N` at the Nth. Unset, a point costs one function call.
"""

import os
import signal
import sys
import threading
from typing import Final

FAILPOINTS: Final = (
    "store.before_commit",
    "store.after_commit",
    "store.append.written",
    "store.partial.written",
    "store.task.begun",
    "store.task.ended",
    "store.checkpoint.written",
    "store.purge.written",
    "store.blob.written",
    "store.blob.renamed",
    "store.migrate.before",
    "store.migrate.backed_up",
    "store.migrate.applied",
    "store.migrate.committed",
    "store.backup.copied",
    "store.backup.verified",
    "store.backup.renamed",
    "store.restore.copied",
    "store.restore.moved",
)
"""Every point of this room, in no order; callers above may use names of their own."""

_name = ""
_left = 1
_lock = threading.Lock()


def arm(text: str) -> None:
    """Choose where to die, as the variable does: `name`, `name:N`, or nothing."""
    global _name, _left  # noqa: PLW0603  a process-wide choice is what a failpoint is
    _name, _, count = text.partition(":")
    _left = int(count) if count.isdigit() else 1


arm(os.environ.get("LEOCHAT_FAILPOINT", ""))


def failpoint(name: str) -> None:
    """Die here, at once and without clean-up, if a test asked for it."""
    if name == _name:
        _hit()


def _hit() -> None:
    global _left  # noqa: PLW0603  a process-wide count is what a failpoint is
    with _lock:
        _left -= 1
        if _left:
            return
        if sys.platform == "win32":
            os._exit(137)
        os.kill(os.getpid(), signal.SIGKILL)
        signal.pause()
