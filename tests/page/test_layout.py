"""Nothing overflows, overlaps or shuts anyone out: every scene in both languages, light and dark, small and large."""

import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.page.conftest import Opener
from tests.page.scenes import SCENES
from tests.page.served import ROOT, Served
from tests.page.talk import Talk

pytestmark = pytest.mark.timeout(240)
AXE = ROOT / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
SIZES = ((1600, 1000), (800, 600))
COLOURS = ("color-contrast", "link-in-text-block")
"""The rules that the theme decides; the others find the same in light and dark."""
SHOTS = os.environ.get("LEOCHAT_SHOTS")
"""A folder: every scene is kept there as a picture, to be looked at."""

FAULTS = """() => {
  const words = (e) => (e.innerText || "").slice(0, 40).replaceAll("\\n", " ");
  const name = (e) => `${e.dataset.testid || e.className || e.tagName} ${words(e)}`;
  const seen = {opacityProperty: true, visibilityProperty: true};
  const shown = (e) => e.checkVisibility(seen) && e.getBoundingClientRect().width > 1;
  const clips = (e) => ["hidden", "clip", "auto", "scroll"].includes(getComputedStyle(e).overflowX);
  const faults = [];
  const root = document.scrollingElement;
  if (root.scrollWidth > root.clientWidth) faults.push(`the page is ${root.scrollWidth} wide in ${root.clientWidth}`);
  if (root.scrollHeight > root.clientHeight) faults.push(`the page is ${root.scrollHeight} high in ${root.clientHeight}`);
  const top = document.querySelector("dialog:modal");
  const all = [...(top ?? document.body).querySelectorAll("*")].filter(shown);
  for (const e of all) {
    const style = getComputedStyle(e);
    if (style.display === "inline" || e.closest("svg, .sr-only")) continue;
    const scrolls = ["auto", "scroll"].includes(style.overflowX);
    const cut = style.textOverflow === "ellipsis" || e.matches("textarea, input, select");
    const mayScroll = scrolls && e.matches("pre, pre *, .table, .code, [tabindex], .block");
    const bounds = clips(e) || e.matches("button, summary, label, p, h1, h2, h3, dt, dd, td, th, kbd, .chip, .tag, .badge");
    if (bounds && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0 && !cut && !mayScroll)
      faults.push(`${name(e)}: ${e.scrollWidth} wide in ${e.clientWidth}`);
    if (clips(e) && style.overflowY === "hidden" && e.scrollHeight > e.clientHeight + 2 && e.clientHeight > 0 && !cut
        && style.webkitLineClamp === "none")
      faults.push(`${name(e)}: ${e.scrollHeight} high in ${e.clientHeight}`);
  }
  for (const e of all.filter((one) => one.matches("button, a[href], input, select, textarea, summary"))) {
    const box = e.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + Math.min(box.height / 2, 20)];
    let port = e.parentElement;
    const inside = (r) => x > r.left && x < r.right && y > r.top && y < r.bottom;
    let visible = x > 0 && y > 0 && x < innerWidth && y < innerHeight;
    for (; port; port = port.parentElement)
      if (clips(port) && !inside(port.getBoundingClientRect())) visible = false;
    if (box.right > innerWidth + 1 && !e.closest("pre, .table")) faults.push(`${name(e)}: beyond the right edge`);
    if (!visible || e.matches("[type=checkbox], [type=radio], [type=file]")) continue;
    if (getComputedStyle(e).pointerEvents === "none") continue;
    const hit = document.elementFromPoint(x, y);
    if (hit && !e.contains(hit) && !hit.contains(e) && !e.labels?.length) faults.push(`${name(e)}: covered by ${name(hit)}`);
  }
  return [...new Set(faults)];
}"""
SERIOUS = """async (rules) => {
  const only = rules.length ? {runOnly: {type: "rule", values: rules}} : {};
  const {violations} = await axe.run(document, {resultTypes: ["violations"], ...only});
  return violations.filter(({impact}) => impact === "serious" || impact === "critical").flatMap(({id, help, nodes}) =>
    nodes.map(({target, html, any}) => `${id} (${help}): ${target.join(" ")}: ${html.slice(0, 160)} ${any[0]?.message ?? ""}`));
}"""


@pytest.fixture(scope="module", params=["en", "es"])
def leo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Generator[Served]:
    served = Served(tmp_path_factory.mktemp(f"leo-{request.param}"))
    served.configure(general__language=request.param)
    served.start()
    yield served
    served.stop()


@pytest.fixture
def talk(opened: Opener, leo: Served) -> Talk:
    talk = opened(*SIZES[0])
    talk.ready("leochat", "filesystem", "shop", "pokemon_quiz")
    return talk


@pytest.mark.parametrize("scene", SCENES)
def test_a_scene_fits_every_window_and_shuts_nobody_out(talk: Talk, leo: Served, tmp_path: Path, scene: str) -> None:
    SCENES[scene](talk, tmp_path)
    language = talk.page.locator("html").get_attribute("lang") or ""
    found: dict[str, Any] = {}
    for width, height in SIZES:
        talk.page.set_viewport_size({"width": width, "height": height})
        for mode in ("light", "dark"):
            talk.page.emulate_media(color_scheme=mode, reduced_motion="reduce")
            settled(talk.page)
            shoot(talk.page, f"{scene}-{language}-{mode}-{width}")
            where = f"{width}x{height} {mode} {language}"
            found |= {where: faults} if (faults := talk.page.evaluate(FAULTS)) else {}
            if width == SIZES[1][0] and (serious := axe(talk.page, COLOURS if mode == "dark" else ())):
                found[f"{where} axe"] = serious
    assert found == {}


def settled(page: Page) -> None:
    page.evaluate("""async () => {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      await Promise.all(document.getAnimations().filter((one) => one.effect?.getTiming().iterations !== Infinity)
        .map((one) => one.finished.catch(() => undefined)));
    }""")


def axe(page: Page, rules: tuple[str, ...]) -> list[str]:
    """What these rules, or all of them, find that is serious."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: npm ci in frontend")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    return page.evaluate(SERIOUS, list(rules))


def shoot(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png")
