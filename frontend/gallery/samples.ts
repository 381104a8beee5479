/** Cards of every kind and block, as the wire brings them. */
import type { Card, CardAction, CardBody, CardState } from "../src/wire";
import aurora from "./img/aurora.svg?raw";
import dawn from "./img/dawn.svg?raw";
import dusk from "./img/dusk.svg?raw";
import fjord from "./img/fjord.svg?raw";
import noon from "./img/noon.svg?raw";
import sparrow from "./img/sparrow.svg?raw";
import known from "./img/who-known.svg?raw";

const data = (svg: string) => `data:image/svg+xml;base64,${btoa(svg)}`;

export const text = (words: string, format: "plain" | "markdown" = "plain"): CardBody => ({
  type: "text",
  text: words,
  format,
});
export const fields = (...pairs: [string, string][]): CardBody => ({
  type: "fields",
  fields: pairs.map(([label, value]) => ({ label, value })),
});
export const image = (svg: string, alt: string): CardBody => ({ type: "image", image: { url: data(svg), alt } });
export const badge = (words: string, tone: Card["tone"] = "default"): CardBody => ({
  type: "badge",
  badge: { text: words, tone },
});
export const progress = (value: number, max: number, label: string): CardBody => ({
  type: "progress",
  progress: { value, max, label },
});
export const divider: CardBody = { type: "divider" };

export function action(
  id: string,
  label: string,
  kind: CardAction["kind"] = "secondary",
  more: Partial<CardAction> = {},
): CardAction {
  const sends = { type: "ui-command" as const, command: "send_message", payload: { text: label } };
  return { id, label, kind, action: sends, confirm: null, ...more };
}

export function card(id: string, kind: string, title: string, subtitle: string, more: Partial<Card> = {}): Card {
  return { id, kind, title, subtitle, tone: "default", body: [], actions: [], metadata: {}, ...more };
}

export interface Sample {
  card: Card;
  server: string;
  states?: Record<string, CardState["state"]>;
  old?: boolean;
}

export const kinds: readonly Sample[] = [
  {
    server: "excel",
    card: card("c1", "summary", "September at a glance", "Harbour shop", {
      body: [
        fields(["Net sales", "€16,204"], ["Orders", "344"], ["Returns", "2.1 %"]),
        badge("Closed month", "success"),
      ],
      actions: [action("a", "Send to the owner", "primary"), action("b", "Details")],
    }),
  },
  {
    server: "leochat",
    card: card("c2", "media", "Three times of day", "Drawn by the server", {
      body: [
        { type: "images", images: [dawn, noon, dusk].map((svg) => ({ url: data(svg), alt: "" })) },
        text("Pictures from elsewhere load when you click them."),
      ],
      actions: [action("a", "Show three more")],
    }),
  },
  {
    server: "shop",
    card: card("c3", "list", "Your cart", "2 products", {
      body: [
        image(aurora, "Aurora One"),
        text("Aurora One\n1 × €79.00"),
        divider,
        image(sparrow, "Sparrow Buds"),
        text("Sparrow Buds\n1 × €59.90"),
        divider,
        progress(99, 99, "Free shipping reached"),
      ],
      actions: [
        action("checkout", "Order for €138.90", "primary"),
        action("r0", "Remove", "danger", {
          confirm: {
            title: "Remove Aurora One?",
            message: "It leaves your cart. The price may be another one later.",
            confirmText: "Remove",
            cancelText: "Keep it",
          },
        }),
        action("r1", "Remove", "danger"),
      ],
    }),
  },
  {
    server: "shop",
    states: { pay: "running" },
    card: card("c4", "status", "Order 4F2A", "Paid, waiting to be packed", {
      tone: "info",
      body: [progress(2, 4, "Step 2 of 4: paid"), fields(["Total", "€138.90"], ["Arrives", "Thursday, 3 December"])],
      actions: [action("track", "Track the parcel", "primary"), action("pay", "Pay")],
    }),
  },
  {
    server: "leochat",
    card: card("c5", "review", "Before this is sent", "Letter to Casa Ribera, 3 points to check", {
      tone: "warning",
      body: [
        text(
          "The delivery of **18 November** was short by four boxes.\n\n- [x] Names agree with the order\n- [x] The date is that of the invoice\n- [ ] “Immediately” may sound harsh",
          "markdown",
        ),
        badge("1 remark", "warning"),
      ],
      actions: [action("a", "Send", "primary"), action("b", "Change it"), action("c", "Discard", "danger")],
    }),
  },
  {
    server: "shop",
    card: card("c6", "error", "The payment was refused", "Nothing was charged", {
      tone: "error",
      body: [
        text("The bank answered: card expired. Use another card, or pay on delivery."),
        fields(["Order", "4F2A"], ["Code", "54, expired card"]),
      ],
      actions: [action("a", "Use another card", "primary"), action("b", "Pay on delivery")],
    }),
  },
  {
    server: "pokemon_quiz",
    states: { opt_0: "pressed" },
    card: card("c7", "quiz", "Who is this Pokémon?", "Normal difficulty, first generation", {
      body: [
        image(known, "A silhouette"),
        fields(["Types", "Electric"], ["Category", "Mouse Pokémon"], ["Height", "0.4 m"], ["Weight", "6.0 kg"]),
        badge("Score 2 of 2", "info"),
        progress(2, 5, "Question 3 of 5"),
      ],
      actions: ["Pikachu", "Sandshrew", "Voltorb", "Jolteon"].map((name, at) => action(`opt_${at}`, name)),
    }),
  },
  {
    server: "pokemon_quiz",
    card: card("c8", "quiz", "Right: it is Pikachu", "You answered in 9 seconds", {
      tone: "success",
      body: [
        image(known, "Pikachu"),
        fields(["Number", "25"], ["Types", "Electric"]),
        badge("+1 point", "success"),
        badge("Score 3 of 3", "info"),
      ],
      actions: [action("next", "Next question", "primary")],
    }),
  },
  {
    server: "acme",
    card: card("c9", "form", "Book a room", "The Lisbon office", {
      body: [
        {
          type: "input",
          input: { name: "title", label: "Title", kind: "text", options: [], value: "Weekly report", required: false },
        },
        {
          type: "input",
          input: { name: "n", label: "Copies", kind: "number", options: [], value: null, required: true },
        },
        {
          type: "input",
          input: {
            name: "p",
            label: "Paper",
            kind: "select",
            options: [
              { value: "a4", label: "A4" },
              { value: "a5", label: "A5" },
            ],
            value: "a4",
            required: false,
          },
        },
        {
          type: "input",
          input: { name: "d", label: "Day", kind: "date", options: [], value: "2026-12-03", required: false },
        },
        {
          type: "input",
          input: { name: "pdf", label: "Also as PDF", kind: "checkbox", options: [], value: true, required: false },
        },
      ],
      actions: [action("ok", "Book", "primary"), action("dead", "No action", "secondary", { action: null })],
    }),
  },
];

