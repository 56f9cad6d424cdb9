/** What an expert does on the timeline: groups, folding, measuring, saving, two runs on one axis. */

import { readFileSync } from "node:fs";
import type { Browser, Download, Page, Locator } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { KIND_HEX } from "../../src/base/colours";
import { LAYOUT, report, timeline } from "./fixture";
import { launch, memoryPage, openPage, packedPage } from "./open";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

const open = (name: string, hash = "") =>
  openPage(browser, `${memoryPage(name, report(), timeline(), LAYOUT)}#timeline${hash}`);
const drag = async (page: Page, selector: string, from: number, to: number): Promise<void> => {
  const box = await page.locator(selector).boundingBox();
  if (!box) throw new Error(`${selector} has a place`);
  await page.mouse.move(box.x + box.width * from, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * to, box.y + box.height / 2, { steps: 4 });
  await page.mouse.up();
};
const contentOf = async (download: Download): Promise<string> => readFileSync(await download.path(), "utf8");

/** Groups beside a lane, each with the number of its processes. */
const groups = async (lane: Locator): Promise<string[]> =>
  (await lane.locator(".gutter button").allInnerTexts()).map((words) => words.replaceAll(/\s+/g, " "));

it("nodes fold into a summary each, and unfold one by one", async () => {
  const { page, complaints } = await open("fold");
  await page.getByRole("button", { name: "Display" }).click();
  await page.getByLabel(/^Group/).selectOption("node");
  const lane = page.locator("[data-layer=posix]");
  await expect.poll(() => groups(lane)).toEqual(["▸ nid00001 8", "▸ nid00002 8"]);
  await page.getByText("Unfold all", { exact: true }).click();
  await expect.poll(() => groups(lane)).toEqual(["▾ nid00001 8", "▾ nid00002 8"]);
  await page.getByText("Fold all", { exact: true }).click();
  await expect.poll(() => page.url()).toContain("timeline.folded=all");
  await lane.locator(".gutter button").first().click();
  await expect.poll(() => groups(lane)).toEqual(["▾ nid00001 8", "▸ nid00002 8"]);
  const surface = lane.locator(".surface.heat");
  const box = await surface.boundingBox();
  if (!box) throw new Error("the lane has a place");
  // the folded node, while its aggregator writes
  await surface.hover({ position: { x: box.width * 0.193, y: box.height - 4 } });
  await expect.poll(() => page.locator(".side").innerText()).toMatch(/pwrite[\s\S]*rank 8/);
  // one of its 8 ranks, as the lane draws it and the box beside the pointer says it
  await expect
    .poll(() => page.locator(".pointer-tip").innerText())
    .toMatch(/nid00002: 8 ranks[\s\S]*1[23](\.\d)?.% write/);
  expect(complaints).toEqual([]);
  await page.close();
});

it("a lane of a library has colours of its own for waits and for the library, and names them", async () => {
  const { page, complaints } = await open("parted");
  expect(await page.locator(".kinds .key").allInnerTexts()).toEqual(["wait", "inside libraries"]);
  await page.waitForTimeout(1200);
  /** Colour at a moment of the run (7 s) in a row of a lane, in shares of its size. */
  const colour = (layer: string, at_s: number, row: number): Promise<string> =>
    page.locator(`[data-layer=${layer}] .surface.heat canvas`).evaluate(
      (element, [x, y]) => {
        const canvas = element as HTMLCanvasElement;
        const pixel =
          canvas
            .getContext("2d")
            ?.getImageData(Math.round(canvas.width * Number(x)), Math.round(canvas.height * Number(y)), 1, 1).data ??
          [];
        return `#${[...pixel]
          .slice(0, 3)
          .map((part) => part.toString(16).padStart(2, "0"))
          .join("")}`;
      },
      [at_s / 5.93, row],
    );
  expect(await colour("mpiio", 1.15, 0.5 / 16)).toBe(KIND_HEX.light.write); // the aggregator writes
  expect(await colour("mpiio", 1.5, 0.5 / 16)).toBe(KIND_HEX.light.wait); // and waits
  expect(await colour("mpiio", 1.15, 3.5 / 16)).toBe(KIND_HEX.light.wait); // as all others do
  expect(complaints).toEqual([]);
  await page.close();
});

it("ranks that did alike stand together", async () => {
  const { page } = await open("alike", "?o.timeline.group=cluster");
  await expect.poll(() => page.locator("[data-layer=posix] .gutter").innerText()).toMatch(/13 alike/);
  expect(await page.locator("[data-layer=posix] .gutter").innerText()).toMatch(/2 alike|rank 5/);
  await page.close();
});

