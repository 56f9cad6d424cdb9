/** Ten more tasks: from what a reader has found to the calls in time, and back. */

import { expect } from "vitest";
import type { Task } from "./kit";
import { isAt, open, plain, says, span, toTimeline } from "./kit";

const chart = (title: string) => (page: Parameters<ReturnType<typeof says>>[0]) =>
  page.locator(".figure", { hasText: title }).locator(".chart");

export const MORE: readonly Task[] = [
  {
    wants: "see a finding in the middle of the timeline, and come back",
    actions: [
      {
        does: "**Show me**",
        act: (page) => page.getByText("Show me").first().click(),
        sees: async (page) => {
          await isAt("timeline")(page);
          expect(await page.locator(".lanes.pulsing").count()).toBe(1);
          expect(span(page, "timeline.view")).toEqual(
            [3.1 - 0.6 * 0.08, 3.7 + 0.6 * 0.08].map((at) => Number(at.toFixed(9))),
          );
        },
      },
      { does: "**Back to Diagnosis**", act: (page) => page.getByRole("button", { name: "Back to Diagnosis" }).click() },
    ],
    sees: isAt("diagnosis"),
  },
  {
    wants: "see the calls of one file in time",
    actions: [open("Files"), toTimeline("the file", "/scratch/run/in.h5")],
    sees: async (page) => {
      await isAt("timeline")(page);
      expect(await page.locator(".chip").innerText()).toContain("/scratch/run/in.h5");
      await page.keyboard.press("g");
      await isAt("files")(page);
    },
  },
  {
    wants: "see what one rank did, and when",
    actions: [open("Ranks"), toTimeline("the rank", "posix")],
    sees: async (page) => {
      await isAt("timeline")(page);
      expect(await page.locator(".pin").first().innerText()).toMatch(/\d+/);
    },
  },
  {
    wants: "see the longest call in its place",
    actions: [
      open("Calls"),
      { does: "click the first call", act: (page) => page.locator(".table .row").first().click() },
    ],
    sees: async (page) => {
      await isAt("timeline")(page);
      await expect.poll(async () => plain(await page.locator(".side").innerText())).toMatch(/Duration\s+700 ms/);
      expect(span(page, "timeline.view")[0]).toBeGreaterThanOrEqual(0);
      expect(await page.locator(".kept-call").count()).toBeGreaterThan(0);
    },
  },
  {
    wants: "see one phase on the timeline",
    actions: [open("Phases"), toTimeline("the phase", "660")],
    sees: async (page) => {
      await isAt("timeline")(page);
      expect(span(page, "&t|\\?t")).toEqual([3, 3.93]);
    },
  },
  {
    wants: "see writes only, in all views",
    actions: [
      open("Timeline"),
      {
        does: "click **write** in the row of controls",
        act: (page) => page.locator(".kinds").getByRole("button", { name: "write" }).click(),
      },
    ],
    sees: async (page) => {
      await expect.poll(() => page.url()).toContain("kinds=write");
      await expect.poll(() => page.locator(".side table").first().innerText()).not.toContain("read");
    },
  },
  {
    wants: "list the calls of one class of sizes",
    actions: [
      open("Transfer"),
      {
        does: "click the bar of the class",
        act: (page) => chart("POSIX: requests by size")(page).locator("rect[fill='#d55e00']").last().click(),
      },
    ],
    sees: async (page) => {
      await isAt("calls")(page);
      await expect
        .poll(async () => (await page.locator(".chip", { hasText: "Size" }).innerText()).replaceAll("\n", " "))
        .toContain("Size 1 M–4 M");
      // six writes of 2 MiB, and the heading
      expect(await page.locator(".table").last().getAttribute("aria-rowcount")).toBe("7");
    },
  },
  {
    wants: "know which rank is the outlier of a chart",
    actions: [
      open("Ranks"),
      {
        does: "point at the mark",
        act: (page) => chart("Time in I/O per rank")(page).locator("circle").nth(5).hover(),
      },
    ],
    sees: (page) =>
      expect
        .poll(async () => plain(await chart("Time in I/O per rank")(page).locator(".tip").innerText()))
        .toMatch(/rank: 5\s+2\.70 s/),
  },
  {
    wants: "narrow all views to the hottest storage target",
    actions: [
      open("Storage targets"),
      {
        does: "click its bar",
        act: (page) => page.locator(".figure", { hasText: "Bytes per target" }).locator("rect").last().click(),
      },
    ],
    sees: (page) => expect.poll(() => page.url()).toContain("targets=1"),
  },
  {
    wants: "draw the result of a query",
    from: "tables",
    actions: [
      {
        does: "type the query and press Ctrl+Enter",
        act: async (page) => {
          await page.getByRole("textbox", { name: "SQL" }).fill("select * from file_layer");
          await page.keyboard.press("Control+Enter");
        },
      },
      { does: "**Bar chart**", act: (page) => page.getByRole("button", { name: "Bar chart" }).click() },
    ],
    sees: async (page) => {
      await says(/Result of the query/)(page);
      expect(await page.locator(".sql-part .chart rect").count()).toBeGreaterThan(2);
    },
  },
];
