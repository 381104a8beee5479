"""Runs the server over stdio: `python -m demos.shop`."""

from demos.shop import create
from demos.standalone import from_environment


def main() -> None:
    """Serve until standard input closes."""
    create(from_environment("shop")).run("stdio")


if __name__ == "__main__":
    main()
