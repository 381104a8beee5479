"""All conversations as one file to keep, and an export taken in: too large for the socket, so by routes of their own."""

import tempfile
from pathlib import Path
from typing import Annotated

from fastapi import FastAPI, File, HTTPException, UploadFile
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from app.chat.facts import Imported
from app.chat.leochat import LeoChat
from app.chat.refused import Refused

MAX_IMPORT = 1 << 30


def add_archive(app: FastAPI, leo: LeoChat) -> None:
    async def export() -> FileResponse:
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

    async def take(file: Annotated[UploadFile, File()]) -> Imported:
        content = await file.read(MAX_IMPORT + 1)
        if len(content) > MAX_IMPORT:
            raise HTTPException(413, "An export may have at most 1 GiB.")
        try:
            report = await leo.safekeeping.take(content)
        except Refused as refused:
            raise HTTPException(422 if refused.kind == "invalid" else 503, refused.message) from refused
        leo.library.changed()
        return report

    app.add_api_route("/archive", export, methods=["GET"])
    app.add_api_route("/archive", take, methods=["POST"])
