"""LeoChat's build tool: `python3 build start|test|check`, with nothing but Python and Node.

This file must be readable by any Python, so that an old one gets a sentence instead of a traceback.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  (an old Python is exactly who this is for)
    sys.exit(
        "LeoChat needs Python 3.11 or newer, and this is %d.%d. Install a newer one, "  # noqa: UP031
        "then run the same command with it, for example: python3.12 build start" % sys.version_info[:2]
    )

from commands import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
