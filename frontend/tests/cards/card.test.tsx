import { signal } from "@preact/signals";
import { cleanup, fireEvent, render } from "@testing-library/preact";
import { afterEach, describe, expect, it, vi } from "vitest";
import { kinds, search, text } from "../../gallery/samples";
import { CardView, type CardViewProps } from "../../src/cards/CardView";
import { layout } from "../../src/cards/layout";
import { ConfirmHost } from "../../src/parts/confirm";
import { type Services, ServicesContext } from "../../src/services";
import type { Card, CardAction, CardBody, CardState } from "../../src/wire";

const base: Card = {
  id: "c",
  kind: "summary",
  title: "T",
  subtitle: "",
  tone: "default",
  body: [],
  actions: [],
  metadata: {},
};
const say: CardAction = {
  id: "a",
  label: "Do it",
  kind: "primary",
  action: { type: "ui-command", command: "send_message", payload: { text: "x" } },
  confirm: null,
};

function draw(card: Partial<Card>, props: Partial<CardViewProps> = {}, services: Partial<Services> = {}) {
  const all: Services = {
    openUrl: vi.fn(),
    attachment: vi.fn().mockResolvedValue("blob:own"),
    remotePicture: vi.fn().mockRejectedValue(new Error("not trusted")),
    ...services,
  };
  const onAction = vi.fn().mockResolvedValue(undefined);
  const page = render(
    <ServicesContext.Provider value={all}>
      <CardView card={{ ...base, ...card }} server="acme" stateOf={() => undefined} onAction={onAction} {...props} />
      <ConfirmHost />
    </ServicesContext.Provider>,
  );
  const one = (id: string, more = "") => page.container.querySelector<HTMLElement>(`[data-testid="${id}"]${more}`);
  return { ...page, one, onAction, services: all };
}

const state = (action_id: string, is: CardState["state"]): CardState => ({
  message_id: "m",
  card_id: "c",
  action_id,
  state: is,
  message: null,
});

afterEach(cleanup);

describe("a card", () => {
  it("carries its marks and its server's name", () => {
    const { one } = draw({ id: "order_1", kind: "status", tone: "info" });
    const card = one("card");
    expect(card?.dataset).toMatchObject({ cardId: "order_1", kind: "status", tone: "info", server: "acme" });
    expect(card?.textContent).toContain("acme");
  });

  const bodies: [string, CardBody, string][] = [
    ["plain text as it is", text("**not bold**\nline"), "**not bold**"],
    ["markdown rendered", text("**bold** <b>x</b>", "markdown"), "bold <b>x</b>"],
    ["fields", { type: "fields", fields: [{ label: "Weight", value: "6 kg" }] }, "Weight6 kg"],
    ["a badge", { type: "badge", badge: { text: "New", tone: "info" } }, "New"],
    ["progress", { type: "progress", progress: { value: 50, max: 100, label: "Copying" } }, "50"],
    ["a table", { type: "table", table: { columns: ["A", "B"], rows: [["1", "2"]], caption: "cap" } }, "capAB12"],
    ["code", { type: "code", code: { text: "x = 1", language: "python" } }, "x = 1"],
    ["a note for a broken block", { type: "note", note: "A block could not be shown" }, "could not be shown"],
  ];
  it.each(bodies)("shows %s", (_, body, words) => {
    expect(draw({ body: [body] }).one("card")?.textContent).toContain(words);
  });

  it("skips a block of a type it does not know", () => {
    const { one } = draw({ body: [{ type: "hologram" } as unknown as CardBody, text("after")] });
    expect(one("card")?.textContent).toContain("after");
  });

  it("clamps progress and draws a few whole steps as steps", () => {
    const { container } = draw({ body: [{ type: "progress", progress: { value: 9, max: 4, label: "" } }] });
    const bar = container.querySelector("progress");
    expect(bar?.value).toBe(4);
    expect(bar?.classList).toContain("in-steps");
  });

  it("loads its own data at once, an attachment through the page, and nothing else by itself", async () => {
    const body: CardBody[] = ["data:image/png;base64,AAAA", "leochat-blob:r1", "https://x.example/a.png"].map(
      (url) => ({
        type: "image",
        image: { url, alt: url },
      }),
    );
    const { container, services } = draw({ body });
    await expect.poll(() => container.querySelectorAll("img").length).toBe(2);
    await expect.poll(() => container.querySelector("button.remote")?.textContent).toContain("x.example");
    expect(services.attachment).toHaveBeenCalledWith("r1");
    expect([...container.querySelectorAll("img")].map((img) => img.getAttribute("src"))).not.toContain(
      "https://x.example/a.png",
    );
    const clicked = vi.mocked(services.remotePicture).mockResolvedValueOnce("blob:there");
    fireEvent.click(container.querySelector("button.remote") as Element);
    await expect.poll(() => container.querySelectorAll("img").length).toBe(3);
    expect(clicked).toHaveBeenLastCalledWith("https://x.example/a.png", { server: "acme", clicked: true });
  });

  it("draws every kind of the gallery", () => {
    for (const sample of kinds) {
      const { one, unmount } = draw(sample.card);
      expect(one("card")?.querySelectorAll("[data-testid=card-action]").length).toBe(sample.card.actions.length);
      unmount();
    }
  });
});

