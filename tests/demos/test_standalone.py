"""The demos alone: over a real pipe to another process, and light to import."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from demos.standalone import from_environment
from tests.demos.conftest import Person

ROOT = Path(__file__).parents[2]


def program(name: str, folder: Path, language: str = "en") -> StdioServerParameters:
    environment = {
        "LEOCHAT_DATA_DIR": str(folder),
        "LEOCHAT_LANGUAGE": language,
        "LEOCHAT_OFFLINE": "1",
        "PYTHONUTF8": "1",
    }
    return StdioServerParameters(command=sys.executable, args=["-m", f"demos.{name}"], env=environment, cwd=ROOT)


async def test_the_quiz_over_a_pipe_survives_its_process(tmp_path: Path) -> None:
    async with Client(program("pokemon_quiz", tmp_path, "ja")) as client:
        person = Person(client)
        question = await person.call("pokemon_start", rounds=1)
        assert question.card["title"] == "このポケモンはだれ？"
    async with Client(program("pokemon_quiz", tmp_path)) as client:
        answer = await Person(client).press(question, "opt_0")
        assert answer.action_ids == ["restart"]


async def test_two_shop_processes_share_carts_and_stock(tmp_path: Path) -> None:
    async with Client(program("shop", tmp_path)) as one, Client(program("shop", tmp_path)) as two:
        first, second = Person(one, "here"), Person(two, "here")
        await first.call("cart_add", productId="firefly-lantern", quantity=2)
        order = await second.press(await second.call("cart_view"), "checkout")
        assert not (await first.press(order, "pay")).is_error
        assert "Sold out" in (await second.call("product_detail", productId="firefly-lantern")).badges


@pytest.mark.parametrize("name", ["pokemon_quiz", "shop"])
def test_a_demo_can_be_described_without_loading_it(name: str) -> None:
    code = (
        f"import sys, json, demos.{name} as demo\n"
        "heavy = [m for m in ('mcp', 'mcp_types', 'httpx', 'pydantic', 'sqlite3') if m in sys.modules]\n"
        "print(json.dumps([demo.ABOUT, heavy]))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=30, check=True)
    about, heavy = json.loads(done.stdout)
    assert heavy == []
    assert about["kind"] == "demo"
    assert all(about[part][language] for part in ("title", "description") for language in ("en", "es"))


def test_the_environment_says_where_and_how(tmp_path: Path) -> None:
    told = {"LEOCHAT_DATA_DIR": str(tmp_path), "LEOCHAT_LANGUAGE": "es", "LEOCHAT_OFFLINE": "true"}
    assert from_environment("shop", told) == {"data_dir": str(tmp_path), "language": "es", "offline": True}
    silent = from_environment("shop", {})
    assert (silent["language"], silent["offline"]) == ("en", False)
    assert Path(str(silent["data_dir"])).name == "shop"
