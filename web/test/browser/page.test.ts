/** The page as a whole: every view in both themes, keys, hostile names, the real decoder. */

import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DECLARED } from "../../src/app/declared";
import { LAYOUT, report, timeline } from "./fixture";
import { launch, memoryPage, openPage, packedPage } from "./open";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

const VIEWS = DECLARED.map(({ id }) => id);

/** Colours that a canvas shows, apart from its ground: an empty picture has none. */
const colours = (page: Page, canvas: string): Promise<number> =>
  page
    .locator(canvas)
    .first()
    .evaluate((element) => {
      const { width, height } = element as HTMLCanvasElement;
      const data = (element as HTMLCanvasElement).getContext("2d")?.getImageData(0, 0, width, height).data ?? [];
      const seen = new Set<number>();
      for (let at = 0; at < data.length; at += 4)
        seen.add(((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0));
      return seen.size - 1;
    });

describe.each(["light", "dark"] as const)("in the %s theme", (theme) => {
  it("every view opens without a complaint and says something", async () => {
    const { page, complaints } = await openPage(
      browser,
      memoryPage(`views-${theme}`, report(), timeline(), LAYOUT),
      theme,
    );
    expect(await page.locator("html").getAttribute("data-theme")).toBe(theme);
    for (const view of VIEWS) {
      await page.evaluate((name) => (location.hash = `#${name}?files=0`), view);
      await page.waitForSelector(`main[data-view=${view}]`);
      await page.waitForTimeout(350);
      expect((await page.locator("main").innerText()).length, view).toBeGreaterThan(60);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });
});

describe("keys", () => {
  it("reach everything", async () => {
    const { page, complaints } = await openPage(browser, memoryPage("keys", report(), timeline(), LAYOUT));
    await page.keyboard.press("2");
    await page.waitForSelector("main[data-view=timeline]");
    await page.keyboard.press("w");
    await expect.poll(() => page.url()).toContain("timeline.view=");
    await page.keyboard.press("Shift+w");
    await expect.poll(() => page.url()).toContain("timeline.rows=");
    await page.keyboard.press("0");
    await expect.poll(() => page.url()).not.toContain("timeline.view=");
    await page.keyboard.press("?");
    expect(await page.locator("dialog").isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    await page.keyboard.press("/");
    await page.keyboard.type("5");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.url()).toContain("ranks=5");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect.poll(() => page.url()).not.toContain("ranks=5");
    await page.keyboard.press("t");
    await expect.poll(() => page.locator("html").getAttribute("data-theme")).toBe("dark");
    expect(complaints).toEqual([]);
    await page.close();
  });
});

describe("the timeline", () => {
  it("narrows to what is dragged over, and a link shows the same again", async () => {
    const address = memoryPage("drag", report(), timeline(), LAYOUT);
    const { page } = await openPage(browser, `${address}#timeline`);
    const lane = page.locator("[data-layer=posix] .surface.heat");
    await lane.scrollIntoViewIfNeeded();
    const box = await lane.boundingBox();
    if (!box) throw new Error("the lane has a place");
    await page.mouse.move(box.x + 100, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 300, box.y + 80, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => page.url()).toMatch(/t=[\d.]+\.\.[\d.]+&ranks=\d/);
    const again = await openPage(browser, page.url());
    expect(await again.page.locator(".chip").allInnerTexts()).toEqual(await page.locator(".chip").allInnerTexts());
    await again.page.close();
    await page.close();
  });
});

const HOSTILE = [
  "<img/src=x/onerror=window.pwned=1>",
  "</script><script>window.pwned=1</script>",
  '"><svg/onload=window.pwned=1>',
  "javascript:window.pwned=1",
  "{{constructor.constructor('window.pwned=1')()}}",
  "${window.pwned=1}",
  "<!--<script>",
  "\u202egnp.exe",
  "a\u0000b\u001b[31m",
  "\ud800",
  `/${"x".repeat(4096)}`,
  "<style>*{display:none}</style>",
];

describe("a narrow window", () => {
  it("has a menu instead of a row of views", async () => {
    const { page, complaints } = await openPage(browser, memoryPage("narrow", report(), timeline(), LAYOUT));
    await page.setViewportSize({ width: 420, height: 800 });
    const files = page.locator(".top .tab", { hasText: "Files" });
    expect(await files.isVisible()).toBe(false);
    await page.locator(".top .menu").click();
    await files.click();
    await page.waitForSelector("main[data-view=files]");
    expect(await files.isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    await page.close();
  });
});

describe("the wheel", () => {
  it("zooms at the pointer, and pans sideways", async () => {
    const { page } = await openPage(browser, `${memoryPage("wheel", report(), timeline(), LAYOUT)}#timeline`);
    const lane = await page.locator(".surface.heat").first().boundingBox();
    if (!lane) throw new Error("the timeline has a lane");
    await page.mouse.move(lane.x + lane.width / 2, lane.y + 10);
    await expect.poll(() => page.locator(".axis .pointed-time").count()).toBe(1);
    await page.mouse.wheel(0, -300);
    await expect.poll(() => page.url()).toContain("timeline.view=");
    const zoomed = page.url();
    await page.mouse.wheel(200, 0);
    await expect.poll(() => page.url()).not.toBe(zoomed);
    await page.close();
  });
});

describe("a log made to do harm", () => {
  it("is shown as text in every view", async () => {
    const paths = HOSTILE.map((name) => name.replace(/\s/g, "_"));
    const made = report();
    const [finding = {}] = made.findings as Record<string, unknown>[];
    made.findings = HOSTILE.map((name, at) => ({
      ...finding,
      id: `posix/${at}${name}`,
      title: name,
      text: name,
      wrong_when: name,
      verify: name,
      source: [name],
      files: [name],
      actions: [{ stack: name, text: `${name}\n\n[x](javascript:window.pwned=1)` }],
      evidence: [
        { text: name, values: { [name]: name } },
        { text: `${name} `, values: {} },
      ],
    }));
    (made.job as Record<string, unknown>).command = HOSTILE.join(" ");
    made.logs = HOSTILE;
    made.passed = HOSTILE.map((name) => ({ id: name, title: name }));
    const calls = paths
      .map((out) =>
        timeline({ out, inn: "/in" })
          .split("\n")
          .filter((_, at) => at < 20)
          .join("\n"),
      )
      .map((text, at) => (at === 0 ? text : text.split("\n").slice(1).join("\n")))
      .join("\n");
    const { page, complaints } = await openPage(browser, memoryPage("hostile", made, calls));
    for (const summary of await page.locator("summary").all()) if (await summary.isVisible()) await summary.click();
    expect(await page.locator("main").innerText()).toContain("<img/src=x/onerror=window.pwned=1>");
    for (const view of VIEWS) {
      await page.evaluate((id) => (location.hash = `#${id}?files=0`), view);
      await page.waitForSelector(`main[data-view=${view}]`);
      await page.waitForTimeout(150);
    }
    expect(await page.evaluate(() => (window as unknown as { pwned?: number }).pwned)).toBeUndefined();
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("could not run a script even if one got in", async () => {
    const { page } = await openPage(browser, memoryPage("policy", report(), timeline()));
    await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.pwned = 1";
      document.body.append(script);
      const image = document.createElement("img");
      image.setAttribute("onerror", "window.pwned = 2");
      image.src = "data:image/png;base64,broken";
      document.body.append(image);
    });
    await page.waitForTimeout(200);
    expect(await page.evaluate(() => (window as unknown as { pwned?: number }).pwned)).toBeUndefined();
    await page.close();
  });
});

describe("the real page", () => {
  it("reads its pack in a worker, from file://, and finds the call under the pointer", async () => {
    const pack = readFileSync(new URL("../fixtures/small.pack", import.meta.url));
    const { page, complaints } = await openPage(browser, `${packedPage("packed", report(), pack)}#timeline`);
    await page.waitForSelector("[data-layer=posix] .surface.heat canvas");
    await expect.poll(() => colours(page, "[data-layer=posix] .surface.heat canvas")).toBeGreaterThan(0);
    const lane = await page.locator("[data-layer=posix] .surface.heat").boundingBox();
    if (!lane) throw new Error("the lane has a place");
    await page.mouse.move(lane.x + (lane.width * 2) / 6, lane.y + lane.height / 4);
    await expect
      .poll(async () => (await page.locator(".side").innerText()).replaceAll("\u202f", " "))
      .toMatch(/pwrite64[\s\S]*rank 0[\s\S]*1\.40 s/);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("without calls says how to record them", async () => {
    const { page, complaints } = await openPage(browser, packedPage("counters", report(), null));
    expect(await page.locator("main").innerText()).toContain("diya run");
    for (const view of VIEWS) {
      await page.evaluate((name) => (location.hash = `#${name}`), view);
      await page.waitForSelector(`main[data-view=${view}]`);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });

  it.each([
    ["a damaged pack", Buffer.from("DIYAPAK1 and then nothing")],
    ["no pack at all", Buffer.from("hello")],
  ])("with %s says so in words", async (_, pack) => {
    const page = await browser.newPage();
    await page.goto(packedPage("damaged", report(), pack));
    await expect.poll(() => page.locator("main").innerText()).toMatch(/calls/);
    await page.close();
  });

  it("prints its findings", async () => {
    const { page } = await openPage(browser, memoryPage("print", report(), timeline()), "dark");
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".finding .body").last().isVisible()).toBe(true);
    expect(await page.locator(".top").isVisible()).toBe(false);
    await page.close();
  });
});

describe("a table that is wider than the window", () => {
  it("shows what has room, and the rest by choice and of the chosen row", async () => {
    const made = report();
    const names = Array.from({ length: 20 }, (_, at) => `measured_number_${at}`);
    (made.metrics as Record<string, unknown>).wide = {
      title: "Wide",
      columns: ["layer", ...names].map((name) => ({
        name,
        type: "",
        unit: name === "layer" ? "name" : "calls",
        doc: `what ${name} is`,
      })),
      rows: [["posix", ...names.map((_, at) => 1000 + at)]],
      rows_in_all: 1,
    };
    const { page, complaints } = await openPage(
      browser,
      `${memoryPage("wide", made, timeline(), LAYOUT)}#tables?o.tables.name=wide`,
    );
    const table = page.locator(".table");
    await table.locator(".row").first().waitFor();
    const isScrolled = (): Promise<boolean> => table.evaluate((element) => element.scrollWidth > element.clientWidth);
    expect(await isScrolled()).toBe(false);
    expect(await page.locator(".chooser summary").innerText()).toMatch(/\d+ more columns/);
    await table.focus();
    await page.keyboard.press("Enter"); // what has no room is told of the row
    await expect
      .poll(async () => (await page.locator(".table-more dl").innerText()).replaceAll("\u202f", ""))
      .toMatch(/measured number 19\s+1,019/);
    await page.locator(".chooser summary").click();
    await page.locator(".chooser").getByLabel("measured number 19").check();
    expect(await table.innerText()).toContain("measured number 19");
    await page.locator(".chooser").getByRole("button", { name: "Fit to width" }).click();
    await expect.poll(isScrolled).toBe(false);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
