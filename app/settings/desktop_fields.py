"""The settings of the program as a guest of the desktop: staying in the tray, looking for a newer version."""

from pydantic import Field

from app.core.frozen import Frozen
from app.settings.words import es


class Program(Frozen):
    keep_running: bool = Field(
        default=False,
        title="Keep running in the tray",
        description="Closing the window hides it; tasks go on. The icon in the tray brings it back, or ends the program.",
        json_schema_extra=es(
            "Seguir en la bandeja",
            "Cerrar la ventana la esconde; las tareas siguen. El icono de la bandeja la trae de vuelta o termina el programa.",
        ),
    )
    updates: bool = Field(
        default=False,
        title="Look for a newer version",
        description="Once a day the address below is asked for the newest version. You are told; nothing is installed.",
        json_schema_extra=es(
            "Buscar una versión nueva",
            "Una vez al día se pregunta a la dirección de abajo el número de la última versión. Se avisa; no se instala nada.",
        ),
    )
    updates_from: str = Field(
        default="",
        title="Where to look",
        description="An https address of a small JSON file: version, url. Empty: the one this edition came with, if any.",
        pattern=r"^$|^https?://[^\s@]+$",
        json_schema_extra=es(
            "Dónde buscar",
            "La dirección https de un pequeño archivo JSON: version, url. Vacía: la de esta edición, si la tiene.",
        ),
    )
