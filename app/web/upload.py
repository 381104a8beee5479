"""The one file of a multipart request."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request


@asynccontextmanager
async def uploaded(request: Request) -> AsyncGenerator[UploadFile]:
    """What was sent as `file`, on the disk while it is read; 422 where nothing was."""
    async with request.form(max_files=1) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise HTTPException(422, "Send one file, as the field `file` of a form.")
        yield file