export const search: Sample = {
  server: "shop",
  states: { v1: "pressed" },
  card: card("s1", "list", "Headphones under €150", "3 of 3 found, most popular first", {
    body: (
      [
        [fjord, "Fjord Travel\nOver-ear, folds flat, 40 h", "€129.00", "★ 4.6 (1,204)", badge("In stock", "success")],
        [
          aurora,
          "Aurora One\nOver-ear, noise cancelling, 32 h",
          "€79.00",
          "★ 4.7 (2,318)",
          badge("In stock", "success"),
        ],
        [
          sparrow,
          "Sparrow Buds\nIn-ear, IP54, 7 h and 28 h in the case",
          "€59.90",
          "★ 4.2 (873)",
          badge("3 left", "warning"),
        ],
      ] as const
    ).flatMap(([svg, words, price, rating, sign], at) => [
      ...(at ? [divider] : []),
      image(svg, words),
      text(words),
      fields(["Price", price], ["Rating", rating]),
      sign,
    ]),
    actions: [action("v0", "View"), action("v1", "View"), action("v2", "View")],
  }),
};

export const detail: Sample = {
  server: "shop",
  states: { add: "pressed", compare: "queued", gone: "failed" },
  card: card("s2", "media", "Aurora One", "€79.00, ★ 4.7 (2,318 reviews)", {
    body: [
      text("Over-ear, noise cancelling, 32 h"),
      image(aurora, "Aurora One"),
      fields(
        ["Noise", "Cancelling, three levels"],
        ["Battery", "32 h, 10 min charge for 5 h"],
        ["Link", "Bluetooth 5.3 or 3.5 mm"],
        ["Weight", "248 g"],
      ),
      badge("In stock", "success"),
      badge("Popular"),
      badge("1 in your cart", "info"),
      progress(79, 99, "€20.00 more for free shipping"),
    ],
    actions: [
      action("buy", "Buy now", "primary"),
      action("add", "Add to cart"),
      action("compare", "Compare"),
      action("gone", "Share"),
      action("rm", "Remove from cart", "danger"),
    ],
  }),
};

export const blocks: readonly Sample[] = [
  {
    server: "leochat",
    card: card("b1", "summary", "Words and pictures", "", {
      body: [
        text("Plain words keep their line breaks and are never read as Markdown: **stars** stay stars.\nNext line."),
        text(
          "**Markdown** is really rendered, with `code`, [links](https://example.org) and lists:\n\n- one idea a line\n- no empty ornament",
          "markdown",
        ),
        image(fjord, "Fjord Travel headphones"),
        { type: "image", image: { url: "https://waifu.pics/a.png", alt: "" } },
        progress(62, 100, "Copying"),
        badge("Default"),
        badge("Info", "info"),
        badge("Success", "success"),
        badge("Warning", "warning"),
        badge("Error", "error"),
        text("Above"),
        divider,
        text("Below"),
        { type: "note", note: "A block could not be shown: progress.value is not a number" },
      ],
    }),
  },
  {
    server: "leochat",
    card: card("b2", "unheard-of", "Tables and code", "An unknown kind looks like summary", {
      body: [
        {
          type: "table",
          table: {
            columns: ["Size", "Stock", "Price"],
            rows: [
              ["Small", "14", "€19.00"],
              ["Large", "3", "€24.00"],
            ],
            caption: "Prices with VAT",
          },
        },
        {
          type: "code",
          code: { language: "python", text: "for shop in shops:\n    print(shop.name, shop.net)  # euros" },
        },
      ],
    }),
  },
  {
    server: "shop",
    old: true,
    states: { pay: "pressed" },
    card: card("b3", "status", "Order 4F2A", "Waiting for payment", { actions: [action("pay", "Pay")] }),
  },
];
