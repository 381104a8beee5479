"""What a person or a program asked for cannot be done, in words for them."""


class Refused(Exception):  # noqa: N818 - it is an answer, not a fault
    """`kind` is one of not_found, busy, invalid, denied, unavailable."""

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind = kind
        self.message = message