describe("its buttons", () => {
  it("an action that could not be read is drawn and disabled", () => {
    const { one, onAction } = draw({ actions: [{ ...say, action: null }] });
    const button = one("card-action") as HTMLButtonElement;
    expect(button.disabled).toBe(true);
    fireEvent.click(button);
    expect(onAction).not.toHaveBeenCalled();
  });

  it("shows that it was pressed, and cannot be pressed again while it is at work", async () => {
    const told = signal<CardState | undefined>(undefined);
    const { one, onAction } = draw({ actions: [say] }, { stateOf: () => told.value });
    expect(one("card-action")?.dataset.pressed).toBe("false");
    fireEvent.click(one("card-action") as Element);
    fireEvent.click(one("card-action") as Element);
    await expect.poll(() => onAction.mock.calls.length).toBe(1);
    for (const busy of ["running", "queued"] as const) {
      told.value = state("a", busy);
      await expect.poll(() => one("card-action")?.dataset.state).toBe(busy);
      fireEvent.click(one("card-action") as Element);
      expect(onAction).toHaveBeenCalledTimes(1);
      expect(one("card-action")?.dataset.pressed).toBe("true");
    }
    told.value = state("a", "pressed");
    await expect.poll(() => one("card-action")?.dataset.state).toBe("pressed");
    fireEvent.click(one("card-action") as Element);
    await expect.poll(() => onAction.mock.calls.length).toBe(2);
  });

  it("a dangerous one asks with the card's own words, and only a yes acts", async () => {
    const confirm = { title: "Remove it?", message: "It is gone then.", confirmText: "Remove", cancelText: "Keep it" };
    const { one, onAction, findByText } = draw({ actions: [{ ...say, kind: "danger", confirm }] });
    fireEvent.click(one("card-action") as Element);
    await findByText("It is gone then.");
    fireEvent.click(one("confirm-cancel") as Element);
    await expect.poll(() => one("confirm-dialog")).toBeNull();
    expect(onAction).not.toHaveBeenCalled();
    await expect.poll(() => one("card-action")?.dataset.state).toBe("rest");
    fireEvent.click(one("card-action") as Element);
    await findByText("Keep it");
    fireEvent.click(one("confirm-ok") as Element);
    await expect.poll(() => onAction.mock.calls.length).toBe(1);
  });

  it("required inputs are checked before it acts, and all values go with it", async () => {
    const input = (name: string, more: object): CardBody => ({
      type: "input",
      input: { name, label: name, kind: "text", options: [], value: null, required: false, ...more },
    });
    const body = [
      input("who", { required: true }),
      input("n", { kind: "number" }),
      input("size", {
        kind: "select",
        required: true,
        options: [
          { value: "s", label: "Small" },
          { value: "l", label: "Large" },
        ],
      }),
      input("pdf", { kind: "checkbox", value: true }),
    ];
    const { one, onAction, container } = draw({ body, actions: [say] });
    fireEvent.click(one("card-action") as Element);
    expect(onAction).not.toHaveBeenCalled();
    await expect.poll(() => container.querySelector("[role=alert]")?.textContent).toContain("Fill this in first");
    fireEvent.input(one("card-input", '[data-name="who"]') as Element, { target: { value: "Ada" } });
    fireEvent.input(one("card-input", '[data-name="n"]') as Element, { target: { value: "three" } });
    fireEvent.click(one("card-action") as Element);
    await expect.poll(() => container.querySelector("[role=alert]")?.textContent).toContain("number");
    fireEvent.input(one("card-input", '[data-name="n"]') as Element, { target: { value: "3" } });
    fireEvent.click(one("card-action") as Element);
    await expect.poll(() => onAction.mock.calls.length).toBe(1);
    expect(onAction.mock.calls[0]?.[1]).toEqual({ who: "Ada", n: "3", size: "s", pdf: true });
  });

  it("a quiz's options answer to the digits while the card has the focus", async () => {
    const quiz = kinds.find(({ card }) => card.kind === "quiz")?.card as Card;
    const { one, onAction } = draw(quiz);
    fireEvent.keyDown(one("card") as Element, { key: "3" });
    await expect.poll(() => onAction.mock.calls[0]?.[0].id).toBe("opt_2");
    expect(onAction).toHaveBeenCalledTimes(1);
  });

  it("a replaced card says so and its buttons go on working", async () => {
    const { one, onAction, getByText } = draw({ actions: [say] }, { onNewer: vi.fn() });
    getByText("A newer card replaces this one");
    fireEvent.click(one("card-action") as Element);
    await expect.poll(() => onAction.mock.calls.length).toBe(1);
  });
});

