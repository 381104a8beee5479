"""The tables of a server's own SQLite file, made once whoever comes first."""

import sqlite3


def prepare(connection: sqlite3.Connection, tables: str, version: int, what: str) -> None:
    """Run the statements of `tables` in a new file, in one transaction; `what` names the file's content.

    Raises sqlite3.DatabaseError for a file of a later `version`, which is then left as it is.
    """
    if version_of(connection) == version:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        found = version_of(connection)  # another process may have been first
        if found > version:
            raise sqlite3.DatabaseError(f"{what} was written by a newer LeoChat")
        if found == 0:
            for statement in _statements(tables):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def version_of(connection: sqlite3.Connection) -> int:
    """The version a file was made with; 0 for a new one."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _statements(script: str) -> list[str]:
    found: list[str] = []
    current = ""
    for line in script.strip().splitlines():
        current += line + "\n"
        if sqlite3.complete_statement(current):
            found.append(current)
            current = ""
    return found
