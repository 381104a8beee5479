"""Set-up makes each thing once, again only when it changed, and ends in one sentence when it cannot."""

import ast
import os
import sys
from pathlib import Path

import pytest

from .conftest import ROOT, House

RUN_WITH = "import runpy, sys; {}; sys.argv = ['build', 'start']; runpy.run_path('build', run_name='__main__')"


def test_a_first_start_sets_up_and_hands_over(house: House) -> None:
    done = house.build("start", "ask", "hello there", "--json")

    assert done.code == 0
    assert done.out == "leochat ask hello there --json\n"  # stdout is leochat's alone
    assert [call.split(" --")[0] for call in done.calls if not call.startswith(("node", "python"))] == [
        "uv",  # --version: a version manager's stand-in may not work
        "uv venv",
        "uv pip install",
        "uv pip install",
        "npm ci",
        "npm run build",
        "leochat ask hello there",
    ]


def test_a_second_start_makes_nothing_again(house: House) -> None:
    house.build("start")

    done = house.build("start", "doctor")

    assert done.calls == ["leochat doctor"]
    assert done.said == ""


def test_touched_but_equal_files_make_nothing_again(house: House) -> None:
    house.build("start")
    for path in house.root.rglob("*"):
        if path.is_file() and ".venv" not in path.parts:
            os.utime(path, (1, 1))

    assert house.build("start", "doctor").calls == ["leochat doctor"]


@pytest.mark.parametrize(
    ("changed", "made"),
    [
        ("requirements.lock", ["uv pip install --python ~/.venv/bin/python"]),
        ("frontend/src/main.tsx", ["npm run build"]),
        ("frontend/src/new.tsx", ["npm run build"]),
        ("frontend/package-lock.json", ["npm ci --no-audit --no-fund --no-progress", "npm run build"]),
        ("app/__init__.py", ["python -m compileall"]),
        ("frontend/tests/new.test.ts", []),
        ("README.md", []),
    ],
)
def test_only_what_changed_is_made_again(house: House, changed: str, made: list[str]) -> None:
    house.build("start")
    house.put(changed, "different\n")

    calls = [c for c in house.build("start", "doctor").calls if not c.endswith("--version")]

    assert len(calls) == len(made) + 1
    assert all(call.startswith(start) for call, start in zip(calls, [*made, "leochat doctor"], strict=True))


def test_a_moved_folder_is_set_up_again(house: House) -> None:
    house.build("start")
    moved = House(house.root.rename(house.root.with_name("moved")), house.programs)

    assert any(call.startswith("uv venv --clear") for call in moved.build("start").calls)


def test_an_environment_made_by_hand_is_kept(house: House) -> None:
    house.build("start")
    (house.root / ".venv" / "leochat.stamp").unlink()

    calls = house.build("start").calls

    assert not any(call.startswith("uv venv") for call in calls)


def test_what_failed_is_tried_again(house: House) -> None:
    failed = house.build("start", FAIL="npm ci")
    again = house.build("start")

    assert failed.code == 1
    assert not any(call.startswith("leochat") for call in failed.calls)
    assert [c for c in again.calls if c.startswith(("uv", "npm ci"))] == ["npm ci --no-audit --no-fund --no-progress"]


def test_two_starts_at_once_set_up_once(house: House) -> None:
    beside = house.start_beside()
    house.build("start")
    assert beside.wait(timeout=30) == 0

    calls = (house.root / "calls").read_text().splitlines()
    assert len([c for c in calls if c.startswith(("uv venv", "npm ci", "npm run build"))]) == 3


def test_leochats_exit_code_is_the_builds(house: House) -> None:
    assert house.build("start", "ask", LEOCHAT_EXIT="130").code == 130


def test_without_a_display_the_page_is_served(house: House) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("elsewhere there always is a display")
    assert house.build("start").out == "leochat serve\n"
    assert house.build("start", "--home", "x").out == "leochat serve --home x\n"
    assert house.build("start", "--help").out == "leochat --help\n"
    assert house.build("start", "--home=x", "doctor").out == "leochat --home=x doctor\n"


def test_vitest_runs_beside_pytest_and_its_failure_counts(house: House) -> None:
    passed = house.build("test")
    failed = house.build("test", FAIL="npm run test", SAYS="1 failed")

    assert (passed.code, passed.out.splitlines()[-1]) == (0, "1 passed in 0.01s; page 0")
    assert (failed.code, failed.out.splitlines()[-1]) == (1, "1 passed in 0.01s; page 1")
    assert "1 failed" in (house.root / ".cache" / "logs" / "testing-the-front-end.log").read_text()


