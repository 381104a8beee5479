"""What a model can read of an attachment, by how its vendor's requests are written."""

from app.core.messages import Media
from app.providers.history import readable
from app.providers.models_known import claude_version, sees_no_pictures
from app.providers.vendors import Vendor


def reads(vendor: Vendor, model: str, media: Media) -> bool:
    """False where the model is told no more than the attachment's name."""
    match vendor.protocol:
        case "demo":
            return True
        case "gemini":
            return readable(media, pictures=True, documents=True)
        case "anthropic":
            return readable(media, pictures=True, documents=claude_version(model) is not None)
        case _:
            sees = vendor.quirks.images and not sees_no_pictures(model)
            documents = vendor.protocol == "openai-responses" and sees and vendor.name in ("openai", "azure")
            return readable(media, pictures=sees, documents=documents)
