"""Every setting is one Field here: its default, its limits, and its words in English and Spanish for the dialog."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from app.core.frozen import Frozen
from app.core.provider import Thinking
from app.settings.browser import Browser
from app.settings.desktop_fields import Program
from app.settings.memory import Memory
from app.settings.network import Network
from app.settings.words import es

Folder: TypeAlias = Annotated[str, Field(min_length=1, max_length=4096)]


PER_MILLION = es("Precio", "Dólares por un millón de tokens.")


class General(Frozen):
    language: Literal["system", "en", "es"] = Field(
        default="system",
        title="Language",
        description="The language of LeoChat itself. “System” follows your computer.",
        json_schema_extra=es("Idioma", "El idioma de LeoChat. «Sistema» sigue al de tu ordenador."),
    )
    theme: str = Field(
        default="light",
        title="Theme",
        description="The colours of the window.",
        pattern=r"^[a-z0-9][a-z0-9-]{0,40}$",
        json_schema_extra=es("Tema", "Los colores de la ventana."),
    )
    follow_system: bool = Field(
        default=True,
        title="Light or dark as the system",
        description="Switch between the light and the dark form of the theme when your computer does.",
        json_schema_extra=es(
            "Claro u oscuro como el sistema", "Cambia entre el tema claro y el oscuro cuando lo haga tu ordenador."
        ),
    )
    text_size: int = Field(
        default=100,
        title="Text size",
        description="In percent of the normal size.",
        ge=80,
        le=200,
        json_schema_extra=es("Tamaño del texto", "En tanto por ciento del tamaño normal."),
    )
    notifications: bool = Field(
        default=True,
        title="Notifications",
        description="Tell me when a task ends or asks something while the window is out of sight.",
        json_schema_extra=es(
            "Notificaciones", "Avísame cuando una tarea acabe o pregunte algo con la ventana fuera de la vista."
        ),
    )


class Model(Frozen):
    provider: str = Field(
        default="",
        title="Provider",
        description="Who answers in a new conversation. Empty: the demo model.",
        json_schema_extra=es("Proveedor", "Quién responde en una conversación nueva. Vacío: el modelo de demostración."),
    )
    model: str = Field(
        default="",
        title="Model",
        description="The provider's model for a new conversation. Empty: the provider's own choice.",
        json_schema_extra=es(
            "Modelo", "El modelo del proveedor para una conversación nueva. Vacío: el que elija el proveedor."
        ),
    )
    system: str = Field(
        default="",
        title="System prompt",
        description="What every new conversation tells the model first.",
        json_schema_extra=es("Instrucciones", "Lo primero que cada conversación nueva le dice al modelo."),
    )
    temperature: float | None = Field(
        default=None,
        title="Temperature",
        description="0 is strict, 2 is wild. Empty: the model's own default.",
        ge=0,
        le=2,
        json_schema_extra=es("Temperatura", "0 es estricto, 2 es libre. Vacío: el valor propio del modelo."),
    )
    max_tokens: int | None = Field(
        default=None,
        title="Longest reply",
        description="In tokens. Empty: as long as the model may.",
        ge=1,
        json_schema_extra=es("Respuesta más larga", "En tokens. Vacío: lo que permita el modelo."),
    )
    thinking: Thinking | None = Field(
        default=None,
        title="Thinking",
        description="How much the model thinks before it answers: off, low, medium, high or a number of tokens.",
        json_schema_extra=es(
            "Razonamiento", "Cuánto piensa el modelo antes de responder: off, low, medium, high o un número de tokens."
        ),
    )
    max_rounds: int = Field(
        default=50,
        title="Rounds of a task",
        description="After so many model calls a task closes with an answer and asks you whether to go on.",
        ge=1,
        le=1000,
        json_schema_extra=es(
            "Rondas de una tarea", "Tras tantas llamadas al modelo la tarea cierra con una respuesta y pregunta si sigue."
        ),
    )
    result_limit: int = Field(
        default=3000,
        title="Length of tool results",
        description="Characters of a tool's result that the model gets at once; it can read the rest in pages.",
        ge=200,
        le=1_000_000,
        json_schema_extra=es(
            "Longitud de los resultados",
            "Caracteres del resultado de una herramienta que recibe el modelo; el resto lo lee por páginas.",
        ),
    )
    tools_percent: int = Field(
        default=10,
        title="Room for tools",
        description="Percent of the model's context that tools of third-party servers may take; "
        "beyond it the model finds them by a search. 0: always searched. 100: always all listed.",
        ge=0,
        le=100,
        json_schema_extra=es(
            "Sitio para herramientas",
            "Tanto por ciento del contexto del modelo para herramientas de servidores de terceros; "
            "si no caben, el modelo las busca. 0: siempre se buscan. 100: siempre se listan todas.",
        ),
    )


class Approvals(Frozen):
    mode: Literal["ask", "reads", "all", "none"] = Field(
        default="ask",
        title="Approval of tools",
        description="Ask: reads run, the rest asks. Reads: the rest is denied. All: everything runs. None: nothing runs.",
        json_schema_extra=es(
            "Permiso de las herramientas",
            "Ask: las lecturas se ejecutan y lo demás pregunta. Reads: lo demás se deniega. All: todo se ejecuta. None: nada.",
        ),
    )


class Folders(Frozen):
    allowed: tuple[Folder, ...] = Field(
        default=(),
        title="Allowed folders",
        description="Folders that LeoChat's own servers may read and write besides the one in your documents.",
        max_length=200,
        json_schema_extra=es(
            "Carpetas permitidas",
            "Carpetas que los servidores propios de LeoChat pueden leer y escribir además de la de tus documentos.",
        ),
    )


class Limits(Frozen):
    task_minutes: float = Field(
        default=0,
        title="Longest task",
        description="In minutes; the task then stops and asks. 0: no limit.",
        ge=0,
        json_schema_extra=es("Tarea más larga", "En minutos; después la tarea se detiene y pregunta. 0: sin límite."),
    )
    task_cost: float = Field(
        default=0,
        title="Dearest task",
        description="In US dollars, where the provider says its prices; the task then stops and asks. 0: no limit.",
        ge=0,
        json_schema_extra=es(
            "Tarea más cara",
            "En dólares, si el proveedor dice sus precios; después la tarea se detiene y pregunta. 0: sin límite.",
        ),
    )
    tool_seconds: float = Field(
        default=120,
        title="Time for a tool",
        description="Seconds without progress after which a tool call is given up.",
        ge=1,
        le=86_400,
        json_schema_extra=es("Tiempo de una herramienta", "Segundos sin avance tras los que se abandona una llamada."),
    )
    connect_seconds: float = Field(
        default=10,
        title="Time to connect",
        description="Seconds within which a provider must take the connection.",
        ge=1,
        le=600,
        json_schema_extra=es("Tiempo de conexión", "Segundos en los que un proveedor debe aceptar la conexión."),
    )
    first_event_seconds: float = Field(
        default=60,
        title="Time to the first word",
        description="Seconds until a provider must begin to answer; one on this computer has five times as long.",
        ge=1,
        le=3600,
        json_schema_extra=es(
            "Tiempo hasta la primera palabra",
            "Segundos en los que un proveedor debe empezar a responder; en este ordenador, cinco veces más.",
        ),
    )
    silence_seconds: float = Field(
        default=120,
        title="Longest silence",
        description="Seconds of silence after which a stream counts as cut off.",
        ge=1,
        le=3600,
        json_schema_extra=es("Silencio más largo", "Segundos de silencio tras los que se da por cortada una respuesta."),
    )


class Knowledge(Frozen):
    embedding_protocol: Literal["openai", "ollama"] = Field(
        default="openai",
        title="Protocol",
        description="How the embedding model is spoken to.",
        json_schema_extra=es("Protocolo", "Cómo se habla con el modelo de embeddings."),
    )
    embedding_address: str = Field(
        default="",
        title="Address",
        description="Of the embedding model's endpoint. Empty: search by words alone.",
        pattern=r"^$|^https?://[^\s@]+$",
        json_schema_extra=es("Dirección", "Del servidor del modelo de embeddings. Vacía: buscar solo por palabras."),
    )
    embedding_model: str = Field(
        default="",
        title="Model",
        description="The embedding model, as its endpoint calls it.",
        max_length=200,
        json_schema_extra=es("Modelo", "El modelo de embeddings, como lo llama su servidor."),
    )


class Window(Frozen):
    width: int = Field(
        default=1200,
        title="Window width",
        description="In pixels.",
        ge=400,
        le=20_000,
        json_schema_extra=es("Ancho de la ventana", "En píxeles."),
    )
    height: int = Field(
        default=800,
        title="Window height",
        description="In pixels.",
        ge=300,
        le=20_000,
        json_schema_extra=es("Alto de la ventana", "En píxeles."),
    )
    x: int | None = Field(
        default=None,
        title="Left edge",
        description="In pixels from the left of the desktop. Empty: in the middle.",
        ge=-50_000,
        le=50_000,
        json_schema_extra=es("Borde izquierdo", "En píxeles desde la izquierda del escritorio. Vacío: en el centro."),
    )
    y: int | None = Field(
        default=None,
        title="Upper edge",
        description="In pixels from the top of the desktop. Empty: in the middle.",
        ge=-50_000,
        le=50_000,
        json_schema_extra=es("Borde superior", "En píxeles desde arriba del escritorio. Vacío: en el centro."),
    )
    maximised: bool = Field(
        default=False,
        title="Maximised",
        description="The window fills the screen.",
        json_schema_extra=es("Maximizada", "La ventana llena la pantalla."),
    )


class TokenPrice(Frozen):
    """US dollars for a million tokens; `cached`: input read from the provider's cache, None: as other input."""

    input: float = Field(ge=0, title="Input", description="US dollars for a million tokens.", json_schema_extra=PER_MILLION)
    output: float = Field(ge=0, title="Output", description="US dollars for a million tokens.", json_schema_extra=PER_MILLION)
    cached: float | None = Field(
        default=None, ge=0, title="Cached", description="US dollars for a million tokens.", json_schema_extra=PER_MILLION
    )


