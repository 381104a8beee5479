"""What really went wrong: the errors inside a group, in words."""

import asyncio
from typing import Any, cast

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
    words = [misfit_words(one) or f"{type(one).__name__}: {one}".rstrip(": ") for one in telling]
    return "; ".join(list(dict.fromkeys(words))[:SHOWN])


def misfit_words(error: BaseException) -> str:
    """Of a message that is not as the protocol has it: its first fields that are wrong, on one line. Empty for other errors."""
    # By its form: the library's class would have to be loaded for a room that may never need it.
    listed: Any = getattr(error, "errors", None)
    if not isinstance(error, ValueError) or not callable(listed):
        return ""
    found = cast(
        "list[dict[str, Any]]", cast("Any", error).errors(include_url=False, include_context=False, include_input=False)
    )
    words = [f"{'.'.join(str(part) for part in one['loc']) or 'it'}: {one['msg']}" for one in found]
    return "; ".join(list(dict.fromkeys(words))[:SHOWN])
