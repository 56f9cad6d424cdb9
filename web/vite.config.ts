import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [svelte({ compilerOptions: { runes: true } })],
  worker: { format: "iife" },
  build: {
    target: "es2022",
    outDir: "dist/parts",
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    lib: { entry: "src/app/main.ts", formats: ["iife"], name: "diya", fileName: () => "page.js", cssFileName: "page" },
  },
});
