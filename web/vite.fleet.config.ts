import { readdirSync, readFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { packageList } from "./build/licences.mjs";

/** Titles of the checks by their ids: datasets hold ids alone. */
function checkTitles(): Readonly<Record<string, string>> {
  const folder = new URL("../checks/", import.meta.url);
  const pages = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".md"));
  const titles = pages.sort().flatMap((path): [string, string][] => {
    const page = readFileSync(new URL(path, folder), "utf8");
    const [id, title] = [/^id\s*= "(.+)"$/m.exec(page)?.[1], /^# (.+)$/m.exec(page)?.[1]];
    return id === undefined || title === undefined ? [] : [[id, title]];
  });
  return Object.fromEntries(titles);
}

/** The page of `diya fleet report`. */
export default defineConfig({
  define: { __CHECK_TITLES__: JSON.stringify(checkTitles()) },
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
