"""What the page talks to, behind the front door: attachments, archives and the socket."""

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from app.chat.leochat import LeoChat
from app.web.archive import archive_routes
from app.web.socket import serve_socket
from app.web.upload import uploaded

MAX_ATTACHMENT = 64 * 1024 * 1024
SHOWN_INLINE = ("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "image/svg+xml")


def make_app(leo: LeoChat, token: str) -> Starlette:
    """The routes; they hold nothing but what the guard let through."""

    async def socket(websocket: WebSocket) -> None:
        await serve_socket(websocket, leo, token)

    routes: list[BaseRoute] = [*_attachment_routes(leo), *archive_routes(leo), WebSocketRoute("/ws", socket)]
    return Starlette(routes=routes, exception_handlers={HTTPException: _failed})


async def _failed(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": {"message": error.detail}}, error.status_code)


def _attachment_routes(leo: LeoChat) -> list[BaseRoute]:
    async def attach(request: Request) -> Response:
        async with uploaded(request) as file:
            data = await file.read(MAX_ATTACHMENT + 1)
        if len(data) > MAX_ATTACHMENT:
            raise HTTPException(413, "A file may have at most 64 MiB.")
        media_type = file.content_type or "application/octet-stream"
        ref = await leo.store.blobs.put(data, media_type, file.filename)
        return JSONResponse({"ref": ref, "media_type": media_type, "name": file.filename, "size": len(data)})

    async def attachment(request: Request) -> Response:
        found = await leo.store.blobs.get(request.path_params["ref"])
        if found is None:
            raise HTTPException(404)
        inline = found.media_type in SHOWN_INLINE
        headers = {
            "Content-Disposition": "inline" if inline else "attachment",
            "Cache-Control": "private, max-age=31536000, immutable",
            "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        }
        return Response(found.data, media_type=found.media_type, headers=headers)

    return [Route("/attachments", attach, methods=["POST"]), Route("/attachments/{ref}", attachment)]
