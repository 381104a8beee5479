/** Texts that are streamed in tests: every CommonMark example, and what chats are full of. */
import { tests } from "commonmark-spec";

export const commonmark: readonly string[] = tests.map(({ markdown }) => markdown.replaceAll("→", "\t"));

export const chats: readonly string[] = [
  "Plain words, then *emphasis*, **strong**, ~~gone~~ and `code`.\n\nA second paragraph with https://example.org/a?b=1&c=2 in it.",
  "# One\n\ntext\n\n## Two\ntext\n\n- a\n- b\n\n  still b\n\n- c\n\nafter\n\n1. x\n2. y\n\n\n3. z\n",
  "```python\nfor i in range(3):\n    print(i)\n\n\nprint('end')\n```\n\nafter the code\n\n~~~\n```\nnot closed by backticks\n~~~\n\nend",
  "| Shop | Net | Change |\n|---|--:|:-:|\n| Harbour | €48,210 | +6.2 % |\n| Old town | 39,874 | −1 % |\n\nWords under the table.\n\nMore.",
  "- [x] done\n- [ ] open **bold**\n\n> quoted\n> > twice\n\n> again\n\nlast",
  'See [the page][p] and [other].\n\nA paragraph.\n\nAnother.\n\nAnd one more.\n\n[p]: https://example.org "Title"\n[other]: https://example.com\n',
  "[first] wins\n\n[first]: https://one.example\n\nx\n\ny\n\n[first]: https://two.example\n\nz [first]\n\nend",
  "<div>\n*raw*\n\n*not raw*\n\n<script>\n\nalert(1)\n\n</script>\n\ntext <b>x</b><br>y\n",
  "<!-- a comment\n\nwith a blank line -->\n\nafter\n\n    indented\n\n    code\n\nend\n\n    more\n",
  "Windows\r\nlines\r\n\r\n- a\r\n- b\r\n\r\n```js\r\nx\r\n```\r\n\r\nend\r\n\r\nreally",
  "```\nnever closed\n\n- a\n\n# b\n",
  "text\n```\nright after\n```\ntext\n\n```js\na\n``` \n\n``` not a close\n\nmore\n\nmore",
  "1. one\n\n   ```sh\n   in a list\n\n   ```\n\n2. two\n\nend\n\n- \n\nx\n\n-\n\ny",
  "![pic](https://pictures.example/a.png) and ![d](data:image/png;base64,AAAA)\n\nx\n\ny",
  "产品说明书\n\n- 一\n- 二\n\n**粗体**。\n\n&copy; &amp;amp; &#35; &notareference; \\*\n\nend",
];
