/** Pages in Debian's Chromium, opened from file:// as users do. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright";
import { chromium } from "playwright";
import { afterAll } from "vitest";

import { fillPage } from "../../build/fill.mjs";

const folder = mkdtempSync(join(tmpdir(), "diya-page-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
const file = (name: string): Buffer => readFileSync(new URL(`../../${name}`, import.meta.url));

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });

/** A page over a text timeline in memory. */
export function memoryPage(name: string, report: object, calls: string, layout: object = {}): string {
  return written(
    name,
    fillPage(read("dist/memory.html"), {
      report,
      pack: Buffer.from(calls).toString("base64"),
      wasm: JSON.stringify(layout),
      title: name,
    }),
  );
}

/** The real page with the real decoder. */
export function packedPage(name: string, report: object, pack: Buffer | null): string {
  const wasm = file("../crates/diya-wasm/generated/decoder.wasm.deflate").toString("base64");
  return written(
    name,
    fillPage(read("dist/report.html"), {
      report,
      pack: pack?.toString("base64") ?? "",
      wasm: pack ? wasm : "",
      title: name,
    }),
  );
}

/** Any template of dist, filled. */
export const filledPage = (name: string, template: string, values: Parameters<typeof fillPage>[1]): string =>
  written(name, fillPage(read(template), values));

function written(name: string, page: string): string {
  const path = join(folder, `${name}.html`);
  writeFileSync(path, page);
  return `file://${path}`;
}

/** What a page did that it must not do. */
export interface Watched {
  readonly page: Page;
  readonly complaints: string[];
}

/**
 * Opens an address and listens for errors, dialogs, and requests that leave the file. The first steps were seen
 * before.
 */
export async function openPage(
  browser: Browser,
  address: string,
  theme: "light" | "dark" = "light",
  viewport = { width: 1280, height: 900 },
): Promise<Watched> {
  const page = await browser.newPage({ viewport, colorScheme: theme });
  await page.addInitScript(() => localStorage.setItem("diya.first-steps", "seen"));
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`console: ${message.text()}`);
  });
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!/^(file|blob|data):/.test(request.url())) complaints.push(`request: ${request.url()}`);
  });
  await page.goto(address);
  await page.waitForSelector("html[data-ready]");
  return { page, complaints };
}
