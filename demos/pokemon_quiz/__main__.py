"""Runs the server over stdio: `python -m demos.pokemon_quiz`."""

from demos.pokemon_quiz import create
from demos.standalone import from_environment

if __name__ == "__main__":
    create(from_environment("pokemon_quiz")).run("stdio")
