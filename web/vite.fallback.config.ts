import { defineConfig } from "vite";

/** The report as text for browsers that cannot run the page. */
export default defineConfig({
  build: {
    target: "es2015",
    outDir: "dist/parts",
    emptyOutDir: false,
    modulePreload: false,
    lib: {
      entry: "src/app/fallback.ts",
      formats: ["iife"],
      name: "diyaFallback",
      fileName: () => "fallback.js",
    },
  },
});
