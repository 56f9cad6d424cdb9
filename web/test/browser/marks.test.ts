/** Marks, files and the SQL box by keys alone. */

import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LAYOUT, report, timeline } from "./fixture";
import { launch, memoryPage, openPage } from "./open";

let browser: Browser;
let address: string;
beforeAll(async () => {
  browser = await launch();
  address = memoryPage("marks", report(), timeline(), LAYOUT);
});
afterAll(() => browser.close());
const plain = (text: string): string => text.replaceAll("\u202f", " ");

it("arrow keys go through a chart, Enter selects", async () => {
  const { page, complaints } = await openPage(browser, `${address}#ranks`);
  const chart = page.getByRole("group", { name: /^Time in I\/O per rank: arrow keys/ });
  await chart.focus();
  for (let press = 0; press < 6; press += 1) await page.keyboard.press("ArrowRight");
  expect(plain(await chart.locator(".tip").innerText())).toMatch(/rank: 5\s+2\.70 s/);
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toContain("ranks=5");
  await page.keyboard.press("g");
  await page.waitForSelector("main[data-view=timeline]");
  await page.keyboard.press("g");
  await page.waitForSelector("main[data-view=ranks]");
  expect(complaints).toEqual([]);
  await page.close();
});

it("arrow keys go over a map, and say what is there", async () => {
  const { page } = await openPage(browser, `${address}#targets`);
  const map = page.getByRole("group", { name: /^Load over time: arrow keys/ });
  await map.focus();
  for (let press = 0; press < 9; press += 1) await page.keyboard.press("ArrowRight");
  expect(plain(await map.locator(".tip").innerText())).toMatch(/storage target: [01]/);
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toMatch(/targets=[01]/);
  await page.close();
});

it("arrow keys go from phase to phase, and from bar to bar of the durations", async () => {
  const { page } = await openPage(browser, `${address}#timeline`);
  await page.getByRole("group", { name: /phases: arrow keys/ }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => page.url()).toContain("t=3..3.93");
  await page.getByRole("group", { name: /^Durations/ }).focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toContain("longer=");
  await page.close();
});

it("names complete, an error is marked where it is, and the history stays in the browser", async () => {
  const { page, complaints } = await openPage(browser, `${address}#tables`);
  const input = page.getByRole("textbox", { name: "SQL" });
  await input.click();
  await page.keyboard.type("select * from rank_i");
  await expect
    .poll(async () =>
      (await page.locator(".sql-names li").allInnerTexts()).map((words) => words.replaceAll(/\s+/g, " ")),
    )
    .toEqual(["rank_io table"]);
  await page.keyboard.press("Tab");
  await expect.poll(() => input.inputValue()).toBe("select * from rank_io");
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => page.locator(".sql-part [role=status]").innerText()).toBe("16 rows");
  await input.fill("select * form x");
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => page.locator(".sql-behind mark").innerText()).toBe("form");
  expect(await page.locator(".sql-part [role=alert]").innerText()).toContain("line 1, column 10");
  // Not by a reload: Chromium sometimes loses what a page from a file has just stored.
  await page.locator(".tab", { hasText: "Timeline" }).click();
  await expect.poll(() => page.locator(".sql-part").count()).toBe(0);
  await page.locator(".tab", { hasText: "Tables" }).click();
  await page.getByRole("button", { name: "History" }).click();
  await expect.poll(() => page.locator(".past").allInnerTexts()).toEqual(["select * form x", "select * from rank_io"]);
  await page.locator(".past").last().click();
  expect(await input.inputValue()).toBe("select * from rank_io");
  await page.locator(".schema summary", { hasText: "rank_io" }).click();
  await expect
    .poll(async () =>
      (await page.locator(".schema details[open] li").allInnerTexts())
        .slice(0, 3)
        .map((words) => words.replaceAll(/\s+/g, " ")),
    )
    .toEqual(["rank rank", "io_s s", "bytes bytes"]);
  expect(complaints).toEqual([]);
  await page.close();
});

it("a file is found, chosen, and its requests are shown", async () => {
  const { page, complaints } = await openPage(browser, address);
  const says = (words: RegExp): Promise<void> =>
    expect.poll(async () => plain(await page.locator("main").innerText())).toMatch(words);
  await page.keyboard.press("3"); // Files
  await says(/in\.h5/);
  for (const _ of ["search", "fold", "CSV", "table"]) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toContain("files=");
  await says(/moved again[\s\S]*read\s+576\s+1\s/);
  await page.keyboard.press("n");
  await page.waitForSelector("main[data-view=ranks]");
  await page.keyboard.press("Shift+n");
  await page.waitForSelector("main[data-view=files]");
  expect(complaints).toEqual([]);
  await page.close();
});
