import { fileURLToPath } from "node:url";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

/** The page that opens dropped logs; `cargo xtask web-app` makes generated/engine.js before. */
export default defineConfig({
  plugins: [svelte({ compilerOptions: { runes: true } })],
  resolve: {
    alias: { "diya-engine": fileURLToPath(new URL("generated/engine.js", import.meta.url)) },
  },
  worker: { format: "iife" },
  build: {
    target: "es2022",
    outDir: "dist/parts-app",
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    lib: {
      entry: "src/app/drop/main.ts",
      formats: ["iife"],
      name: "diya",
      fileName: () => "page.js",
      cssFileName: "page",
    },
  },
});
