"""What of the memory goes along with messages."""

from pydantic import Field

from app.core.frozen import Frozen
from app.settings.words import es


class Memory(Frozen):
    recall: bool = Field(
        default=False,
        title="Use what is remembered",
        description="Facts that fit your message go along with it to the model. Each message shows which ones did.",
        json_schema_extra=es(
            "Usar lo recordado",
            "Los datos que encajan con tu mensaje van con él al modelo. Cada mensaje muestra cuáles fueron.",
        ),
    )
    recall_chars: int = Field(
        default=1500,
        title="How much goes along",
        description="Characters of what is remembered that go along with one message, at most.",
        ge=200,
        le=20_000,
        json_schema_extra=es("Cuánto va con el mensaje", "Caracteres de lo recordado que van con un mensaje, como mucho."),
    )
    offered: bool = Field(
        default=False,
        title="Offered",
        description="You were told once that this can be switched on.",
        json_schema_extra={**es("Ofrecido", "Ya se te dijo una vez que esto se puede activar."), "hidden": True},
    )
