"""A server's log: bounded in memory and on disk, with the last words always there."""

from pathlib import Path

from app.mcp_host.serverlog import FILE_LIMIT, LINES_KEPT, ServerLog, log_path


def test_the_last_lines_are_kept_and_told_by_source(tmp_path: Path) -> None:
    log = ServerLog(tmp_path / "deep" / "log")
    log.add("stderr", "one\ntwo")
    log.add("host", "started")
    log.add("stderr", "three: host: said")
    assert log.tail("stderr", 2) == ("two", "three: host: said")
    assert log.tail("host") == ("started",)
    assert len((tmp_path / "deep" / "log").read_text(encoding="utf-8").splitlines()) == 4


def test_a_flood_leaves_the_last_words_in_memory_and_little_on_disk(tmp_path: Path) -> None:
    log = ServerLog(tmp_path / "log")
    for number in range(5000):
        log.add("stderr", f"noise {number}" + "x" * 6000)
    log.add("stderr", "why it ended")
    assert log.tail("stderr", 1) == ("why it ended",)
    assert len(log.lines) == LINES_KEPT
    assert sum(f.stat().st_size for f in tmp_path.iterdir()) < 3 * FILE_LIMIT


def test_a_disk_that_cannot_be_written_costs_only_the_file(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("", encoding="utf-8")
    log = ServerLog(blocker / "log")
    log.add("host", "still here")
    assert log.tail("host") == ("still here",)


def test_any_name_makes_a_file_name() -> None:
    assert log_path(Path("/logs"), "../a b/ç").parent == Path("/logs")
