import { cleanup, fireEvent, render } from "@testing-library/preact";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openable } from "../../src/address";
import { LiveText } from "../../src/live";
import { Markdown } from "../../src/markdown/Markdown";
import { type Services, ServicesContext } from "../../src/services";

const payloads = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<svg onload=alert(1)><a href=javascript:alert(1)>x</a></svg>",
  "<iframe src=https://evil.example></iframe>",
  "<a href='https://evil.example' onclick=alert(1)>x</a>",
  "<style>@import url(https://evil.example)</style>",
  "<link rel=stylesheet href=https://evil.example>",
  "<meta http-equiv=refresh content=0;url=https://evil.example>",
  "<base href=https://evil.example/>",
  "<form action=https://evil.example><input name=a></form>",
  "<object data=https://evil.example></object><embed src=https://evil.example>",
  "<details open ontoggle=alert(1)>",
  "<video src=https://evil.example/a.mp4 autoplay></video>",
  "<div style='background:url(https://evil.example)'>x</div>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](java&#115;cript:alert(1))",
  "[x](&#x6A;avascript:alert(1))",
  "[x](\u0001javascript:alert(1))",
  "[x](vbscript:msgbox)",
  "[x](data:text/html,<script>alert(1)</script>)",
  "[x](file:///etc/passwd)",
  "[x](https://user:pass@evil.example)",
  "[x](//evil.example)",
  "<javascript:alert(1)>",
  "[x]: javascript:alert(1)\n\n[x]",
  "![x](https://evil.example/pixel.png)",
  "![x](//evil.example/pixel.png)",
  "![x](javascript:alert(1))",
  "![x](data:text/html,<script>alert(1)</script>)",
  "![x](data:image/svg+xml,<svg onload=alert(1)>)",
  '![x](https://evil.example/a.png"onerror="alert(1))',
  '[x](https://example.org "\\" onmouseover=\\"alert(1)")',
  "```html\n<script>alert(1)</script>\n```",
  '```"><img src=x onerror=alert(1)>\nx\n```',
  "`<img src=x onerror=alert(1)>`",
  "| <img src=x onerror=alert(1)> | b |\n|---|---|\n| <script>alert(1)</script> | [x](javascript:alert(1)) |",
  "- <img src=x onerror=alert(1)>\n- [ ] <script>alert(1)</script>",
  "> <iframe srcdoc='<script>alert(1)</script>'>",
  "# <img src=x onerror=alert(1)>",
  "&lt;img src=x onerror=alert(1)&gt;",
  "<!--><img src=x onerror=alert(1)>-->",
  "<![CDATA[<img src=x onerror=alert(1)>]]>",
  "[<img src=x onerror=alert(1)>](https://example.org)",
  "![<img src=x onerror=alert(1)>](https://evil.example/a.png)",
  "\\<img src=x onerror=alert(1)\\>",
  "<br onmouseover=alert(1)>",
  "<a\nhref=javascript:alert(1)>x</a>",
  `${">".repeat(3000)} deep`,
  `${"[".repeat(2000)}x`,
];

const allowed = new Set(
  "P DIV SPAN A B I SVG USE STRONG EM DEL CODE PRE BUTTON UL OL LI BLOCKQUOTE TABLE THEAD TBODY TR TH TD HR BR IMG H1 H2 H3 H4 H5 H6".split(
    " ",
  ),
);

function draw(text: string, services: Partial<Services> = {}): HTMLElement {
  const all: Services = { openUrl: vi.fn(), attachment: vi.fn(), remotePicture: vi.fn(), ...services };
  const { container } = render(
    <ServicesContext.Provider value={all}>
      <Markdown source={text} />
    </ServicesContext.Provider>,
  );
  return container as HTMLElement;
}

afterEach(cleanup);

describe("hostile Markdown", () => {
  it.each(payloads)("stays inert: %s", (text) => {
    const page = draw(text);
    for (const element of page.querySelectorAll("*")) {
      expect(allowed).toContain(element.nodeName.toUpperCase());
      for (const { name, value } of element.attributes) {
        expect(name).not.toMatch(/^on|^style$|^srcdoc$|^action$/);
        if (element.nodeName === "A" && name === "href") expect(value).toMatch(/^(https?:|mailto:)/);
        if (name === "src") expect(value).toMatch(/^data:image\//);
      }
    }
  });

  it("shows HTML as the text it is", () => {
    expect(draw("a <b onclick=x>bold</b> c").textContent).toBe("a <b onclick=x>bold</b> c");
    expect(draw("<script>alert(1)</script>").textContent).toBe("<script>alert(1)</script>");
  });
});

describe("links and pictures", () => {
  it("a click asks the page to open the address and the browser follows nothing", () => {
    const openUrl = vi.fn();
    const link = draw("[x](https://example.org/a)", { openUrl }).querySelector("a");
    expect(link).not.toBeNull();
    expect(fireEvent.click(link as Element)).toBe(false);
    expect(openUrl).toHaveBeenCalledWith("https://example.org/a");
  });

  it("a remote picture is a chip with its host and is fetched by the page only when clicked", async () => {
    const remotePicture = vi.fn().mockResolvedValue("blob:here");
    const page = draw("![a cat](https://cats.example/1.png)", { remotePicture });
    expect(page.querySelector("img")).toBeNull();
    expect(page.textContent).toContain("cats.example");
    fireEvent.click(page.querySelector("button") as Element);
    await expect.poll(() => page.querySelector("img")?.getAttribute("src")).toBe("blob:here");
    expect(remotePicture).toHaveBeenCalledWith("https://cats.example/1.png", { server: undefined, clicked: true });
  });

  it("a picture that cannot be had says why and can be asked for again", async () => {
    const remotePicture = vi.fn().mockRejectedValue(new Error("404 Not Found"));
    const page = draw("![x](https://cats.example/1.png)", { remotePicture });
    fireEvent.click(page.querySelector("button") as Element);
    await expect.poll(() => page.textContent).toContain("404 Not Found");
    expect(page.querySelector("button")?.disabled).toBe(false);
  });

  it.each(["javascript:x", "data:text/html,x", "file:///x", "ftp://x", "https://a@b.c", "/x", "https://x\n.y", ""])(
    "%s cannot be opened",
    (address) => expect(openable(address)).toBeNull(),
  );
});

describe("a growing text", () => {
  it("is drawn to its end, and anew if it turns out to be another", () => {
    const live = new LiveText("one ");
    const { container } = render(<Markdown source={live} />);
    live.append("*two*");
    live.settle("one *two*");
    expect(container.querySelector(".md")?.innerHTML).toBe("<p>one <em>two</em></p>");
    const other = new LiveText("draft");
    const second = render(<Markdown source={other} />);
    other.settle("final");
    expect(second.container.textContent).toBe("final");
  });
});
