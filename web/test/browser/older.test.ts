/**
 * A page that was saved by an older version of diya, the first one that could save pages (2026-11-23).
 * Its script and style are cut out of the fixture: a page is opened for its data.
 */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LAYOUT, report, timeline } from "./fixture";
import { launch, memoryPage, openPage, packedPage } from "./open";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());
const plain = (text: string): string => text.replaceAll("\u202f", " ");
const older = new URL("../fixtures/saved_by_an_older_version.html", import.meta.url);
const saved = readFileSync(older, "utf8");
const content = (id: string): string => new RegExp(`id="${id}"[^>]*>([^<]*)<`).exec(saved)?.[1] ?? "";
const state = (/name="diya-state" content="([^"]*)"/.exec(saved)?.[1] ?? "").replaceAll("&amp;", "&");

it("opens beside the run of a page of today, with its findings and its calls", async () => {
  const { page, complaints } = await openPage(browser, `${memoryPage("newer", report(), timeline(), LAYOUT)}#compare`);
  await page.locator("input[type=file]").setInputFiles(fileURLToPath(older));
  const run = page.locator("section.run").nth(1);
  await expect.poll(() => run.locator("canvas").count()).toBeGreaterThan(0);
  await expect
    .poll(async () => plain(await page.locator("main").innerText()))
    .toMatch(/new\s+Every rank reads the HDF5 metadata itself/);
  expect(complaints).toEqual([]);
  await page.close();
});

it("has its view, selection and notes again where the page of today shows its data", async () => {
  const pack = Buffer.from(content("diya-pack"), "base64");
  expect(pack.length).toBe(600);
  const { page, complaints } = await openPage(
    browser,
    `${packedPage("older", JSON.parse(content("diya-report")) as object, pack)}${state}`,
  );
  await expect.poll(() => page.locator(".note-name").textContent()).toBe("kept since November");
  expect((await page.locator(".chip").allInnerTexts()).map((chip) => plain(chip).split("\n")[0])).toEqual([
    "Time",
    "Size",
  ]); // a part of the view of calls in those days
  await expect.poll(() => page.locator(".lane canvas").count()).toBeGreaterThan(0);
  await page.keyboard.press("1");
  await expect.poll(() => page.locator(".finding").count()).toBeGreaterThan(2);
  expect(complaints).toEqual([]);
  await page.close();
});
