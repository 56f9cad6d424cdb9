/** The tasks of docs/guide/page-tasks.md, done in Chromium: each in at most two actions, without a complaint. */

import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LAYOUT, report, timeline } from "./fixture";
import { launch, memoryPage, openPage } from "./open";
import { BUDGET } from "./tasks/kit";
import { MORE } from "./tasks/more";
import { REVIEW } from "./tasks/review";

let browser: Browser;
let address: string;
beforeAll(async () => {
  browser = await launch();
  address = memoryPage("tasks", report(), timeline(), LAYOUT);
});
afterAll(() => browser.close());

it.each([...REVIEW, ...MORE])("a reader can $wants", async ({ from, actions, sees }) => {
  const { page, complaints } = await openPage(browser, from === undefined ? address : `${address}#${from}`);
  expect(actions.length).toBeLessThanOrEqual(BUDGET);
  for (const action of actions) {
    await action.act(page);
    await action.sees?.(page);
  }
  await sees?.(page);
  expect(complaints).toEqual([]);
  await page.close();
});
