"""Pictures written into a text as `data:` addresses."""

import base64
import binascii
from urllib.parse import unquote_to_bytes

SHOWN = (
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/svg+xml",
    "image/avif",
    "image/bmp",
)


def decode_data_url(url: str) -> tuple[str, bytes] | None:
    """(media type, bytes) of a `data:` picture; None where it is no picture or cannot be decoded (RFC 2397)."""
    head, comma, body = url.removeprefix("data:").partition(",")
    media_type, *parameters = [p.strip() for p in head.split(";")]
    if not comma or media_type.lower() not in SHOWN:
        return None
    if "base64" not in [p.lower() for p in parameters]:
        return media_type.lower(), unquote_to_bytes(body)
    try:
        return media_type.lower(), base64.b64decode(unquote_to_bytes(body), validate=False)
    except (binascii.Error, ValueError):
        return None
