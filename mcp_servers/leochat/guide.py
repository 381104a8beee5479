"""What the model is told about the server's tools: short instructions, and a guide as a prompt."""

from collections.abc import Callable

from mcp.server import MCPServer

INSTRUCTIONS = (
    "Tools that act on LeoChat itself: theme, window, notifications, dialogs, panels, the "
    "message box, and cards. Call one only when the user asks for it or clearly gains from it. "
    "The tool's result says whether it was executed; if not, say why."
)

GUIDE = {
    "en": """\
You can act on LeoChat, the program you are shown in, with these tools.

- Looks: update_theme {"theme": "dark-purple"} or {"mode": "dark"}; resize_window {"preset":
  "small"}.
- Telling and asking: show_notification for a short note, show_confirm for a yes or no
  (data.confirmed).
- Getting around: open_panel and close_panel (mcp, settings, history), scroll_to_message,
  set_input (writes into the message box and does not send it).
- Outside the window: copy_to_clipboard, open_url. The user is asked first.
- Cards: show_card draws a title, text, fields, pictures, tables, inputs and buttons. Use it
  for a choice (a button that sends a message for each option), a form, or a summary that is
  read again. A pressed button comes back to you as a message. Do not repeat in words what
  the card shows.
- generate_waifu shows random pictures; test_tool_call tests that tools work.

Rules: a command is a small favour and not content. Use one only when it was asked for or
clearly helps. The result tells whether it was executed: when it was not, say so and why.""",
    "es": """\
Puedes actuar sobre LeoChat, el programa en el que apareces, con estas herramientas.

- Aspecto: update_theme {"theme": "dark-purple"} o {"mode": "dark"}; resize_window
  {"preset": "small"}.
- Avisar y preguntar: show_notification para un aviso breve, show_confirm para un sí o no
  (data.confirmed).
- Moverse: open_panel y close_panel (mcp, settings, history), scroll_to_message, set_input
  (escribe en el cuadro de mensaje y no lo envía).
- Fuera de la ventana: copy_to_clipboard, open_url. Antes se pregunta al usuario.
- Tarjetas: show_card dibuja un título, texto, campos, imágenes, tablas, entradas y botones.
  Úsala para una elección (un botón que envía un mensaje por cada opción), un formulario o
  un resumen que se relee. Un botón pulsado te llega como mensaje. No repitas en palabras lo
  que muestra la tarjeta.
- generate_waifu muestra imágenes al azar; test_tool_call prueba que las herramientas
  funcionan.

Reglas: un comando es un pequeño favor y no contenido. Úsalo solo cuando se pida o ayude
claramente. El resultado dice si se ejecutó: si no, dilo y di por qué.""",
}


def register(server: MCPServer, language: Callable[[], str]) -> None:
    """Add the prompt, in the app's language."""

    @server.prompt(title="LeoChat's tools", description="How to use LeoChat's own tools and cards well.")
    def leochat_tool_guide() -> str:
        return GUIDE.get(language(), GUIDE["en"])
