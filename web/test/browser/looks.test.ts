/**
 * What views look like, with tolerance: a screenshot shrunk to 48 x 36 shades is compared
 * with one that somebody looked at. Fonts and smoothing differ between machines; a
 * picture that is missing, empty or in the wrong colours does not.
 *
 * `LOOKS=write npm run browser` writes them anew, to be looked at as a diff of pictures.
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LAYOUT, report, timeline } from "./fixture";
import { launch, memoryPage, openPage } from "./open";

const VIEWS = ["diagnosis", "timeline", "files", "ranks", "phases", "transfer", "targets", "calls", "compare", "tables"];
const [WIDTH, HEIGHT] = [48, 36];
const place = new URL("../fixtures/looks.json", import.meta.url);
const kept: Record<string, string> = existsSync(place) ? (JSON.parse(readFileSync(place, "utf8")) as Record<string, string>) : {};
const isWriting = process.env.LOOKS === "write";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(async () => {
  if (isWriting) writeFileSync(place, `${JSON.stringify(kept, null, 1)}\n`);
  await browser.close();
});

/** Three bytes for each cell, mean colours. */
async function shades(artist: Page, screenshot: Buffer): Promise<Buffer> {
  const values = await artist.evaluate(async ([address, width, height]) => {
    const image = new Image();
    image.src = address as string;
    await image.decode();
    const canvas = new OffscreenCanvas(Number(width), Number(height));
    const context = canvas.getContext("2d");
    if (!context) return [];
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return [...context.getImageData(0, 0, canvas.width, canvas.height).data].filter((_, at) => at % 4 !== 3);
  }, [`data:image/png;base64,${screenshot.toString("base64")}`, WIDTH, HEIGHT]);
  return Buffer.from(values);
}

/** Mean distance of shades, and how many cells are far apart; of 255 and of 1. */
function difference(a: Buffer, b: Buffer): { readonly mean: number; readonly far: number } {
  let sum = 0;
  let far = 0;
  for (let at = 0; at < a.length; at += 1) {
    const apart = Math.abs((a[at] ?? 0) - (b[at] ?? 0));
    sum += apart;
    far += Number(apart > 60);
  }
  return { mean: sum / a.length, far: far / a.length };
}

it.each(["light", "dark"] as const)("views look as they did, in the %s theme", async (theme) => {
  const { page } = await openPage(browser, memoryPage(`looks-${theme}`, report(), timeline(), LAYOUT), theme);
  const artist = await browser.newPage();
  const changed: string[] = [];
  for (const view of VIEWS) {
    await page.evaluate((name) => (location.hash = `#${name}`), view);
    await page.waitForSelector(`main[data-view=${view}]`);
    await page.waitForTimeout(700);
    const look = await shades(artist, await page.screenshot());
    const name = `${view} ${theme}`;
    if (isWriting) kept[name] = look.toString("base64");
    const { mean, far } = difference(look, Buffer.from(kept[name] ?? "", "base64"));
    if (kept[name] === undefined || mean > 6 || far > 0.03) changed.push(`${name}: mean ${mean.toFixed(1)}, far ${(100 * far).toFixed(1)} %`);
  }
  expect(changed).toEqual([]);
  await page.close();
});
