"""The person's own folders as people and models name them: `~/Desktop` is the desktop in every language."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable
from pathlib import Path

NAMES = {
    "desktop": "desktop escritorio bureau schreibtisch scrivania bureaublad pulpit skrivebord skrivbord 桌面 デスクトップ",
    "documents": "documents documentos dokumente documenti documenten dokumenty dokument 文档 文件 ドキュメント",
    "downloads": "downloads descargas téléchargements scaricati transferências pobrane hämtningar 下载 ダウンロード",
    "pictures": "pictures imágenes images bilder immagini imagens obrazy 图片 画像 ピクチャ",
    "music": "music música musique musik musica muzyka 音乐 音楽 ミュージック",
    "videos": "videos vídeos vidéos video wideo 视频 動画 ビデオ",
}
"""What each is called where desktops name their folders in the person's language (xdg-user-dirs' own words)."""


def at_home(text: str) -> str:
    """A path that begins with `~`, whole. A name of the table stands for the system's folder of that kind,
    unless the home folder really holds one of that name."""
    rest = text[1:].lstrip("/\\")
    name, separator, below = _first(rest)
    plain = Path.home() / name if name else Path.home()
    known = known_folder(name)
    if known is None or (os.name != "nt" and os.path.lexists(plain)):
        return str(Path.home()) + text[1:]
    return f"{known}{separator}{below}"


def known_folder(name: str) -> str | None:
    """The system's folder that this name stands for, in whatever language; None for every other name."""
    wanted = unicodedata.normalize("NFC", name).casefold()
    kind = next((kind for kind, names in NAMES.items() if wanted in names.split()), None)
    return None if kind is None else _places()[kind]()


def _places() -> dict[str, Callable[[], str]]:
    import platformdirs

    return {
        "desktop": platformdirs.user_desktop_dir,
        "documents": platformdirs.user_documents_dir,
        "downloads": platformdirs.user_downloads_dir,
        "pictures": platformdirs.user_pictures_dir,
        "music": platformdirs.user_music_dir,
        "videos": platformdirs.user_videos_dir,
    }


def _first(rest: str) -> tuple[str, str, str]:
    ends = [at for at in (rest.find("/"), rest.find("\\")) if at >= 0]
    if not ends:
        return rest, "", ""
    return rest[: min(ends)], rest[min(ends)], rest[min(ends) + 1 :]
