"""Runs the server over stdio: `python -m demos.pokemon_quiz`."""

from demos.pokemon_quiz import create
from demos.standalone import from_environment


def main() -> None:
    """Serve until standard input closes."""
    create(from_environment("pokemon_quiz")).run("stdio")


if __name__ == "__main__":
    main()
