/** A pinned rank call by call, callers and calls of a frame, a counter from a query. */

import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LAYOUT, report, stacked } from "./fixture";
import { launch, memoryPage, openPage } from "./open";

let browser: Browser;
let address: string;
beforeAll(async () => {
  browser = await launch();
  address = memoryPage("frames", report(), stacked(), LAYOUT);
});
afterAll(() => browser.close());
const plain = (words: string): string => words.replaceAll("\u202f", " ").replaceAll(/\s+/g, " ").trim();
/** What the box beside the pointer says in each row. */
async function tips(page: Page): Promise<string[]> {
  const surface = page.locator("[data-layer=rank] .surface");
  const box = await surface.locator("svg").first().boundingBox();
  const found: string[] = [];
  for (let y = 8; y < (box?.height ?? 0); y += 16) {
    await surface.hover({ position: { x: (box?.width ?? 0) * 0.2, y } });
    found.push(plain((await page.locator(".pointer-tip p").allTextContents()).join(": ")));
  }
  return found;
}

it("a pinned rank has its stacks, its calls and the calls inside them over time", async () => {
  const { page, complaints } = await openPage(browser, `${address}#timeline?o.timeline.pins=8&o.timeline.view=1..1.7`);
  const strip = page.locator("[data-layer=rank]");
  await expect
    .poll(() => tips(page))
    .toEqual(["sim.c:12 main: 700 ms", "sim.c:31 save: 700 ms", "MPI_File_write_all: 700 ms", "pwrite: 200 ms"]);
  const box = await strip.locator(".surface").boundingBox();
  if (!box) throw new Error("the strip has a place");
  await strip.locator(".surface").click({ position: { x: box.width * 0.2, y: 3 * 16 + 8 } });
  await expect.poll(() => page.url()).toContain("timeline.call=");
  await expect
    .poll(async () => plain(await page.locator(".side").innerText()))
    .toMatch(/pwrite .*rank 8 .*parent call .*MPI_File_write_all/);
  expect(await page.locator("[data-layer=mpiio] .linked-call").count()).toBe(1); // the call around it, in its own lane
  // from there to the lane of the call, and on to the call
  expect(await page.locator(".lane .connector").count()).toBe(2);
  expect(complaints).toEqual([]);
  await page.close();
});

it("a frame shows its callers and what it calls, over all stacks", async () => {
  const { page, complaints } = await openPage(browser, `${address}#source`);
  const show = page.getByRole("button", { name: "Callers and calls" });
  expect(await show.isDisabled()).toBe(true);
  await page.locator(".flame .box", { hasText: "flush" }).click();
  await show.click();
  const sides = page.locator(".split.even section");
  expect(await sides.nth(0).locator(".box").allInnerTexts()).toEqual(["sim.c:33 save", "sim.c:12 main"]);
  expect(await sides.nth(1).locator(".box").allInnerTexts()).toEqual(["out.c:7 flush", "POSIX write"]);
  await sides.nth(0).locator(".box").first().click();
  await expect
    .poll(() => sides.nth(1).locator(".box").allInnerTexts())
    .toEqual(["sim.c:33 save", "out.c:7 flush", "POSIX write"]);
  await page.getByRole("button", { name: "Show all" }).click();
  expect(await sides.count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.close();
});

it("a row of source lines shows the text of a file that the reader chose", async () => {
  const { page, complaints } = await openPage(browser, `${address}#source`);
  const buffer = Buffer.from(
    Array.from({ length: 40 }, (_, at) => (at === 30 ? "  MPI_File_write_all(out, <state>);" : `// ${at + 1}`)).join(
      "\n",
    ),
  );
  await page.locator("main input[type=file]").setInputFiles({ name: "sim.c", mimeType: "text/plain", buffer });
  await page.locator(".place button", { hasText: "sim.c:31" }).click();
  expect(await page.locator(".source-text .own").innerText()).toBe("31  MPI_File_write_all(out, <state>);");
  expect(await page.locator(".source-text code").count()).toBe(7);
  await page.locator(".place button", { hasText: "out.c:7" }).click();
  expect(await page.locator(".place .hint").allInnerTexts()).toContain("None of the chosen files contains this line.");
  expect(complaints).toEqual([]);
  await page.close();
});

it("numbers of a query are strips of the timeline, and stand in the link", async () => {
  const { page, complaints } = await openPage(browser, `${address}#tables`);
  await page.getByRole("textbox", { name: "SQL" }).fill("select * from phase");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "On the timeline" }).click();
  const strips = page.locator("[data-layer=counter]");
  await expect
    .poll(async () => (await strips.allInnerTexts()).map(plain))
    .toContain("bytes_written from a query Release 4.00 MiB");
  const link = await openPage(browser, page.url());
  await expect.poll(() => link.page.locator("[data-layer=counter]").count()).toBe(await strips.count());
  await link.page.locator("[data-layer=counter]").getByRole("button", { name: "Release" }).first().click();
  await expect.poll(() => link.page.locator("[data-layer=counter]").count()).toBe(0);
  await link.page.close();
  await page.evaluate(() => (location.hash = "#timeline?o.timeline.sql=nonsense"));
  await expect
    .poll(async () => plain(await page.locator("main [role=alert]").innerText()))
    .toContain("The query of the timeline failed: this is not valid SQL");
  expect(complaints).toEqual([]);
  await page.close();
});
