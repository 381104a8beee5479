"""A person is told of an attachment that the chosen model cannot read, once for each message it goes with."""

from app.chat.said import Notice
from app.core.messages import Media
from app.providers.reads import reads
from app.providers.vendors import VENDORS
from tests.chat.conftest import Opener, said, watched

DOCX = Media(media_type="application/vnd.openxmlformats-officedocument.wordprocessingml.document", data=b"PK\x03\x04\x00\xff")
PDF = Media(media_type="application/pdf", data=b"%PDF-1.7\n\xe2\xe3\x00")
PICTURE = Media(media_type="image/png", data=b"\x89PNG\x00")
NOTE = Media(media_type="application/octet-stream", data="plain words, ¿no?".encode())


def test_what_each_vendor_reads_is_told_as_its_requests_are_written() -> None:
    readers = {
        ("openai", "gpt-5.1"): (False, True, True, True),
        ("anthropic", "claude-sonnet-4-5"): (False, True, True, True),
        ("gemini", "gemini-2.5-flash"): (False, True, True, True),
        ("openrouter", "some/vl-model"): (False, False, True, True),
        ("deepseek", "deepseek-chat"): (False, False, False, True),
        ("ollama", "smollm2"): (False, False, False, True),
    }
    for (vendor, model), told in readers.items():
        assert tuple(reads(VENDORS[vendor], model, media) for media in (DOCX, PDF, PICTURE, NOTE)) == told, vendor


async def test_an_attachment_that_nobody_reads_is_told_with_its_name_and_only_with_its_message(opened: Opener) -> None:
    leo = await opened()
    session, watcher = await watched(leo)
    docx = await leo.store.blobs.put(DOCX.data, DOCX.media_type, "report.docx")
    note = await leo.store.blobs.put(b"hello", "text/plain", "note.txt")
    leo.settings.set("providers", [{"name": "custom", "vendor": "custom", "base_url": "http://127.0.0.1:9/v1"}])
    await session.set_options({"provider": "custom", "model": "small"})
    await said(session, "read both", attachments=(docx, note))
    await said(session, "and now?")
    (told,) = watcher.of(Notice)
    assert told.message == "small cannot read report.docx: it is told only what it is called."
    assert (told.key, told.params) == ("provider.unread", {"model": "small", "name": "report.docx"})
