"""What may be reached and shown of the net."""

from typing import Annotated, TypeAlias

from pydantic import Field

from app.core.frozen import Frozen
from app.settings.words import es

Host: TypeAlias = Annotated[str, Field(min_length=1, max_length=253, pattern=r"^[^\s/@]+$")]


class Network(Frozen):
    picture_hosts: tuple[Host, ...] = Field(
        default=(),
        title="Hosts of pictures",
        description="Pictures from these hosts are shown at once; any other one waits for a click.",
        json_schema_extra=es(
            "Servidores de imágenes", "Las imágenes de estos servidores se muestran enseguida; las demás esperan un clic."
        ),
    )
    picture_servers: tuple[str, ...] = Field(
        default=(),
        title="Servers whose pictures are shown",
        description="MCP servers whose cards may show remote pictures at once.",
        json_schema_extra=es(
            "Servidores MCP con imágenes", "Servidores MCP cuyas tarjetas pueden mostrar imágenes remotas enseguida."
        ),
    )
    open_hosts: tuple[Host, ...] = Field(
        default=(),
        title="Hosts that may be read although they are not public",
        description="Pages of these hosts may be fetched, such as intranet.example or 127.0.0.1:8000. "
        "Otherwise only the public web can be.",
        json_schema_extra=es(
            "Servidores no públicos que se pueden leer",
            "Se pueden leer páginas de estos servidores, como intranet.example o 127.0.0.1:8000. "
            "Fuera de ellos, solo la web pública.",
        ),
    )
    obey_robots: bool = Field(
        default=True,
        title="Obey robots.txt",
        description="Pages that ask programs not to read them are left alone.",
        json_schema_extra=es("Respetar robots.txt", "No se leen las páginas que piden que ningún programa las lea."),
    )
