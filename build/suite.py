"""`build test`: the front end's tests, then pytest, whose closing line is the last."""

import os
import subprocess

import debian
from node_side import npm, set_up_node, set_up_page, set_up_reference_servers
from places import FRONTEND, LINUX, ROOT, script
from python_side import install_packages, packages, set_up_python
from say import SetupError, say, timed
from strangers import set_up_strangers

# One file's tests stay on one worker, since they share its server, browser or window.
WORKERS = ("-n", "2", "--dist", "loadfile")
OWN_WORKERS = ("-n", "--numprocesses", "-p", "--pdb")
PICKS = ("-k", "-m", "--lf", "--ff", "--co", "--last-failed", "--failed-first", "--collect-only")


def main(args: list[str]) -> int:
    """Run both suites; 0 only if both passed. Where `args` pick tests, they are pytest's."""
    set_up_python("tests", "qt")
    set_up_real_model()
    set_up_page()
    set_up_reference_servers()
    set_up_strangers()
    if LINUX:
        set_up_display()
    page_failed = 0 if picks(args) else test_page()
    return test_python(args, page_failed) or page_failed


def set_up_real_model() -> None:
    """Install a small language model; without it the tests that talk to one are skipped."""
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


def test_page() -> int:
    """Run vitest; its exit code."""
    set_up_node()
    with timed("Testing the front end"):
        command = [npm(), "run", "test", "--silent"]
        return subprocess.run(command, cwd=FRONTEND, check=False).returncode


def test_python(args: list[str], page_failed: int) -> int:
    """Run pytest with `args`; its exit code. It is told how vitest ended, to say so at its end."""
    workers = () if picks(args) or any(arg.startswith(OWN_WORKERS) for arg in args) else WORKERS
    env = {**os.environ, "LEOCHAT_PAGE_TESTS": "failed" if page_failed else ""}
    command = [str(script("python")), "-m", "pytest", *workers, *args]
    return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode
