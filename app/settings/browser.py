"""The browser that tools use."""

from pydantic import Field

from app.core.frozen import Frozen
from app.settings.words import es


class Browser(Frozen):
    headless: bool = Field(
        default=True,
        title="Out of sight",
        description="The browser that tools use has no window. Off: you see what it does and can sign in to sites yourself. "
        "Holds from its next start.",
        json_schema_extra=es(
            "Sin ventana",
            "El navegador que usan las herramientas no se ve. Si lo apagas, ves lo que hace y puedes iniciar sesión tú. "
            "Vale desde su próximo arranque.",
        ),
    )
    program: str = Field(
        default="",
        title="Browser to use",
        description="The program of a Chrome, Edge or Chromium. Empty: the one that is found.",
        max_length=4096,
        json_schema_extra=es("Navegador que se usa", "El programa de un Chrome, Edge o Chromium. Vacío: el que se encuentre."),
    )
    sandbox: bool = Field(
        default=True,
        title="Sandbox",
        description="The browser keeps each page in a cage of its own. Off only where the system cannot do that.",
        json_schema_extra=es(
            "Aislamiento", "El navegador encierra cada página por separado. Apágalo solo si el sistema no puede hacerlo."
        ),
    )
