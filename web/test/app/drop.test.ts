/**
 * A log dropped on the static page: the same verdict as the program's, SQL, and
 * nothing that leaves the browser. `DIYA` names the program to compare with.
 */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch } from "../browser/open";
import type { Host } from "./host";
import { serve } from "./host";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const corpus = (name: string): string => `${root}corpus/logs/${name}.darshan`;
const OPENPMD =
  `${process.env.DIYA_SHARED ?? `${root}../shared`}/logs/public/hpc-io+dxt-explorer/sample/` +
  "jeanbez_8_benchmark_parallel_id45195555_8-6-50011-11681279140261054765_1628283217.darshan";
const DIYA = process.env.DIYA ?? "diya";

interface Told {
  readonly verdict: { readonly text: string };
  readonly findings: readonly { readonly title: string }[];
}
const native = (log: string): Told =>
  JSON.parse(
    execFileSync(DIYA, ["report", "--format", "json", "--metrics", "none", log], { maxBuffer: 1 << 28 }).toString(),
  ) as Told;

let browser: Browser;
let host: Host;
beforeAll(async () => {
  browser = await launch();
  host = await serve();
});
afterAll(async () => {
  await browser.close();
  host.close();
});

async function opened(): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("favicon"))
      complaints.push(`console: ${message.text()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(host.address) && !/^(blob|data):/.test(request.url()))
      complaints.push(`request: ${request.url()}`);
  });
  await page.goto(host.address);
  await page.waitForSelector("html[data-ready]");
  return { page, complaints };
}

/** As a hand does it: the file is let go over the page. */
async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([name, text]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
      return transfer;
    },
    [name, bytes.toString("base64")] as const,
  );
  await page.dispatchEvent("body", "dragenter", { dataTransfer: transfer });
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}

const shown = (page: Page, name: string): Promise<unknown> =>
  page.waitForSelector(`#app[data-log="${name}"]`, { timeout: 100_000 });

async function sql(page: Page, statement: string): Promise<string> {
  await page.evaluate(() => (location.hash = "#tables"));
  await page.fill("textarea.sql", statement);
  await page.keyboard.press("Control+Enter");
  const table = page.locator('.table[aria-label="SQL"]');
  await expect.poll(() => table.innerText(), { timeout: 30_000 }).toMatch(/\d/);
  return table.innerText();
}

/** The page tells what the program tells. */
async function saysAsTheProgram(page: Page, log: string): Promise<void> {
  const { verdict, findings } = native(log);
  const sentence = (await page.innerText("#verdict-text")).trim();
  expect(sentence.replaceAll("\u202f", " ")).toBe(verdict.text.trim()); // numbers keep to their units
  const text = await page.innerText("main");
  for (const { title } of findings) expect(text).toContain(title);
}

describe("a dropped log", () => {
  it("is judged as the program judges it, and answers SQL", async () => {
    const log = corpus("ior_mpiio_coll_hints");
    const { page, complaints } = await opened();
    expect(host.asked.filter((line) => line.includes("engine"))).toEqual([]); // the page paints before
    await drop(page, "ior.darshan", readFileSync(log));
    await shown(page, "ior.darshan");
    await saysAsTheProgram(page, log);
    const rows =
      execFileSync(DIYA, ["sql", log, "--format", "csv", "select count(*) as n from call"]).toString().split("\n")[1] ??
      "";
    expect((await sql(page, "select count(*) as n from call")).replace(/\D/g, "")).toContain(rows.trim());
    expect(complaints).toEqual([]);
    expect(host.asked.filter((line) => !line.startsWith("GET"))).toEqual([]);
    await page.close();
  });

  it("shows its calls on the timeline", async () => {
    const { page, complaints } = await opened();
    await page.setInputFiles("input[type=file]", corpus("phases_ckpt"));
    await shown(page, "phases_ckpt.darshan");
    await page.evaluate(() => (location.hash = "#timeline"));
    await page.waitForSelector("[data-layer=posix] .surface.heat");
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("that was cut off is shown as far as it goes, with a note", async () => {
    const bytes = readFileSync(corpus("ior_posix_shared_strided_47k"));
    const { page, complaints } = await opened();
    await drop(page, "cut.darshan", bytes.subarray(0, Math.floor(bytes.length * 0.7)));
    await shown(page, "cut.darshan");
    expect(await page.innerText("main")).toMatch(/damaged|incomplete|lost|not read|cut/i);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("that is none is refused with the reason, and the next one opens", async () => {
    const { page, complaints } = await opened();
    await drop(page, "photo.jpg", Buffer.from("this is no log of any kind"));
    await page.waitForSelector("[role=alert]");
    const alert = await page.innerText("[role=alert]");
    expect(alert).toContain("photo.jpg");
    expect(alert).toContain("diya open LOG");
    await drop(page, "next.darshan", readFileSync(corpus("stdio_text")));
    await shown(page, "next.darshan");
    await page.click("button.another");
    await page.waitForSelector("main.drop");
    expect(complaints).toEqual([]);
    await page.close();
  });

  // In CI the log is there: nothing is skipped.
  it.runIf(existsSync(OPENPMD) || process.env.CI === "true")("of 1024 ranks and 276,882 calls opens", async () => {
    const { page, complaints } = await opened();
    const start = performance.now();
    await page.setInputFiles("input[type=file]", OPENPMD);
    await page.waitForSelector("#app[data-log]", { timeout: 100_000 });
    const open_s = (performance.now() - start) / 1000;
    await saysAsTheProgram(page, OPENPMD);
    const heap = await page.evaluate(
      () => (performance as Performance & { memory?: { usedJSHeapSize: number } }).memory?.usedJSHeapSize ?? 0,
    );
    console.log(`openPMD: open after ${open_s.toFixed(1)} s, ${(heap / 1e6).toFixed(0)} MB of JavaScript's memory`);
    expect((await sql(page, "select count(*) as n from call")).replace(/\D/g, "")).toContain("276882");
    expect(complaints).toEqual([]);
    await page.close();
  });
});

it("a browser without 128-bit instructions is told so, and how to go on", async () => {
  const page = await browser.newPage();
  await page.addInitScript(() => (WebAssembly.validate = () => false));
  await page.goto(host.address);
  await page.waitForSelector("html[data-ready]");
  expect(await page.innerText("main")).toContain("WebAssembly SIMD");
  await drop(page, "x.darshan", readFileSync(corpus("stdio_text")));
  await page.waitForSelector("[role=alert]");
  expect(await page.innerText("[role=alert]")).toContain("diya open LOG");
  await page.close();
});
