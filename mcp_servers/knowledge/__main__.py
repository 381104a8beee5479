"""Runs the `knowledge` server on standard input and output, for any MCP client."""

import argparse
import os
from collections.abc import Sequence

from mcp_servers.environment import config_from_environment
from mcp_servers.knowledge import create


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until standard input closes; the options are a person's settings."""
    options = argparse.ArgumentParser("knowledge", description="Search folders of documents by words and by meaning.")
    options.add_argument("folders", nargs="*", help="folders to index")
    options.add_argument("--folder", action="append", default=[], metavar="PATH", help="a folder to index")
    options.add_argument("--embedding-url", metavar="URL", help="an embedding endpoint, such as http://127.0.0.1:11434/v1")
    options.add_argument("--embedding-model", metavar="NAME", help="its model; its key comes from LEOCHAT_EMBEDDING_KEY")
    options.add_argument("--embedding-protocol", choices=("openai", "ollama"), default="openai")
    given = options.parse_args(arguments)
    folders = [*given.folders, *given.folder]
    config = config_from_environment(folders)
    embedding = {
        "protocol": given.embedding_protocol,
        "address": given.embedding_url,
        "model": given.embedding_model,
        "key": os.environ.get("LEOCHAT_EMBEDDING_KEY", ""),
    }
    create({**config, "folders": folders, "embedding": embedding, "protected": [config["data_dir"]]}).run("stdio")


if __name__ == "__main__":
    main()
