"""Wrong arguments of tools of ours are told in the app before anybody is asked, in the words of the server itself."""

from pathlib import Path
from typing import Any

import pytest

from app.mcp_host.unfit import unfit
from mcp_servers import filesystem, memory
from tests.mcp_servers.calls import text_of, tools_of

EDIT = {"oldText": "a", "newText": "b"}
WRONG: list[tuple[str, dict[str, Any]]] = [
    ("read_text_file", {}),
    ("read_text_file", {"path": 5}),
    ("read_text_file", {"path": "a", "head": 0}),
    ("read_text_file", {"path": "a", "head": "many"}),
    ("read_text_file", {"file_path": "a"}),
    ("read_multiple_files", {"paths": []}),
    ("read_multiple_files", {"paths": [1]}),
    ("list_directory_with_sizes", {"path": ".", "sortBy": "date"}),
    ("edit_file", {"path": "a", "edits": [{"old_text": "a"}], "dryRun": "perhaps"}),
    ("edit_file", {"path": "a", "edits": "all of it"}),
    ("grep", {"pattern": "", "limit": 99999}),
    ("write_file", {"path": "a", "content": ["x" * 500]}),
    ("create_entities", {"entities": [{"name": "", "entityType": "x", "observations": "one"}]}),
    ("create_relations", {"relations": [{"source": "a", "to": "b"}]}),
]
RIGHT: list[tuple[str, dict[str, Any]]] = [
    ("read_text_file", {"path": "a.txt", "head": "2", "other": 1}),
    ("read_multiple_files", {"paths": "a.txt"}),
    ("edit_file", {"path": "a.txt", "edits": EDIT, "dryRun": "true"}),
    ("edit_file", {"path": "a.txt", "edits": '[{"oldText": "a", "newText": "b"}]', "dryRun": True}),
    ("create_entities", {"entities": {"name": "Ana", "entityType": "person", "observations": "Sings"}}),
]


@pytest.mark.parametrize(("calls", "right"), [(WRONG, False), (RIGHT, True)])
async def test_the_words_are_the_servers_own(calls: list[tuple[str, dict[str, Any]]], right: bool, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a\n", encoding="utf-8")
    files = filesystem.create({"roots": [str(tmp_path)]})
    graph = memory.create({"data_dir": str(tmp_path / "memory")})
    async with tools_of(files) as one, tools_of(graph) as other:
        schemas = {tool.name: tool.input_schema for it in (one, other) for tool in (await it.client.list_tools()).tools}
        for tool, arguments in calls:
            result = await (other if tool.startswith("create_") else one).result(tool, **arguments)
            said = unfit(tool, schemas[tool], arguments)
            assert (result.is_error, said) == ((False, None) if right else (True, text_of(result))), (tool, arguments)
