"""Where the window may go."""

import pytest

from app.desktop.fence import Fence

OURS = "http://127.0.0.1:4711"


def fence() -> Fence:
    made = Fence()
    made.admit(f"{OURS}/#token=secret")
    return made


@pytest.mark.parametrize("url", [f"{OURS}/", OURS, f"{OURS}/#token=secret"])
def test_the_page_itself_is_let_through(url: str) -> None:
    assert fence().allows(url)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:4712/",
        "http://127.0.0.1:47110/",
        "http://localhost:4711/",
        "https://127.0.0.1:4711/",
        f"{OURS}/attachments/abc",
        f"{OURS}/health",
        f"{OURS}/?next=http://evil.example",
        f"{OURS}@evil.example/",
        f"{OURS}.evil.example/",
        "http://evil.example/#http://127.0.0.1:4711/",
        "data:text/html,hello",
        "about:blank",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "blob:http://127.0.0.1:4711/1234",
        "mailto:a@b.example",
        "",
    ],
)
def test_nothing_else_is_once_the_page_is_known(url: str) -> None:
    assert not fence().allows(url)


def test_before_that_only_the_splash_is() -> None:
    made = Fence()
    assert made.allows("data:text/html;charset=UTF-8,%3Ctitle%3E")
    assert not made.allows(f"{OURS}/")


def test_downloads_are_the_pages_own() -> None:
    made = fence()
    assert made.owns(f"blob:{OURS}/0f3a")
    assert made.owns(f"{OURS}/attachments/abc")
    assert not made.owns("blob:http://evil.example/0f3a")
    assert not made.owns("http://127.0.0.1:47110/x")
    assert not Fence().owns("blob:/")
