"""Where the packaged program begins."""

import multiprocessing
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()
    from app.cli.frozen import prepare

    prepare()
    from app.__main__ import main

    sys.exit(main())
