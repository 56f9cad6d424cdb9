/** The ten questions that users ask of one log, each answered in at most three actions. */

import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LAYOUT, report, timeline } from "./fixture";
import { launch, memoryPage, openPage } from "./open";

let browser: Browser;
let address: string;
beforeAll(async () => {
  browser = await launch();
  address = memoryPage("questions", report(), timeline(), LAYOUT);
});
afterAll(() => browser.close());

/** Counts what a person does. */
class Actions {
  count = 0;
  constructor(readonly page: Page) {}
  async view(name: string): Promise<void> {
    this.count += 1;
    await this.page.getByRole("navigation").getByRole("button", { name, exact: true }).click();
  }
  async click(text: string | RegExp): Promise<void> {
    this.count += 1;
    await this.page.getByText(text).first().click();
  }
}

async function ask(question: (actions: Actions) => Promise<void>): Promise<void> {
  const { page, complaints } = await openPage(browser, address);
  const actions = new Actions(page);
  await question(actions);
  expect(actions.count).toBeLessThanOrEqual(3);
  expect(complaints).toEqual([]);
  await page.close();
}
const sees = async (page: Page, text: RegExp): Promise<void> => {
  await expect.poll(async () => (await page.locator("main").innerText()).replaceAll("\u202f", " "), { timeout: 8000 }).toMatch(text);
};

it("which files cause the small requests, and what time do they cost?", () =>
  ask(async (actions) => {
    await actions.view("Files");
    await sees(actions.page, /in\.h5[\s\S]*2\.88 s[\s\S]*544 B/);
  }));

it("which rank is the straggler in phase 1?", () =>
  ask(async (actions) => {
    await actions.view("Phases");
    await sees(actions.page, /POSIX\s+1\s+5\s+660 ms/);
  }));

it("which storage target is hottest, by bytes and by time?", () =>
  ask(async (actions) => {
    await actions.view("Storage targets");
    await sees(actions.page, /Target 1 has the most data, 8\.00 MiB: 1\.33 times the mean/);
    await sees(actions.page, /800 ms/);
  }));

it("what would the run win if a problem vanished?", () => ask(async (actions) => sees(actions.page, /Few calls hold up a phase[\s\S]*Saves about 0.6 s \(0.4 to 0.6\)/)));

it("are there redundant reads, and of how many extents?", () =>
  ask(async (actions) => {
    await actions.view("Files");
    await actions.click("/scratch/run/in.h5");
    await sees(actions.page, /moved again[\s\S]*read\s+576\s+1\s/);
  }));

it("how many phases, with which period and duty cycle?", () =>
  ask(async (actions) => {
    await actions.view("Phases");
    await sees(actions.page, /3 phases in POSIX, 40 % of the run\. A phase starts every 2\.00 s/);
  }));

it("did collective I/O work: aggregators, requests before and after?", () =>
  ask(async (actions) => {
    await actions.view("Transfer");
    await sees(actions.page, /write\s+48\s+12\.0 MiB\s+7/);
    await sees(actions.page, /write\s+16\s+3/);
  }));

it("which share of the time is metadata, in which files?", () =>
  ask(async (actions) => {
    await actions.view("Files");
    await sees(actions.page, /in\.h5[\s\S]*5\.0 %/);
  }));

it("what changed between two runs?", () =>
  ask(async (actions) => {
    await actions.view("Compare");
    const other = join(tmpdir(), "diya-other.json");
    const verdict = { ...(report().verdict as object), io_s: 1, run_s: 5 };
    writeFileSync(other, JSON.stringify({ ...report(), verdict, findings: [] }));
    actions.count += 1;
    await actions.page.locator("input[type=file]").setInputFiles(other);
    await sees(actions.page, /from 3\.00 s to 1\.00 s: 3\.0 times faster/);
    await sees(actions.page, /gone\s+Few calls hold up a phase/);
  }));

it("everything on one timeline, and the finding shown on it", () =>
  ask(async (actions) => {
    await actions.click("Show me");
    await sees(actions.page, /MPI-IO[\s\S]*POSIX/);
    expect((await actions.page.locator(".selection").innerText()).replaceAll(/\s+/g, " ")).toContain("Ranks 5");
    await sees(actions.page, /600 ms\s+POSIX pwrite\s+rank 5\s+544 B/);
  }));

it("by keys alone: a file is found, chosen, and its requests are shown", async () => {
  const { page, complaints } = await openPage(browser, address);
  await page.keyboard.press("3"); // Files
  await sees(page, /in\.h5/);
  for (const _ of ["search", "CSV", "table"]) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.url()).toContain("files=");
  await sees(page, /moved again[\s\S]*read\s+576\s+1\s/);
  await page.keyboard.press("n");
  await page.waitForSelector("main[data-view=ranks]");
  await page.keyboard.press("Shift+n");
  await page.waitForSelector("main[data-view=files]");
  expect(complaints).toEqual([]);
  await page.close();
});
