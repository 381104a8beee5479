"""How large the models' context windows are, as their endpoints listed them: known again after a restart."""

from app.store.kept import Kept

KEY = "models.windows"


class ListedWindows:
    """Tokens by base URL and model; without `kept` for this run only."""

    def __init__(self, kept: Kept | None = None):
        self._kept = kept
        self._loaded = kept is None
        self._windows: dict[str, dict[str, int]] = {}

    async def load(self) -> None:
        """Read what was listed in earlier runs, once; what was listed in this one is newer."""
        if self._loaded or self._kept is None:
            return
        kept = await self._kept.get(KEY)
        self._loaded = True
        for url, models in kept.items() if isinstance(kept, dict) else ():
            if isinstance(models, dict):
                earlier = {model: tokens for model, tokens in models.items() if isinstance(tokens, int)}
                self._windows[url] = {**earlier, **self._windows.get(url, {})}

    def get(self, base_url: str, model: str) -> int | None:
        return self._windows.get(base_url, {}).get(model)

    async def note(self, base_url: str, windows: dict[str, int]) -> None:
        """What an endpoint says now, in place of what it said before; an endpoint that says nothing changes nothing."""
        if not windows or windows == self._windows.get(base_url):
            return
        self._windows[base_url] = windows
        if self._kept is not None:
            await self._kept.change(KEY, lambda old: {**(old if isinstance(old, dict) else {}), base_url: dict(windows)})
