/** The twelve tasks that readers were given when the page was reviewed. */

import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright";
import { expect } from "vitest";
import { report } from "../fixture";
import type { Task } from "./kit";
import { open, plain, says } from "./kit";

async function openOther(page: Page): Promise<void> {
  const other = join(tmpdir(), "diya-other.json");
  writeFileSync(
    other,
    JSON.stringify({ ...report(), verdict: { ...(report().verdict as object), io_s: 1, run_s: 5 }, findings: [] }),
  );
  await page.locator("input[type=file]").setInputFiles(other);
}

export const REVIEW: readonly Task[] = [
  {
    wants: "see which files have the small requests, and what time these cost",
    actions: [open("Files")],
    sees: says(/in\.h5[\s\S]*2\.88 s[\s\S]*544 B/),
  },
  { wants: "find the straggler of a phase", actions: [open("Phases")], sees: says(/POSIX\s+1\s+5\s+660 ms/) },
  {
    wants: "find the hottest storage target, by bytes and by time",
    actions: [open("Storage targets")],
    sees: says(/Target 1 has the most data, 8\.00 MiB: 1\.33 times the mean[\s\S]*800 ms/),
  },
  {
    wants: "know what a fix would save",
    actions: [],
    sees: says(/Few calls hold up a phase[\s\S]*Saves about 0.6 s \(0.4 to 0.6\)/),
  },
  {
    wants: "know whether bytes are read again, and how many extents",
    actions: [
      open("Files"),
      { does: "click the file", act: (page) => page.getByText("/scratch/run/in.h5").first().click() },
    ],
    sees: says(/moved again[\s\S]*read\s+576\s+1\s/),
  },
  {
    wants: "know the number of phases, their period and their share of the run",
    actions: [open("Phases")],
    sees: says(/3 phases in POSIX, 40 % of the run\. A phase starts every 2\.00 s/),
  },
  {
    wants: "know whether collective I/O worked: aggregators, requests before and after",
    actions: [open("Transfer")],
    sees: says(/write\s+48\s+12\.0 MiB\s+7[\s\S]*write\s+16\s+3/),
  },
  { wants: "see the share of metadata of each file", actions: [open("Files")], sees: says(/in\.h5[\s\S]*5\.0 %/) },
  {
    wants: "know what changed between two runs",
    actions: [open("Compare"), { does: "open the other run", act: openOther }],
    sees: says(/from 3\.00 s to 1\.00 s: 3\.0 times faster[\s\S]*gone\s+Few calls hold up a phase/),
  },
  {
    wants: "see a finding on the timeline, with all layers above each other",
    actions: [{ does: "**Show me**", act: (page) => page.getByText("Show me").first().click() }],
    sees: async (page) => {
      await says(/MPI-IO[\s\S]*POSIX[\s\S]*600 ms\s+POSIX pwrite\s+rank 5\s+544 B/)(page);
      expect((await page.locator(".selection").innerText()).replaceAll(/\s+/g, " ")).toContain("Ranks 5");
    },
  },
  {
    wants: "see the POSIX calls that one collective call became",
    actions: [
      open("Timeline"),
      {
        does: "click the collective call",
        act: async (page) => {
          const lane = page.locator("[data-layer=mpiio] .surface.heat");
          const box = await lane.boundingBox();
          await lane.click({ position: { x: (box?.width ?? 0) * 0.193, y: 4 } }); // rank 0, while it writes
        },
      },
    ],
    sees: async (page) => {
      await expect
        .poll(async () => plain(await page.locator(".side .nest").first().innerText()))
        .toMatch(/pwrite\s+2\.00 MiB 200 ms/);
      expect(await page.locator("[data-layer=posix] .linked-call").count()).toBe(1);
    },
  },
  {
    wants: "see all ranks as a few rows of ranks that do alike",
    from: "timeline",
    actions: [
      { does: "open **Display**", act: (page) => page.getByRole("button", { name: "Display" }).click() },
      {
        does: "choose the group **similar activity**",
        act: (page) => page.getByLabel(/^Group/).selectOption("cluster"),
      },
    ],
    sees: async (page) => {
      const rows = page.locator("[data-layer=posix] .gutter button");
      await expect.poll(() => page.locator("[data-layer=posix] .gutter").innerText()).toMatch(/▸ .*13 alike/);
      expect(await rows.count()).toBeLessThanOrEqual(4);
    },
  },
];
