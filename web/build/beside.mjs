// Pictures for docs/beside-other-pages.md: the same log in several pages.
//
//   node build/beside.mjs FOLDER OUT
//
// FOLDER holds what scripts/beside-pages.sh made; a page that is not there is left out, and named.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { launch, smallPng } from "./png.mjs";

const [folder, out] = process.argv.slice(2);
const MOST_BYTES = 150_000;
const isOurs = (page) => page.waitForSelector("html[data-ready]", { state: "attached" });
/** Name of the picture, file, what follows in the address, what to do there. */
const SHOTS = [
  ["diya-timeline", "diya.html", "#timeline?o.timeline.pins=0", isOurs],
  ["diya-findings", "diya.html", "#diagnosis", isOurs],
  ["dxt-explorer", "dxt-operation.html", "", (page) => page.waitForSelector(".main-svg")],
  ["drishti", "drishti.html", "", () => undefined],
  ["speedscope", "speedscope/index.html", "#localProfilePath=../profile.js", (page) => page.waitForSelector("canvas")],
  ["diya-stacks", "stacks.html", "#source", async (page) => {
    await isOurs(page);
    await page.locator(".flame .box", { hasText: "write_state" }).first().click();
    await page.getByRole("button", { name: "Callers and calls" }).click();
  }],
  ["memray", "memray.html", "", (page) => page.waitForSelector(".d3-flame-graph")],
];

mkdirSync(out, { recursive: true });
const browser = await launch();
const encoder = await browser.newPage();
for (const [name, file, hash, ready] of SHOTS) {
  if (!existsSync(join(folder, file))) {
    console.log(`${name}: ${file} is not there, so the picture stays as it is`);
    continue;
  }
  const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, colorScheme: "light" });
  await page.addInitScript(() => localStorage.setItem("diya.first-steps", "seen"));
  await page.goto(`file://${join(folder, file)}${hash}`);
  await ready(page);
  await page.waitForTimeout(2500);
  const bytes = await smallPng(encoder, await page.screenshot());
  if (bytes.length > MOST_BYTES) throw new Error(`${name}: ${bytes.length} bytes are more than ${MOST_BYTES}`);
  writeFileSync(join(out, `${name}.png`), bytes);
  console.log(`${name}.png: ${bytes.length} bytes`);
  await page.close();
}
await browser.close();