it("the ruler measures a span, and Escape takes it away", async () => {
  const { page } = await open("ruler");
  await page.keyboard.press("m");
  await page.locator(".measuring").waitFor();
  await drag(page, "[data-layer=posix] .surface.heat", 1 / 7, 3 / 7);
  await expect
    .poll(() => page.locator(".ruler-name").textContent())
    .toMatch(/^1\.[67]\d?\s?s, from 8\d\d\s?ms to 2\.5\d?\s?s$/);
  expect(page.url()).not.toContain("&t=");
  await page.keyboard.press("Escape");
  await expect.poll(() => page.locator(".ruler-name").count()).toBe(0);
  await page.close();
});

it("the picture is saved as it is seen, in the light colours", async () => {
  const { page, complaints } = await openPage(
    browser,
    `${memoryPage("save", report(), timeline(), LAYOUT)}#timeline`,
    "dark",
  );
  await page.waitForTimeout(600);
  await page.getByRole("button", { name: "Display" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(".menu-panel").getByText("SVG", { exact: true }).click(),
  ]);
  const svg = await contentOf(download);
  expect(svg).toMatch(/^<\?xml[\s\S]*<svg[^>]*viewBox/);
  expect(svg.match(/<image/g)?.length).toBe(3); // two layers and the storage targets
  for (const word of ["MPI-IO", "POSIX", "Storage targets", "Whole run"]) expect(svg).toContain(word);
  expect(svg).toContain('fill="#ffffff"');
  await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
  expect(complaints).toEqual([]);
  await page.close();
});

it("the page of another run stands below this one, on one axis", async () => {
  const { page, complaints } = await openPage(browser, `${memoryPage("two", report(), timeline(), LAYOUT)}#compare`);
  const other = packedPage("other-run", report(), readFileSync(new URL("../fixtures/small.pack", import.meta.url)));
  await page.locator("input[type=file]").setInputFiles(other.replace("file://", ""));
  await expect.poll(() => page.locator("section.run").count()).toBe(2);
  await expect.poll(() => page.locator("section.run").nth(1).locator("canvas").count()).toBeGreaterThan(0);
  await drag(page, "section.run:first-of-type [data-layer=posix] .surface.heat", 0.2, 0.4);
  await expect.poll(() => page.url()).toContain("compare.view=");
  await page.getByLabel("Align at").selectOption("phase");
  await expect.poll(() => page.url()).toContain("compare.align=phase");
  expect(complaints).toEqual([]);
  await page.close();
});

it("evidence over the whole run is said beside the lanes: they stay where they are", async () => {
  const made = report();
  const [finding] = made.findings as Record<string, unknown>[];
  made.findings = [{ ...finding, files: [], ranks: [], window_s: null, evidence: [] }];
  const { page, complaints } = await openPage(
    browser,
    memoryPage(
      "whole-evidence",
      made,
      "rank layer op file function start end offset size\n0 posix read /f read 0 3 0 100\n1 posix read /f " +
        "read 3 7 100 100",
    ),
  );
  await page.getByRole("link", { name: "Show me" }).first().click();
  await page.locator(".side", { hasText: "This concerns the whole run" }).waitFor();
  const place = () => page.locator(".strip.lane").boundingBox();
  const before = await place();
  await page.keyboard.press("w"); // another part is visible, and the line goes
  await expect.poll(() => page.locator(".side").innerText()).not.toContain("This concerns the whole run");
  expect(await place()).toEqual(before);
  expect(complaints).toEqual([]);
  await page.close();
});

it("where calls share a pixel, it has the colour of the longest", async () => {
  const calls = Array.from({ length: 1200 }, (_, at) => {
    const from = at * 1e-3;
    return [
      ["write", "write", from, from + 1e-5, at * 50, 50],
      ["sync", "fsync", from + 2e-5, from + 9e-4, "-", "-"],
    ]
      .map(
        ([op, name, start, end, offset, size]) =>
          `0 n0 posix ${op} /f ${name} ${Number(start).toFixed(6)} ${Number(end).toFixed(6)} ${offset} ${size}`,
      )
      .join("\n");
  });
  const { page, complaints } = await openPage(
    browser,
    memoryPage("syncs", report(), ["rank host layer op file function start end offset size", ...calls].join("\n")) +
      "#timeline",
  );
  await page.waitForTimeout(1200);
  const colours = await page.locator("[data-layer=posix] .surface.heat canvas").evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const row =
      canvas.getContext("2d")?.getImageData(0, Math.round(canvas.height / 2), canvas.width, 1).data ??
      new Uint8ClampedArray();
    const isWrite = (at: number): boolean => (row[at] ?? 0) > 180 && (row[at + 2] ?? 255) < 80;
    return {
      pixels: canvas.width,
      writes: Array.from({ length: canvas.width }, (_, at) => at * 4).filter(isWrite).length,
    };
  });
  expect(colours.writes).toBeLessThan(colours.pixels * 0.05);
  expect(await page.locator(".kinds button").allInnerTexts()).toEqual(["write", "sync"]);
  expect(complaints).toEqual([]);
  await page.close();
});
