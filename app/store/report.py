"""What became of an import, for the person who asked for it."""

from app.core.frozen import Frozen


class ImportReport(Frozen):
    """`conversations` are the new ones' ids; `already` were there; `notes` say what was not understood or was added.

    Each note is a sentence.
    """

    program: str
    conversations: tuple[str, ...] = ()
    messages: int = 0
    already: int = 0
    notes: tuple[str, ...] = ()
