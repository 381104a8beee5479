"""Trouble in words, in English where it is told and in the person's language where it is shown."""

from app.mcp_host.status import Problem, ProblemKind

# English sentence as written in the code, to Spanish; a test finds what is missing.
SPANISH = {
    "The command {command} was not found.": "No se ha encontrado el comando {command}.",
    "There is no program at {command}.": "No hay ningún programa en {command}.",
    "Install it, or write the whole path of the program.": "Instálalo o escribe la ruta completa del programa.",
    "Install Node.js, which brings {command}.": "Instala Node.js, que trae {command}.",
    "Install uv, which brings {command}.": "Instala uv, que trae {command}.",
    "Install Docker and start it.": "Instala Docker y arráncalo.",
    "Install Python, or write python3.": "Instala Python o escribe python3.",
    "Install Deno.": "Instala Deno.",
    "Install Bun, which brings {command}.": "Instala Bun, que trae {command}.",
    "{name} could not be started: {reason}.": "{name} no se ha podido iniciar: {reason}.",
    "Check the command and its folder.": "Comprueba el comando y su carpeta.",
    "Check the command.": "Comprueba el comando.",
    "{name} ended with exit code {code}.": "{name} ha terminado con el código de salida {code}.",
    "{name} was ended by signal {code}.": "{name} ha sido terminado por la señal {code}.",
    "Its last lines say why.": "Sus últimas líneas dicen por qué.",
    "It wrote nothing about why; run the command in a terminal.": (
        "No ha escrito nada sobre el motivo; ejecuta el comando en una terminal."
    ),
    "{name} did not answer within {seconds} s.": "{name} no ha respondido en {seconds} s.",
    "Try again, or give it a longer time limit.": "Inténtalo de nuevo o dale un límite de tiempo mayor.",
    "{name} did not shake hands as MCP servers do: {reason}.": (
        "{name} no ha saludado como hacen los servidores MCP: {reason}."
    ),
    "Check that the command starts an MCP server, and update it.": (
        "Comprueba que el comando inicia un servidor MCP y actualízalo."
    ),
    "{name} could not be connected: {reason}.": "No se ha podido conectar con {name}: {reason}.",
    "{name} answered HTTP {status}.": "{name} ha respondido HTTP {status}.",
    "Sign in, or put a token into its headers: it wants to know who asks.": (
        "Inicia sesión o pon un token en sus cabeceras: quiere saber quién pregunta."
    ),
    "{name} wants you to sign in.": "{name} quiere que inicies sesión.",
    "Signing in to {name} failed: {reason}.": "No se ha podido iniciar sesión en {name}: {reason}.",
    "Sign in.": "Inicia sesión.",
    "Sign in again.": "Inicia sesión de nuevo.",
    "Check the token in its headers: it is not allowed to use this server.": (
        "Comprueba el token de sus cabeceras: no tiene permiso para usar este servidor."
    ),
    "Check the URL: there is no MCP server at this path.": "Comprueba la URL: no hay ningún servidor MCP en esta ruta.",
    "Check the URL: this path takes no MCP messages.": "Comprueba la URL: esta ruta no acepta mensajes MCP.",
    "It gets too many requests: wait a while.": "Recibe demasiadas peticiones: espera un rato.",
    "Try again later; the trouble is at the server.": "Inténtalo más tarde; el problema está en el servidor.",
    "Check the URL.": "Comprueba la URL.",
    "{name} cannot be reached: {reason}.": "No se puede llegar a {name}: {reason}.",
    "{name} did not answer in time.": "{name} no ha respondido a tiempo.",
    "Check the address, and that the server runs.": "Comprueba la dirección y que el servidor esté en marcha.",
    "{where} needs {reference}, which is not set.": "{where} necesita {reference}, que no tiene valor.",
    "Set this environment variable, or write the value itself into the server's settings.": (
        "Define esta variable de entorno o escribe el valor mismo en los ajustes del servidor."
    ),
    "Its command was not accepted yet, so it was not started.": (
        "Su comando aún no ha sido aceptado, así que no se ha iniciado."
    ),
    "Look at the whole command and accept it.": "Mira el comando completo y acéptalo.",
    "The server {name} that comes with LeoChat could not start: {reason}.": (
        "El servidor {name}, que viene con LeoChat, no ha podido iniciarse: {reason}."
    ),
    "Its log says more.": "Su registro dice más.",
    "The MCP library cannot be loaded: {reason}.": "No se puede cargar la biblioteca MCP: {reason}.",
    "Install LeoChat again.": "Instala LeoChat de nuevo.",
    "{name} closed its output.": "{name} ha cerrado su salida.",
    "The connection to {name} was lost.": "Se ha perdido la conexión con {name}.",
    "{name} was closed.": "{name} se ha cerrado.",
}


def problem(kind: ProblemKind, cause: str, cure: str = "", *, detail: str = "", retry: bool = True, **values: str) -> Problem:
    """A problem whose sentences have `{…}` where the values go."""
    return Problem(
        kind=kind,
        cause=cause.format_map(values),
        cure=cure.format_map(values),
        detail=detail,
        retry=retry,
        patterns=(cause, cure),
        values=values,
    )


def in_language(told: Problem, language: str) -> Problem:
    """The same problem for a person who reads `language`; English where there is no other."""
    if language != "es" or not told.patterns:
        return told
    cause, cure = (SPANISH.get(p, p).format_map(told.values) for p in told.patterns)
    return told.model_copy(update={"cause": cause, "cure": cure})
