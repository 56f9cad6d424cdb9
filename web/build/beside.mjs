// Pictures for docs/guide/beside-other-pages.md: the same log in several pages.
//
//   node build/beside.mjs FOLDER OUT
//
// FOLDER holds what lab/pages/beside-pages.sh made; a page that is not there is left out, and named.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { launch, smallPng } from "./png.mjs";

const [folder, out] = process.argv.slice(2);
const MOST_BYTES = 150_000;
const isOurs = (page) => page.waitForSelector("html[data-ready]", { state: "attached" });
const usual = { width: 1280, height: 760 };
/** A page for wide screens, shrunk. */
const wide = { width: 1920, height: 1140 };
/** Name of the picture, its window, file, what follows in the address, what to do there. */
const SHOTS = [
    ["diya-timeline", usual, "diya.html", "#timeline?o.timeline.pins=0", isOurs],
    ["diya-findings", usual, "diya.html", "#diagnosis", isOurs],
    ["dxt-explorer", wide, "dxt-operation.html", "", (page) => page.waitForSelector(".main-svg")],
    ["drishti", { width: 800, height: 760 }, "drishti.html", "", () => undefined],
    [
        "speedscope",
        usual,
        "speedscope/index.html",
        `#localProfilePath=${join(resolve(folder), "profile.js")}`,
        (page) => page.waitForSelector("canvas"),
    ],
    [
        "diya-stacks",
        { width: 1280, height: 340 },
        "stacks.html",
        "#source",
        async (page) => {
            await isOurs(page);
            await page.locator(".flame .box", { hasText: "write_state" }).first().click();
            await page.getByRole("button", { name: "Callers and calls" }).click();
        },
    ],
];

mkdirSync(out, { recursive: true });
const browser = await launch();
const encoder = await browser.newPage();
for (const [name, viewport, file, hash, ready] of SHOTS) {
    if (!existsSync(join(folder, file))) {
        console.log(`${name}: ${file} is not there, so the picture stays as it is`);
        continue;
    }
    const page = await browser.newPage({
        viewport,
        deviceScaleFactor: Math.min(1, usual.width / viewport.width),
        colorScheme: "light",
    });
    await page.addInitScript(() => localStorage.setItem("diya.first-steps", "seen"));
    await page.goto(`file://${join(folder, file)}${hash}`);
    await ready(page);
    await page.waitForTimeout(2500);
    const shot = await page.screenshot();
    const bytes = shot.length <= MOST_BYTES ? shot : await smallPng(encoder, shot);
    if (bytes.length > MOST_BYTES) throw new Error(`${name}: ${bytes.length} bytes are more than ${MOST_BYTES}`);
    writeFileSync(join(out, `${name}.png`), bytes);
    console.log(`${name}.png: ${bytes.length} bytes`);
    await page.close();
}
await browser.close();
