"""`build start`: set up what changed, then become leochat."""

import os
import subprocess

import window_side
from node_side import set_up_page
from places import LINUX, WINDOWS, script
from python_side import set_up_python
from say import say


def main(args: list[str]) -> int:
    """Run leochat with `args`, in the caller's folder, with the caller's stdin and stdout."""
    set_up_python()
    set_up_page()
    command = [str(script("leochat")), *with_a_window_or_without(args)]
    if not WINDOWS:
        os.execv(command[0], command)  # noqa: S606  (our own program, no shell)
    with subprocess.Popen(command) as running:
        while True:
            try:
                return running.wait()
            except KeyboardInterrupt:
                continue  # leochat got the same Ctrl+C and ends by itself


def with_a_window_or_without(args: list[str]) -> list[str]:
    """`args`, or those that serve the page instead where no window can be shown."""
    if not wants_window(args):
        return args
    if LINUX and not window_side.has_display():
        say("There is no display here, so LeoChat serves its page: open the address below.")
        return ["serve", *args]
    if LINUX and not window_side.set_up_window():
        return ["serve", "--open", *args]
    return args


def wants_window(args: list[str]) -> bool:
    """True if nothing but `--home DIR` is asked for: then leochat opens its window."""
    rest = list(args)
    while rest:
        option = rest.pop(0)
        if option == "--home" and rest:
            rest.pop(0)
        elif not option.startswith("--home="):
            return False
    return True
