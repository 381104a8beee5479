"""Tells the person of an attachment that the chosen model cannot read: it would only get to know its name."""

from collections.abc import Callable

from app.chat.rooms import Choice, ModelSource
from app.chat.said import Notice
from app.core.messages import Media
from app.core.saying import saying
from app.providers.sentences import sentence


def unread(models: ModelSource, choice: Choice, emit: Callable[[Notice], None]) -> Callable[[Media], None]:
    """What is to be called with each attachment of a message that is about to be answered."""

    def attached(media: Media) -> None:
        if models.reads(choice.provider, choice.model, media):
            return
        said = saying("provider.unread", model=choice.model or choice.provider, name=media.name or media.media_type)
        emit(Notice("warning", sentence(said), said["key"], dict(said["with"])))

    return attached
