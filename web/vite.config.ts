import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { packageList } from "./build/licences.mjs";

/** `--mode memory`: the page over a text timeline, for browser tests. */
export default defineConfig(({ mode }) => ({
  plugins: [svelte({ compilerOptions: { runes: true } }), packageList()],
  worker: { format: "iife" },
  build: {
    target: "es2022",
    outDir: "dist/parts",
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    lib: {
      entry: mode === "memory" ? "test/browser/entry.ts" : "src/app/main.ts",
      formats: ["iife"],
      name: "diya",
      fileName: () => "page.js",
      cssFileName: "page",
    },
  },
}));