class ProviderEntry(Frozen):
    """A provider the person saved. Its key is not here but in `Secrets`, under the vendor and the base URL's host."""

    name: str = Field(
        title="Name",
        description="How it is shown and chosen.",
        min_length=1,
        max_length=80,
        json_schema_extra=es("Nombre", "Cómo se muestra y se elige."),
    )
    vendor: str = Field(
        title="Vendor",
        description="A row of the vendor table; “custom” for any compatible address.",
        min_length=1,
        json_schema_extra=es(
            "Fabricante", "Una fila de la tabla de proveedores; «custom» para cualquier dirección compatible."
        ),
    )
    protocol: str = Field(
        default="",
        title="Protocol",
        description="Empty: the vendor's.",
        json_schema_extra=es("Protocolo", "Vacío: el del fabricante."),
    )
    base_url: str = Field(
        default="",
        title="Base URL",
        description="Empty: the vendor's.",
        pattern=r"^$|^https?://[^\s@]+$",
        json_schema_extra=es("URL base", "Vacía: la del fabricante."),
    )
    model: str = Field(
        default="",
        title="Model",
        description="The model used unless another is chosen.",
        json_schema_extra=es("Modelo", "El modelo que se usa si no se elige otro."),
    )
    favourites: tuple[str, ...] = Field(
        default=(),
        title="Favourite models",
        description="Listed first in the model picker.",
        json_schema_extra=es("Modelos favoritos", "Los primeros en la lista de modelos."),
    )
    context: dict[str, Annotated[int, Field(ge=256)]] = Field(
        default={},
        title="Context windows",
        description="Tokens by model, where you know better than the endpoint.",
        json_schema_extra=es("Ventanas de contexto", "Tokens por modelo, donde lo sabes mejor que el servidor."),
    )
    prices: dict[str, TokenPrice] = Field(
        default={},
        title="Prices",
        description="By model, in US dollars, where you pay something else than LeoChat's table says.",
        json_schema_extra=es("Precios", "Por modelo, en dólares, si pagas otra cosa que la tabla de LeoChat."),
    )


