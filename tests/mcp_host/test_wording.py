"""Trouble is told in the person's language, with nothing left out."""

import ast
import re
from pathlib import Path

from app.mcp_host import wording
from app.mcp_host.wording import SPANISH, in_language, problem
from tests.mcp_host.desk import OpenDesk, fake

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


def test_every_sentence_has_its_spanish_with_the_same_places() -> None:
    told = sentences()
    assert len(told) > 20
    assert told <= SPANISH.keys()
    for english, spanish in SPANISH.items():
        assert sorted(re.findall(r"{\w+}", english)) == sorted(re.findall(r"{\w+}", spanish))


def test_values_are_put_in_as_they_are() -> None:
    told = problem("closed", "{name} was closed.", name="{odd} %s")
    assert told.cause == "{odd} %s was closed."
    assert in_language(told, "es").cause == "{odd} %s se ha cerrado."
    assert in_language(told, "fr") == told


async def test_the_page_gets_the_persons_language(desk: OpenDesk) -> None:
    async with desk(fake("bad_start"), language="es") as d:
        trouble = d.host.status("fake").problem
        assert trouble is not None
        assert trouble.sentence == "fake ha terminado con el código de salida 7. Sus últimas líneas dicen por qué."
