/** The first page, the row of controls, the first steps, and paper. */

import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LAYOUT, report, stacked, timeline } from "./fixture";
import { launch, memoryPage, openPage, packedPage } from "./open";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());
const plain = (text: string): string => text.replaceAll("\u202f", " ");

it("says each number once: the sentence, one bar, what neither of them says", async () => {
  const { page, complaints } = await openPage(browser, memoryPage("first", report(), timeline(), LAYOUT));
  expect(plain(await page.locator(".account .parts").innerText()).replaceAll(/\s+/g, " ")).toBe(
    "wait between ranks 2.10 s write 0.70 s read 0.18 s metadata 20 ms computing and other work 4.00 s".replace(
      "wait between ranks",
      "waiting and data exchange between ranks",
    ),
  );
  expect(plain(await page.locator(".figures").innerText()).replaceAll(/\s+/g, " ")).toBe(
    "12.0 MiB read and written 13.6 MiB/s in reads and writes 2 files",
  );
  expect(await page.locator("main .figure").count()).toBe(0);
  expect(await page.locator(".selection").count()).toBe(0); // nothing is selected, and this view shows the whole run
  expect(complaints).toEqual([]);
  await page.close();
});

it("shows one fix, for the direction of the finding, and folds the others under their names", async () => {
  const { page } = await openPage(browser, memoryPage("fix", report(), timeline(), LAYOUT));
  const card = page.locator(".finding").first();
  expect(await card.locator("h5:visible").allInnerTexts()).toEqual(["HDF5, writing"]);
  const others = card.locator(".other-fixes");
  expect(await others.locator("summary").innerText()).toBe("Other languages and cases: HDF5, reading; Python");
  await others.locator("summary").click();
  expect(await others.locator("h5").allInnerTexts()).toEqual(["HDF5, reading", "Python"]);
  await page.close();
});

it("says the share of a saving once: beside its bar, or in the list where there is one", async () => {
  const made = report();
  const all = made.findings as Record<string, unknown>[];
  const shares = async (name: string, findings: readonly unknown[]): Promise<string[]> => {
    const { page } = await openPage(browser, memoryPage(name, { ...made, findings }, timeline(), LAYOUT));
    const texts = await page.getByText("of the run", { exact: false }).filter({ visible: true }).allInnerTexts();
    const found = texts.map(plain).filter((one) => /^[\d.]+ % of the run$/.test(one));
    await page.close();
    return found;
  };
  expect(await shares("share-alone", all.slice(0, 1))).toEqual(["8.6 % of the run"]);
  expect((await shares("share-list", all)).filter((one) => one === "8.6 % of the run")).toEqual(["8.6 % of the run"]);
});

it("names what each line costs and where its function is called from, and shows its calls", async () => {
  const made = report();
  const [finding] = made.findings as Record<string, unknown>[];
  const source = ["flush (/home/me/out.c:7), calls fsync", "io::save (/home/me/sim.c:33), calls H5Dwrite"];
  const lines = [
    {
      source: source[0],
      calls: 5,
      time_s: 1.2,
      callers: [
        { source: "save (/home/me/sim.c:33)", share: 0.8 },
        { source: "main (/home/me/sim.c:12)", share: 0.2 },
      ],
    },
    { source: source[1], symbol: "__io_MOD_save", calls: 1, time_s: 0.2 },
  ];
  made.findings = [{ ...finding, source, lines, other_lines: { lines: 2, calls: 3, time_s: 0.01 } }];
  const stacks = stacked().replaceAll("out.c:7 flush", "/home/me/out.c:7 flush");
  const { page, complaints } = await openPage(browser, memoryPage("lines", made, stacks, LAYOUT));
  const rows = page.locator(".finding .lines tbody tr");
  expect((await rows.allInnerTexts()).map((row) => plain(row).replaceAll(/\s+/g, " ").trim())).toEqual([
    "flush (out.c:7) called from save (sim.c:33) 80 %, main (sim.c:12) 20 % fsync 5 1.20 s Show me",
    "io::save (sim.c:33) H5Dwrite 1 0.20 s Show me",
    "2 other lines 3 10 ms",
    "all lines 9 1.41 s",
  ]);
  expect(await rows.nth(1).locator("td").first().getAttribute("title")).toBe(
    "__io_MOD_save: io::save (/home/me/sim.c:33), calls H5Dwrite",
  );
  await rows.first().getByText("Show me").click();
  await page.waitForSelector("main[data-view=timeline]");
  await expect.poll(() => page.locator(".selection").innerText()).toMatch(/out\.c:7 flush/);
  await page.getByRole("button", { name: "Back to Diagnosis" }).click();
  await page.waitForSelector("main[data-view=diagnosis]");
  expect(complaints).toEqual([]);
  await page.close();
});

