/** Builds the page into the backend's static folder: one script, one style sheet, a few chunks loaded when needed. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Puts the icon symbols into the page itself, so that an icon costs no request and follows the theme's variables. */
function iconSprite(): Plugin {
  return {
    name: "icon-sprite",
    transformIndexHtml(html) {
      const sprite = readFileSync(here("src/icons/sprite.svg"), "utf8").replace(
        "<svg ",
        '<svg class="sprite" width="0" height="0" aria-hidden="true" ',
      );
      return html.replace("<!-- icons -->", sprite.replace(/>\s+</g, "><"));
    },
  };
}

export default defineConfig({
  plugins: [iconSprite()],
  build: {
    outDir: here("../app/web/static"),
    emptyOutDir: true,
    target: "es2022",
    cssTarget: ["chrome120", "safari17", "firefox121"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { host: "127.0.0.1" },
  test: {
    environment: "jsdom",
    include: ["tests/**/*.test.{ts,tsx}"],
    setupFiles: ["tests/setup.ts"],
    restoreMocks: true,
    testTimeout: 20_000,
  },
});
