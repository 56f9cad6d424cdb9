/** Browsers that lack something: WebAssembly, script, or all that is newer than 2015. */

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { report } from "./fixture";
import { filledPage, launch, openPage, packedPage } from "./open";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());
const pack = (): Buffer => readFileSync(new URL("../fixtures/small.pack", import.meta.url));

it("without WebAssembly the findings are there, and the calls say why they are not", async () => {
  const page = await browser.newPage();
  await page.addInitScript(() => Reflect.deleteProperty(window, "WebAssembly"));
  await page.goto(packedPage("no-wasm", report(), pack()));
  await page.waitForSelector("html[data-ready]");
  expect(await page.locator(".finding").count()).toBe(2);
  expect(await page.locator("[role=alert]").innerText()).toContain("this browser has no WebAssembly");
  await page.close();
});

it("a browser that cannot read the script gets the report as text", async () => {
  const address = packedPage("old", report(), pack());
  const path = fileURLToPath(address);
  // As for a browser of 2015: the script of the page is a syntax error, and the policy does not get that far.
  const old = readFileSync(path, "utf8")
    .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "")
    .replace(/(id="diya-report">[^<]*<\/script>\n<script>)/, "$1@@ ");
  writeFileSync(path, old);
  const page = await browser.newPage();
  await page.goto(address);
  const text = await page.locator(".plain").innerText();
  for (const words of [
    "I/O took 3 s of the 7 s run",
    "1. High: Few calls hold up a phase (posix/stuck-calls)",
    "Estimated saving: about 0.6",
    "Write small blocks from one rank.",
    "Unknown:",
  ])
    expect(text).toContain(words);
  await page.close();
});

it("without script the report is there as text, and nothing else", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const words = "I/O takes 3 s of 7 s.\n\n1. High: Few calls of <rank 3> & more";
  await page.goto(filledPage("no-script", "dist/report.html", { report: report(), text: words }));
  expect(await page.locator("pre.plain").innerText()).toBe(words);
  expect(await page.locator("body").innerText()).toContain("The pictures of this page need JavaScript");
  expect(await page.locator("#app").isVisible()).toBe(false);
  await context.close();
});

it("with script the text is not shown", async () => {
  const { page } = await openPage(
    browser,
    filledPage("script", "dist/report.html", { report: report(), text: "the report as text" }),
  );
  expect(await page.locator("body").innerText()).not.toContain("the report as text");
  await page.close();
});

it("the script for old browsers does nothing where the page runs", async () => {
  const { page, complaints } = await openPage(browser, packedPage("new", report(), pack()));
  expect(await page.locator(".plain").count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.close();
});
