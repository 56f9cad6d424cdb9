// Pictures of the views for docs/guide/views, as PNG of at most 256 colours.
//
//   node build/pictures.mjs FOLDER OUT [NAME...]
//
// FOLDER holds the pages: openpmd.html, before.html, after.html, stacks.html
// (scripts/guide-pictures.sh makes them). Every picture is the page itself.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launch, smallPng } from "./png.mjs";

const [folder, out, ...names] = process.argv.slice(2);
const VIEWS = [
    ["diagnosis", "openpmd", "#diagnosis", 860],
    ["timeline", "openpmd", "#timeline?o.timeline.ruler=2.85..3.52&o.timeline.measure=1", 960],
    ["timeline-groups", "openpmd", "#timeline?o.timeline.group=cluster&o.timeline.folded=all", 960],
    ["files", "openpmd", "#files", 760],
    ["ranks", "openpmd", "#ranks", 820],
    ["phases", "openpmd", "#phases", 900],
    ["transfer", "openpmd", "#transfer", 760],
    ["targets", "openpmd", "#targets", 820],
    ["calls", "openpmd", "#calls", 640],
    ["source", "stacks", "#source", 420],
    ["compare", "before", "#compare", 860],
    ["tables", "openpmd", "#tables?o.tables.name=phase_straggler", 420],
];

mkdirSync(out, { recursive: true });
const browser = await launch();
const encoder = await browser.newPage();
let total = 0;
for (const [name, file, hash, height] of VIEWS) {
    if (names.length > 0 && !names.includes(name)) continue;
    const page = await browser.newPage({ viewport: { width: 1280, height }, colorScheme: "light" });
    await page.addInitScript(() => localStorage.setItem("diya.first-steps", "seen"));
    await page.goto(`file://${join(folder, `${file}.html`)}${hash}`);
    await page.waitForSelector("html[data-ready]", { state: "attached" });
    if (name === "compare") await page.locator("input[type=file]").setInputFiles(join(folder, "after.html"));
    await page.waitForTimeout(2500);
    const bytes = await smallPng(encoder, await page.screenshot());
    writeFileSync(join(out, `${name}.png`), bytes);
    total += bytes.length;
    console.log(`${name}.png: ${bytes.length} bytes`);
    await page.close();
}
console.log(`${total} bytes in all`);
await browser.close();