describe("the layout of a list", () => {
  it("cuts rows at dividers, takes shared labels into a head, and gives each row its button", () => {
    const { parts, foot } = layout(search.card);
    expect(parts).toHaveLength(1);
    const [rows] = parts;
    expect(rows).toMatchObject({ part: "rows", heads: ["Price", "Rating"] });
    if (rows?.part !== "rows") return;
    expect(rows.rows.map(({ name, rest, action }) => [name, rest, action?.id])).toEqual([
      ["Fjord Travel", "Over-ear, folds flat, 40 h", "v0"],
      ["Aurora One", "Over-ear, noise cancelling, 32 h", "v1"],
      ["Sparrow Buds", "In-ear, IP54, 7 h and 28 h in the case", "v2"],
    ]);
    expect(foot).toEqual([]);
  });

  it("a single row takes its Remove and leaves the buttons of the whole card at the foot", () => {
    const act = (id: string, kind: CardAction["kind"]): CardAction => ({ ...say, id, label: id, kind });
    const body: CardBody[] = [
      { type: "image", image: { url: "data:image/png;base64,AA", alt: "" } },
      text("Mug\n1 × 9"),
    ];
    const { parts, foot } = layout({
      ...base,
      kind: "list",
      body,
      actions: [act("checkout", "primary"), act("continue", "secondary"), act("remove_0", "danger")],
    });
    expect(parts[0]?.part === "rows" && parts[0].rows[0]?.action?.id).toBe("remove_0");
    expect(foot.map(({ id }) => id)).toEqual(["checkout", "continue"]);
  });

  it("a foot has the primary button first and the dangerous ones last", () => {
    const kind = (id: string, is: CardAction["kind"]): CardAction => ({ ...say, id, label: id, kind: is });
    const { foot } = layout({
      ...base,
      actions: [kind("d", "danger"), kind("s1", "secondary"), kind("p", "primary"), kind("s2", "secondary")],
    });
    expect(foot.map(({ id }) => id)).toEqual(["p", "s1", "s2", "d"]);
  });

  it("a list of one text is a text, not a row", () => {
    expect(layout({ ...base, kind: "list", body: [text("Nothing here")] }).parts).toEqual([
      { part: "block", block: text("Nothing here") },
    ]);
  });
});
