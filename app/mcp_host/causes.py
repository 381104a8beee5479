"""What really went wrong: the errors inside a group, in words."""

import asyncio
from typing import cast

SHOWN = 3


def leaves(error: BaseException) -> list[BaseException]:
    """The exceptions in a group, flat, or the one itself."""
    if isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", error)
        return [leaf for one in group.exceptions for leaf in leaves(one)]
    return [error]


def cause_words(error: BaseException) -> str:
    """`Kind: message` of what is in it, at most three of them, each once; a group itself tells nobody anything."""
    found = leaves(error)
    telling = [one for one in found if not isinstance(one, asyncio.CancelledError)] or found
    words = [f"{type(one).__name__}: {one}".rstrip(": ") for one in telling]
    return "; ".join(list(dict.fromkeys(words))[:SHOWN])