class Settings(Frozen):
    """All settings of this person, each with its default. There is no telemetry, so there is no setting for it."""

    general: General = Field(default=General(), title="General", json_schema_extra={"es": {"title": "General"}})
    model: Model = Field(default=Model(), title="Model", json_schema_extra={"es": {"title": "Modelo"}})
    approvals: Approvals = Field(default=Approvals(), title="Approvals", json_schema_extra={"es": {"title": "Permisos"}})
    folders: Folders = Field(default=Folders(), title="Folders", json_schema_extra={"es": {"title": "Carpetas"}})
    limits: Limits = Field(default=Limits(), title="Limits", json_schema_extra={"es": {"title": "Límites"}})
    network: Network = Field(default=Network(), title="Network", json_schema_extra={"es": {"title": "Red"}})
    browser: Browser = Field(default=Browser(), title="Browser", json_schema_extra={"es": {"title": "Navegador"}})
    memory: Memory = Field(default=Memory(), title="Memory", json_schema_extra={"es": {"title": "Memoria"}})
    program: Program = Field(default=Program(), title="Program", json_schema_extra={"es": {"title": "Programa"}})
    knowledge: Knowledge = Field(
        default=Knowledge(), title="Knowledge", json_schema_extra={"es": {"title": "Conocimiento"}, "hidden": True}
    )
    window: Window = Field(default=Window(), title="Window", json_schema_extra={"es": {"title": "Ventana"}, "hidden": True})
    providers: tuple[ProviderEntry, ...] = Field(
        default=(), title="Providers", json_schema_extra={"es": {"title": "Proveedores"}, "hidden": True}
    )