it("lists all findings below the verdict; each leads to its own", async () => {
  const made = report();
  const [finding] = made.findings as Record<string, unknown>[];
  const late = {
    name: "rank 1",
    parts: [{ kind: "code", source: "relax (/home/me/sim.c:40)", time_s: 2, others_s: 0.1 }],
  };
  made.findings = [
    { ...finding, main_files: [{ path: "/out.h5", size_bytes: 2048 }], late },
    {
      ...finding,
      id: "posix/second",
      title: "A second one",
      severity: "info",
      saved_s: 0.07,
      lost_low_s: 0.07,
      lost_high_s: 0.07,
    },
    { ...finding, id: "posix/third", title: "A third one", explained_by: finding?.id, same_time_as: 1 },
  ];
  const { page, complaints } = await openPage(browser, memoryPage("list", made, timeline(), LAYOUT));
  const rows = page.locator(".finding-list tr");
  expect(await rows.count()).toBe(2);
  expect(
    plain(await rows.nth(1).innerText())
      .replaceAll(/\s+/g, " ")
      .trim(),
  ).toBe("2 INFO A second one Saves about 70 ms 1.0 % of the run");
  await rows.nth(1).getByRole("button").click();
  expect(await page.locator('.finding[data-id="posix/second"]').evaluate((card: HTMLDetailsElement) => card.open)).toBe(
    true,
  );
  expect(plain(await rows.first().locator(".same").innerText())).toBe("Also seen as: A third one");
  const third = page.locator('.finding[data-id="posix/third"]');
  expect(await third.isVisible()).toBe(false);
  await rows.first().locator(".same").getByRole("button").click();
  expect((await third.isVisible()) && (await third.evaluate((card: HTMLDetailsElement) => card.open))).toBe(true);
  const first = page.locator(".finding").first();
  expect(plain(await first.locator(".main-files").innerText())).toBe("File: /out.h5 (2.00 KiB)");
  expect(
    plain(await first.locator(".late tbody tr").innerText())
      .replaceAll(/\s+/g, " ")
      .trim(),
  ).toBe("relax (sim.c:40), processor time 2.00 s 0.10 s");
  expect(await first.locator(".lines thead th").first().innerText()).toBe("Rank 1 works here longer than the others");
  expect(complaints).toEqual([]);
  await page.close();
});

