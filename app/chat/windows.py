"""The windows attached."""


class Window: ...
