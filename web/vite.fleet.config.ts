import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { packageList } from "./build/licences.mjs";

/** The page of `diya fleet report`. */
export default defineConfig({
  plugins: [svelte({ compilerOptions: { runes: true } }), packageList()],
  build: {
    target: "es2022",
    outDir: "dist/parts-fleet",
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    lib: {
      entry: "src/fleet/main.ts",
      formats: ["iife"],
      name: "diya",
      fileName: () => "page.js",
      cssFileName: "page",
    },
  },
});
