/**
 * Ten tasks of a reader who has the first page open, each in at most two actions:
 *
 *  1. see a finding on the timeline, with its evidence in the middle, and come back
 *  2. see the calls of one file in time
 *  3. see what one rank did, and when
 *  4. see the longest call in its place
 *  5. see one phase on the timeline
 *  6. see writes only, in all views
 *  7. list the calls of one class of sizes
 *  8. name the outlier of a chart
 *  9. narrow all views to the hottest storage target
 * 10. draw the result of a query
 */

import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LAYOUT, report, timeline } from "./fixture";
import { launch, memoryPage, openPage } from "./open";

const BUDGET = 2;
let browser: Browser;
let address: string;
beforeAll(async () => {
  browser = await launch();
  address = memoryPage("tasks", report(), timeline(), LAYOUT);
});
afterAll(() => browser.close());

type Act = (what: () => Promise<unknown>) => Promise<void>;

function task(words: string, solve: (page: Page, act: Act) => Promise<void>, hash = ""): void {
  it(words, async () => {
    const { page, complaints } = await openPage(browser, address + hash);
    let actions = 0;
    await solve(page, async (what) => {
      actions += 1;
      await what();
    });
    expect(actions).toBeLessThanOrEqual(BUDGET);
    expect(complaints).toEqual([]);
    await page.close();
  });
}
const view = (page: Page, name: string) => () => page.getByRole("navigation").getByRole("button", { name, exact: true }).click();
const row = (page: Page, words: string) => page.locator(".table .row", { hasText: words }).first();
const toTimeline = (page: Page, words: string) => async () => {
  await row(page, words).hover();
  await row(page, words).getByRole("button", { name: /in the timeline/ }).click();
};
const main = async (page: Page): Promise<string> => (await page.locator("main").innerText()).replaceAll("\u202f", " ");
/** Numbers of an option of the address that holds a span. */
const span = (page: Page, name: string): number[] => (new RegExp(`${name}=([\\d.]+)\\.\\.([\\d.]+)`).exec(decodeURIComponent(page.url())) ?? []).slice(1).map(Number);

task("a finding on the timeline, and back", async (page, act) => {
  await act(() => page.getByText("Show me").first().click());
  await page.waitForSelector("main[data-view=timeline]");
  expect(await page.locator(".lanes.pulsing").count()).toBe(1);
  expect(span(page, "timeline.view")).toEqual([3.1 - 0.6 * 0.08, 3.7 + 0.6 * 0.08].map((at) => Number(at.toFixed(9))));
  await act(() => page.getByRole("button", { name: "Back to Diagnosis" }).click());
  await page.waitForSelector("main[data-view=diagnosis]");
});

task("the calls of one file in time", async (page, act) => {
  await act(view(page, "Files"));
  await act(toTimeline(page, "/scratch/run/in.h5"));
  await page.waitForSelector("main[data-view=timeline]");
  expect(await page.locator(".chip").innerText()).toContain("/scratch/run/in.h5");
  await page.keyboard.press("g");
  await page.waitForSelector("main[data-view=files]");
});

task("what one rank did, and when", async (page, act) => {
  await act(view(page, "Ranks"));
  await act(toTimeline(page, "posix"));
  await page.waitForSelector("main[data-view=timeline]");
  expect(await page.locator(".pin").first().innerText()).toMatch(/\d+/);
});

task("the longest call in its place", async (page, act) => {
  await act(view(page, "Calls"));
  await act(() => page.locator(".table .row").first().click());
  await page.waitForSelector("main[data-view=timeline]");
  await expect.poll(async () => (await page.locator(".side").innerText()).replaceAll("\u202f", " ")).toMatch(/Duration\s+700 ms/);
  const [from = -1] = span(page, "timeline.view");
  expect(from).toBeGreaterThanOrEqual(0);
  expect(await page.locator(".kept-call").count()).toBeGreaterThan(0);
});

task("one phase on the timeline", async (page, act) => {
  await act(view(page, "Phases"));
  await act(toTimeline(page, "660"));
  await page.waitForSelector("main[data-view=timeline]");
  expect(span(page, "&t|\\?t")).toEqual([3, 3.93]);
});

task("writes only", async (page, act) => {
  await act(view(page, "Timeline"));
  await act(() => page.locator(".kinds").getByRole("button", { name: "write" }).click());
  await expect.poll(() => page.url()).toContain("kinds=write");
  await expect.poll(() => page.locator(".side table").first().innerText()).not.toContain("read");
});

task("the calls of one class of sizes", async (page, act) => {
  await act(view(page, "Transfer"));
  const chart = page.locator(".figure", { hasText: "POSIX: requests by size" }).locator(".chart");
  await act(() => chart.locator("rect[fill='#d55e00']").last().click());
  await page.waitForSelector("main[data-view=calls]");
  await expect.poll(async () => (await page.locator(".chip", { hasText: "Size" }).innerText()).replaceAll("\n", " ")).toContain("Size 1 M–4 M");
  expect(await page.locator(".table").last().getAttribute("aria-rowcount")).toBe("7"); // six collective writes of 2 MiB, and the heading
});

task("the outlier of a chart", async (page, act) => {
  await act(view(page, "Ranks"));
  const chart = page.locator(".figure", { hasText: "Time in I/O per rank" }).locator(".chart");
  await act(() => chart.locator("circle").nth(5).hover());
  await expect.poll(async () => (await chart.locator(".tip").innerText()).replaceAll("\u202f", " ")).toMatch(/rank: 5\s+2\.70 s/);
});

task("the hottest storage target", async (page, act) => {
  await act(view(page, "Storage targets"));
  await act(() => page.locator(".figure", { hasText: "Bytes per target" }).locator("rect").last().click());
  await expect.poll(() => page.url()).toContain("targets=1");
});

task("the result of a query as a chart", async (page, act) => {
  await page.getByRole("textbox", { name: "SQL" }).fill("select * from file_layer");
  await act(() => page.getByText("Run", { exact: true }).click());
  await act(() => page.getByRole("button", { name: "Bar chart" }).click());
  expect(await main(page)).toContain("Result of the query");
  expect(await page.locator(".sql-part .chart rect").count()).toBeGreaterThan(2);
}, "#tables");
