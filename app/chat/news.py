"""What the system's notification says of an event."""

from app.chat.said import ElicitationRequest, Said
from app.core.events import ApprovalRequest, TaskEnd

ENDS = {
    "en": {
        "done": "Done.",
        "cancelled": "Stopped.",
        "round_limit": "At the limit of its rounds.",
        "loop": "Going round in circles.",
        "limit": "At the limit of its time or cost.",
    },
    "es": {
        "done": "Hecho.",
        "cancelled": "Detenida.",
        "round_limit": "Llegó al límite de rondas.",
        "loop": "Da vueltas sin avanzar.",
        "limit": "Llegó al límite de tiempo o de coste.",
    },
}
ASKS = {"en": ("{who} asks: {what}", "A tool"), "es": ("{who} pregunta: {what}", "Una herramienta")}


def one_line(event: Said, language: str) -> str:
    """One line for the system's notification, in the app's language."""
    asks, nameless = ASKS.get(language, ASKS["en"])
    if isinstance(event, ApprovalRequest):
        return asks.format(who=event.call.server or nameless, what=event.call.tool or event.call.name)
    if isinstance(event, ElicitationRequest):
        return asks.format(who=event.elicitation.server, what=event.elicitation.message)
    if isinstance(event, TaskEnd):
        return event.error.message if event.error else ENDS.get(language, ENDS["en"]).get(event.reason, event.reason)
    return ""
