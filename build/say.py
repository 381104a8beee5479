"""What the build tool says to people: on stderr, since stdout belongs to the program it starts."""

import contextlib
import sys
import time
from collections.abc import Generator


class SetupError(Exception):
    """Set-up cannot go on; the text is one clear sentence with what to do about it."""


def say(text: str) -> None:
    """One line on stderr."""
    print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def timed(title: str) -> Generator[None]:
    """Say what is being done, and how long it took when it worked."""
    say(f"{title} ...")
    start = time.monotonic()
    yield
    say(f"{title}: done in {time.monotonic() - start:.1f} s")  # with its title, since steps may go on side by side
