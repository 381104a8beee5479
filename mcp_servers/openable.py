"""Which files a card offers to open: what its program shows and does not run."""

from pathlib import PurePath

DOCUMENTS = frozenset(
    (".docx", ".dotx", ".doc", ".odt", ".rtf", ".xlsx", ".xltx", ".xls", ".xlsb", ".ods", ".csv", ".tsv",
     ".pptx", ".ppt", ".odp",
     ".pdf", ".txt", ".md", ".log", ".json", ".yaml", ".yml", ".xml", ".tex", ".epub",
     ".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".heic", ".avif",
     ".mp3", ".ogg", ".opus", ".wav", ".flac", ".m4a", ".mp4", ".mov", ".webm", ".mkv", ".avi")
)  # fmt: skip
"""Pages with scripts, documents with macros, programs and links are not here."""


def is_document(path: str) -> bool:
    """Whether a file of this name is one of them."""
    return PurePath(path).suffix.lower() in DOCUMENTS
