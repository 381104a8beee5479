"""The whole of LeoChat without a window."""


class LeoChat: ...