it("the first finding has its line and its fix above the fold", async () => {
  const { page } = await openPage(browser, memoryPage("fold", report(), timeline(), LAYOUT), "light", {
    width: 1440,
    height: 900,
  });
  const card = page.locator(".finding").first();
  const ends = await card.locator(".actions-row").boundingBox();
  expect((ends?.y ?? 0) + (ends?.height ?? 0)).toBeLessThan(900);
  expect(await card.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  await page.close();
});

it(
  "one process waits for its threads; the picture of calls says what it leaves out, and no column compares " + "ranks",
  async () => {
    const made = report();
    made.job = { ...(made.job as object), nprocs: 1 };
    made.time_account = [
      ["posix", "wait", 4, 0],
      ["posix", "read", 1, 9],
      ["program", "computing", 2, 0],
    ].map(([layer, of, time_s, calls]) => ({
      layer,
      class: of,
      op: null,
      function: null,
      time_s,
      calls,
      bytes: 0,
      files: 1,
      is_at_speed: false,
    }));
    const { page, complaints } = await openPage(
      browser,
      memoryPage(
        "alone",
        made,
        "rank layer op file function start end offset size\n0 posix read /f read 1 2 0 100\n0 posix read /f " +
          "read 3 7 100 100",
      ),
    );
    expect(plain(await page.locator(".account .parts").innerText())).toContain("waiting for other threads 4.00 s");
    expect(plain(await page.locator(".glance").innerText())).toContain(
      "Not in the picture, since it is outside of the recorded calls: waiting for other threads 4.00 s.",
    );
    await page.getByRole("button", { name: "Calls", exact: true }).click();
    expect(
      plain(await page.locator(".tree thead").innerText())
        .trim()
        .split(/\s*\t\s*/),
    ).toEqual(["Call", "time", "own time", "calls", "bytes", "longest call"]);
    expect(complaints).toEqual([]);
    await page.close();
  },
);

it("a part of the bar leads to its findings, its rows and its calls, and one action leads back", async () => {
  const { page } = await openPage(browser, memoryPage("part", report(), timeline(), LAYOUT));
  await page.getByRole("button", { name: /^write/ }).click();
  const part = page.getByRole("region", { name: /^write/ });
  expect(await page.locator(".account details[open] tbody tr").count()).toBeGreaterThan(0);
  await part.getByRole("button", { name: "Open the timeline" }).click();
  await page.waitForSelector("main[data-view=timeline]");
  expect(await page.locator(".kinds [aria-pressed=true]").innerText()).toBe("write");
  await page.getByRole("button", { name: "Back to Diagnosis" }).click();
  await page.waitForSelector("main[data-view=diagnosis]");
  await part.waitFor(); // as it was left
  await page.close();
});

it("a view without data has no tab, and the menu says why", async () => {
  const made = report();
  delete (made.metrics as Record<string, unknown>).target_load;
  const { page } = await openPage(browser, packedPage("absent", made, null));
  expect(await page.locator(".tab", { hasText: "Storage targets" }).count()).toBe(0);
  await page.getByRole("button", { name: "Menu" }).click();
  const targets = page.locator(".absent button", { hasText: "Storage targets" });
  expect(await targets.getAttribute("title")).toBe("Empty: the log has no data on storage targets");
  await targets.click();
  expect(await page.locator(".tab[aria-current]").innerText()).toBe("Storage targets");
  await page.close();
});

it("a log with calls but without stacks has no source lines", async () => {
  const { page } = await openPage(browser, memoryPage("stackless", report(), timeline(), LAYOUT));
  await page.getByRole("button", { name: "Menu" }).click();
  await expect
    .poll(() => page.locator(".absent button", { hasText: "Source lines" }).getAttribute("title"))
    .toBe("Empty: no call stacks were recorded");
  await page.close();
});

it("the first steps are shown once in a browser", async () => {
  const address = memoryPage("steps", report(), timeline(), LAYOUT);
  const context = await browser.newContext();
  for (const isFirst of [true, false]) {
    const page = await context.newPage();
    await page.goto(address);
    await page.waitForSelector("html[data-ready]");
    expect(await page.locator(".callouts li").count()).toBe(isFirst ? 3 : 0);
    if (isFirst) {
      await page.getByRole("button", { name: "Timeline", exact: true }).click();
      const [steps, main] = await Promise.all([".callouts", "main"].map((part) => page.locator(part).boundingBox()));
      expect((steps?.y ?? 0) + (steps?.height ?? 0)).toBeLessThanOrEqual(main?.y ?? 0); // over no picture
      await page.getByText("Got it").click();
    }
    expect(await page.locator(".callouts").count()).toBe(0);
    await page.close();
  }
  await context.close();
});

it("a browser that keeps nothing shows the page all the same", async () => {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.addInitScript(() =>
    Object.defineProperty(window, "localStorage", {
      get: () => {
        throw new DOMException("refused", "SecurityError");
      },
    }),
  );
  await page.goto(memoryPage("refused", report(), timeline(), LAYOUT));
  await page.getByText("Got it").click();
  expect(await page.locator(".callouts").count()).toBe(0);
  expect(errors).toEqual([]);
  await page.close();
});

it.each([1440, 1280, 1000])("all controls of the timeline are in one row at %i px", async (width) => {
  const { page } = await openPage(
    browser,
    `${memoryPage(`row-${width}`, report(), timeline(), LAYOUT)}#timeline`,
    "light",
    { width, height: 800 },
  );
  expect((await page.locator(".selection").boundingBox())?.height).toBeLessThan(48);
  await page.close();
});

it("paper is white and whole, also from the dark theme", async () => {
  const many = report();
  many.metrics = {
    ...(many.metrics as object),
    long: {
      title: "Long",
      columns: [{ name: "at", type: "i64", unit: "index", doc: "" }],
      rows: Array.from({ length: 300 }, (_, at) => [at]),
      rows_in_all: 300,
    },
  };
  const { page, complaints } = await openPage(
    browser,
    `${memoryPage("paper", many, timeline(), LAYOUT)}#timeline`,
    "dark",
  );
  await page.waitForSelector("[data-layer=posix] .surface.heat canvas");
  await page.waitForTimeout(900);
  const corner = (): Promise<string> =>
    page
      .locator("[data-layer=posix] .surface.heat canvas")
      .evaluate((element) =>
        [...((element as HTMLCanvasElement).getContext("2d")?.getImageData(0, 0, 1, 1).data.slice(0, 3) ?? [])].join(),
      );
  expect(await corner()).toEqual("21,23,26");
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  expect(await corner()).toBe("255,255,255");
  await page.evaluate(() => dispatchEvent(new Event("afterprint")));
  expect(await corner()).toBe("21,23,26");
  await page.evaluate(() => (location.hash = "#tables?o.tables.name=long"));
  await page.locator(".table .row").first().waitFor();
  expect(await page.locator(".table .row").count()).toBeLessThan(100);
  await page.emulateMedia({ media: "print" });
  await expect.poll(() => page.locator(".table .row").count()).toBe(300);
  expect(complaints).toEqual([]);
  await page.close();
});
