"""Runs the server over stdio: `python -m demos.shop`."""

from demos.shop import create
from demos.standalone import from_environment

if __name__ == "__main__":
    create(from_environment("shop")).run("stdio")
