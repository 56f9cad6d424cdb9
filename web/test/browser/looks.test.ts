/**
 * What views look like, with tolerance: a screenshot shrunk to 32 x 24 shades is compared
 * with one that somebody looked at. Fonts and smoothing differ between machines; a
 * picture that is missing, empty or in the wrong colours does not.
 *
 * `LOOKS=write npm run browser -- looks` writes them anew; DIYA_LOOK=FOLDER keeps the screenshots, to be looked at.
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DECLARED } from "../../src/app/declared";
import { LAYOUT, report, stacked } from "./fixture";
import { launch, memoryPage, openPage, packedPage } from "./open";

const VIEWS = DECLARED.map(({ id }) => id);
/** Wide, narrow, and with the names of the views in a menu. */
const WIDTHS = [1440, 1000, 800];
const THEMES = ["light", "dark"] as const;
const [WIDTH, HEIGHT] = [32, 24];
const place = new URL("../fixtures/looks.json", import.meta.url);
const kept: Record<string, string> =
  process.env.LOOKS !== "write" && existsSync(place)
    ? (JSON.parse(readFileSync(place, "utf8")) as Record<string, string>)
    : {};
const isWriting = process.env.LOOKS === "write";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(async () => {
  if (isWriting) writeFileSync(place, `${JSON.stringify(kept, null, 1)}\n`);
  await browser.close();
});

/** Three bytes for each cell, mean colours. */
async function shades(artist: Page, screenshot: Buffer): Promise<Buffer> {
  const values = await artist.evaluate(
    async ([address, width, height]) => {
      const image = new Image();
      image.src = address as string;
      await image.decode();
      const canvas = new OffscreenCanvas(Number(width), Number(height));
      const context = canvas.getContext("2d");
      if (!context) return [];
      context.imageSmoothingQuality = "high";
      context.drawImage(image, 0, 0, canvas.width, canvas.height);
      return [...context.getImageData(0, 0, canvas.width, canvas.height).data].filter((_, at) => at % 4 !== 3);
    },
    [`data:image/png;base64,${screenshot.toString("base64")}`, WIDTH, HEIGHT],
  );
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

it.each(THEMES.flatMap((theme) => WIDTHS.map((width) => [theme, width] as const)))(
  "views look as they did, in the %s theme at %i px",
  async (theme, width) => {
    const { page } = await openPage(
      browser,
      memoryPage(`looks-${theme}-${width}`, report(), stacked(), LAYOUT),
      theme,
      { width, height: (width * 3) / 4 },
    );
    const artist = await browser.newPage();
    const changed: string[] = [];
    const other = packedPage("looks-other", report(), readFileSync(new URL("../fixtures/small.pack", import.meta.url)));
    for (const view of VIEWS) {
      await page.evaluate(
        (name) => (location.hash = `#${name}${name === "timeline" ? "?o.timeline.pins=5" : ""}`),
        view,
      );
      await page.waitForSelector(`main[data-view=${view}]`);
      if (view === "compare") await page.locator("input[type=file]").setInputFiles(fileURLToPath(other));
      await page.waitForTimeout(700);
      const screenshot = await page.screenshot();
      const look = await shades(artist, screenshot);
      const name = `${view} ${theme} ${width}`;
      if (process.env.DIYA_LOOK) writeFileSync(`${process.env.DIYA_LOOK}/${name.replaceAll(" ", "-")}.png`, screenshot);
      if (isWriting) kept[name] = look.toString("base64");
      const { mean, far } = difference(look, Buffer.from(kept[name] ?? "", "base64"));
      if (kept[name] === undefined || mean > 6 || far > 0.03)
        changed.push(`${name}: mean ${mean.toFixed(1)}, far ${(100 * far).toFixed(1)} %`);
    }
    expect(changed).toEqual([]);
    await artist.close();
    await page.close();
  },
);

it("keeps no look of a view that is gone", () => {
  expect(Object.keys(kept).sort()).toEqual(
    THEMES.flatMap((theme) => WIDTHS.flatMap((width) => VIEWS.map((view) => `${view} ${theme} ${width}`))).sort(),
  );
});