def test_the_lanes_of_a_set_up_hold_the_lock_together(house: House) -> None:
    done = house.build("test")

    assert "Waiting for another build" not in done.said
    assert len([c for c in done.calls if c.startswith(("uv venv", "npm ci", "npm run build"))]) == 5


def test_one_lane_that_fails_is_one_sentence(house: House) -> None:
    done = house.build("test", FAIL="run build")

    assert done.code == 1
    assert "Building the page failed" in done.said
    assert "Traceback" not in done.said
    assert not any(call.startswith("python -m pytest") for call in done.calls)


def test_tests_go_on_without_the_small_language_model(house: House) -> None:
    done = house.build("test", FAIL="realmodel.lock", SAYS="no matching distribution")

    assert done.code == 0


def test_picked_tests_are_pytests_alone(house: House) -> None:
    house.build("start")

    calls = house.build("test", "tests/requirements.lock", "-q").calls

    assert calls[-1] == "python -m pytest tests/requirements.lock -q"
    assert not any(call.startswith("npm run test") for call in calls)


@pytest.mark.parametrize(
    ("says", "cause"),
    [
        ("npm error code ENOTFOUND", "could not be reached"),
        ("error sending request for url", "could not be reached"),
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("npm error code EINTEGRITY", "not the one that the lock file pins"),
        ("certificate verify failed: unable to get local issuer certificate", "SSL_CERT_FILE"),
        ("something new", "its last lines are above, all of them in .cache/logs"),
    ],
)
def test_a_failed_download_is_one_sentence(house: House, says: str, cause: str) -> None:
    done = house.build("start", FAIL="npm ci", SAYS=says)

    assert done.code == 1
    assert cause in done.said.splitlines()[-1]
    assert says in (house.root / ".cache" / "logs" / "installing-the-front-end-s-packages.log").read_text()
    assert "Traceback" not in done.said


@pytest.mark.parametrize(
    ("program", "does", "sentence"),
    [
        ("node", None, "LeoChat needs Node 20"),
        ("node", "echo v18.19.0", "is v18.19.0"),
        ("npm", None, "apt-get install npm"),
    ],
)
def test_a_missing_node_is_one_sentence(house: House, program: str, does: str | None, sentence: str) -> None:
    (house.programs / program).unlink()
    if does:
        house.put_program(program, does)

    done = house.build("start")

    assert done.code == 1
    assert sentence in done.said.splitlines()[-1]
    assert "Traceback" not in done.said


def test_a_python_without_venv_is_one_sentence(house: House) -> None:
    (house.programs / "uv").unlink()

    done = house.build(python=("-c", RUN_WITH.format("sys.modules['ensurepip'] = None")))

    assert done.code == 1
    assert "apt-get install python3-venv" in done.said.splitlines()[-1]


def test_a_uv_that_does_not_work_is_not_used(house: House) -> None:
    house.put_program("uv", "exit 127")

    done = house.build(python=("-c", RUN_WITH.format("sys.modules['ensurepip'] = None")))

    assert "python3-venv" in done.said


def test_a_folder_that_cannot_be_written_is_one_sentence(house: House) -> None:
    house.put(".cache", "a file where a folder should be")

    done = house.build("start")

    assert done.code == 1
    assert done.said.splitlines()[-1].startswith("Set-up cannot go on: ")
    assert "Traceback" not in done.said


def test_an_old_python_is_one_sentence(house: House) -> None:
    done = house.build(python=("-c", RUN_WITH.format("sys.version_info = (3, 9, 2, 'final', 0)")))

    assert done.code == 1
    assert done.said.startswith("LeoChat needs Python 3.11 or newer, and this is 3.9.")
    assert done.calls == []


def test_an_old_python_can_read_the_file_that_says_so() -> None:
    source = Path(ROOT, "build", "__main__.py").read_text(encoding="utf-8")

    assert ast.parse(source, feature_version=(3, 4))


def test_an_unknown_command_lists_those_there_are(house: House) -> None:
    done = house.build("stat")

    assert done.code == 2
    assert "start [ARGS]" in done.said
    assert house.build("--help").out.startswith("LeoChat's build tool.")
