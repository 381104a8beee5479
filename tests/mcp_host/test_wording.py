"""Trouble is told in sentences that the page knows by a key, with nothing left out."""

import ast
from pathlib import Path

from app.mcp_host import wording
from app.mcp_host.wording import CAUSES, problem

ROOM = Path(wording.__file__).parent
TELLING = {"problem", "tell"}


def sentences() -> set[str]:
    """Every sentence that the room's code tells problems with."""
    found: set[str] = set()
    for file in ROOM.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in TELLING:
                texts = [n for argument in node.args[1:] for n in ast.walk(argument) if isinstance(n, ast.Constant)]
                found |= {str(n.value) for n in texts if isinstance(n.value, str) and n.value.endswith(".")}
    return found


def test_every_sentence_has_its_key() -> None:
    told = sentences()
    assert len(told) > 20
    assert told <= set(CAUSES.values())


def test_values_are_put_in_as_they_are() -> None:
    assert problem("closed", "{name} was closed.", name="{odd} %s").cause == "{odd} %s was closed."
