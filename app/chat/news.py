"""What the system's notification says of an event."""

from app.chat.said import ElicitationRequest, Said
from app.core.events import ApprovalRequest, TaskEnd

ENDS = {
    "done": "Done.",
    "cancelled": "Stopped.",
    "round_limit": "At the limit of its rounds.",
    "loop": "Going round in circles.",
    "limit": "At the limit of its time or cost.",
}


def one_line(event: Said) -> str:
    """One line for the system's notification."""
    if isinstance(event, ApprovalRequest):
        return f"{event.call.server or 'A tool'} asks: {event.call.tool or event.call.name}"
    if isinstance(event, ElicitationRequest):
        return f"{event.elicitation.server} asks: {event.elicitation.message}"
    if isinstance(event, TaskEnd):
        return event.error.message if event.error else ENDS.get(event.reason, event.reason)
    return ""
