"""All conversations as one file to keep, and an export taken in: too large for the socket, so by routes of their own."""

import tempfile
from pathlib import Path

from starlette.background import BackgroundTask
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from app.chat.leochat import LeoChat
from app.chat.refused import Refused
from app.web.upload import uploaded

MAX_IMPORT = 1 << 30


def archive_routes(leo: LeoChat) -> list[BaseRoute]:
    async def export(_request: Request) -> Response:
        folder = tempfile.TemporaryDirectory(prefix="leochat-export-")
        target = Path(folder.name) / "conversations.json"
        try:
            await leo.safekeeping.export(target)
        except Refused as refused:
            folder.cleanup()
            raise HTTPException(503, refused.message) from refused
        headers = {"Cache-Control": "no-store"}
        gone = BackgroundTask(folder.cleanup)
        return FileResponse(target, media_type="application/json", filename=target.name, headers=headers, background=gone)

    async def take(request: Request) -> Response:
        async with uploaded(request) as file:
            content = await file.read(MAX_IMPORT + 1)
        if len(content) > MAX_IMPORT:
            raise HTTPException(413, "An export may have at most 1 GiB.")
        try:
            report = await leo.safekeeping.take(content)
        except Refused as refused:
            raise HTTPException(422 if refused.kind == "invalid" else 503, refused.message) from refused
        await leo.library.caught_up()
        return JSONResponse(report.model_dump(mode="json"))

    return [Route("/archive", export), Route("/archive", take, methods=["POST"])]
