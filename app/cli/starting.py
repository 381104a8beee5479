"""What makes a start quick: nothing is looked for that cannot be there."""

import gc
import os
from collections.abc import Generator
from contextlib import contextmanager

# No plug-in of pydantic's is wanted; to look for one is to read the metadata of every installed package.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")


@contextmanager
def starting() -> Generator[None]:
    """No garbage collection meanwhile: modules and classes stay, and walking through them takes a tenth of the start.

    What is there at the end counts as permanent, so that later collections need not walk through it either.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
