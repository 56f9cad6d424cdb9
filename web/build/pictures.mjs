// Pictures of the views for docs/guide/views, as PNG of at most 256 colours.
//
//   node build/pictures.mjs FOLDER OUT [NAME...]
//
// A view wants them in its `view.ts`. FOLDER holds the pages: openpmd.html, before.html, after.html, stacks.html
// (scripts/guide-pictures.sh makes them). Every picture is the page itself.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runnerImport } from "vite";
import { root } from "./inline.mjs";
import { launch, smallPng } from "./png.mjs";

const [folder, out, ...names] = process.argv.slice(2);
const wanted = [];
for (const view of readdirSync(new URL("src/views", root))) {
    const file = new URL(`src/views/${view}/view.ts`, root).pathname;
    const { module } = await runnerImport(file, { configFile: false, logLevel: "error" });
    for (const picture of module.pictures)
        wanted.push({ ...picture, view, name: [view, picture.suffix].filter(Boolean).join("-") });
}

mkdirSync(out, { recursive: true });
const browser = await launch();
const encoder = await browser.newPage();
let total = 0;
for (const { name, view, page: file, options = "", opens, height } of wanted) {
    if (names.length > 0 && !names.includes(name)) continue;
    const page = await browser.newPage({ viewport: { width: 1280, height }, colorScheme: "light" });
    await page.addInitScript(() => localStorage.setItem("diya.first-steps", "seen"));
    await page.goto(`file://${join(folder, `${file}.html`)}#${view}?${options}`);
    await page.waitForSelector("html[data-ready]", { state: "attached" });
    if (opens) await page.locator("input[type=file]").setInputFiles(join(folder, `${opens}.html`));
    await page.waitForTimeout(2500);
    const bytes = await smallPng(encoder, await page.screenshot());
    writeFileSync(join(out, `${name}.png`), bytes);
    total += bytes.length;
    console.log(`${name}.png: ${bytes.length} bytes`);
    await page.close();
}
console.log(`${total} bytes in all`);
await browser.close();
