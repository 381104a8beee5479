import { cleanup, render } from "@testing-library/preact";
import { afterEach, describe, expect, it } from "vitest";
import { GrowingText } from "../../src/blocks/GrowingText";
import { LiveText } from "../../src/live";

afterEach(cleanup);

const drawn = (live: LiveText) => render(<GrowingText live={live} />).container;

describe("a text that grows", () => {
  it("shows every character once, however it came", async () => {
    const live = new LiveText("so it begins, ");
    const container = drawn(live);
    const pieces = Array.from({ length: 3000 }, (_, n) => (n % 50 ? `word ${n} ` : `\n\nline ${n}\n`));
    for (const [at, piece] of pieces.entries()) {
      live.append(piece);
      if (at % 700 === 0) await expect.poll(() => container.textContent).toBe(live.text);
    }
    live.append("x".repeat(30_000));
    live.append(" and the end");
    await expect.poll(() => container.textContent).toBe(live.text);
    expect(container.querySelectorAll(".growing > div > div").length).toBeGreaterThan(10);
  });

  it("what it replaces is gone", async () => {
    const live = new LiveText("wrong");
    const container = drawn(live);
    live.settle("right");
    await expect.poll(() => container.textContent).toBe("right");
  });
});
