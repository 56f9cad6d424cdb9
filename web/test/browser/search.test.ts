/** The go-to box, notes, lanes of counters, patterns and sums: each answered in at most two actions. */

import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LAYOUT, report, timeline } from "./fixture";
import { launch, memoryPage, openPage, packedPage } from "./open";

let browser: Browser;
beforeAll(async () => void (browser = await launch()));
afterAll(() => browser.close());

const CALLS = `rank layer op    file      function error  start end  offset size
0    posix write /run_1/a.h5 pwrite64 -      0.0   0.2  0      4096
0    posix write /run_1/a.h5 pwrite64 ENOSPC 1.0   1.01 4096   4096
1    posix read  /run_1/b.h5 pread64  -      2.0   2.5  0      4096
1    posix sync  /run_2/a.h5 fsync    -      3.0   3.05 -      -
2    posix sync  /run_2/a.h5 fsync    -      4.0   4.6  -      -
3    posix sync  /run_2/a.h5 fsync    -      9.0   9.1  -      -
`;
const table = (title: string, columns: string, ...rows: (string | number | null)[][]) => ({
  title,
  columns: columns.split(" ").map((name) => ({ name, type: "f64", unit: "", doc: "" })),
  rows,
  rows_in_all: rows.length,
});
const open = (name: string, hash = "", more: object = {}) =>
  openPage(
    browser,
    memoryPage(
      name,
      { schema_version: 1, verdict: { text: "I/O took 2 s of 10 s.", run_s: 10, io_s: 2 }, ...more },
      CALLS,
    ) + `#timeline${hash}`,
  );
const box = (page: Page) => page.locator(".search input");
const plain = (words: string): string => words.replaceAll("\u202f", " ").replaceAll(/\s+/g, " ").trim();
const finds = async (page: Page, words: string, ...hits: string[]): Promise<void> => {
  await box(page).fill(words);
  await expect.poll(async () => (await page.locator(".hits li").allInnerTexts()).map(plain)).toEqual(hits);
};

async function saved(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Menu" }).click();
  await page.getByText("Save page").click();
}

it("calls are found by function, duration and error, counted, and stepped with arrows", async () => {
  const { page, complaints } = await open("find-calls");
  await box(page).fill("fsync");
  await expect.poll(async () => plain(await page.locator(".hits").innerText())).toBe("1 found calls of fsync 3 calls");
  await page.keyboard.press("Enter"); // two actions: words and Enter
  await expect.poll(() => page.url()).toContain("fn=fsync");
  const stepper = page.locator(".stepper");
  await expect.poll(() => stepper.locator("strong").innerText()).toBe("3 calls");
  await expect.poll(() => stepper.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => stepper.locator("strong").innerText()).toBe("Call 2 of 3");
  await expect
    .poll(async () => plain(await page.locator(".side .facts").innerText()))
    .toMatch(/rank 2 .*Start 4\.00 s Duration 600 ms/);
  expect(await page.locator(".kept-call").count()).toBe(1);
  await page.keyboard.press("ArrowLeft");
  await expect.poll(() => stepper.locator("strong").innerText()).toBe("Call 1 of 3");
  await stepper.getByText("List").click();
  expect((await stepper.locator("tr").allInnerTexts()).map(plain)).toEqual([
    "3.00 s 50.0 ms fsync rank 1 /run_2/a.h5",
    "4.00 s 600 ms fsync rank 2 /run_2/a.h5",
    "9.00 s 100 ms fsync rank 3 /run_2/a.h5",
  ]);
  expect(complaints).toEqual([]);
  await page.close();
});

it("the box takes times, ranks, durations, errors and pieces of paths", async () => {
  const { page, complaints } = await open("find-all");
  await finds(page, "errno:ENOSPC", "calls with error ENOSPC 1 call");
  await finds(page, "errno:", "calls with error ENOSPC 1 call");
  await finds(page, "errno:EIO");
  await finds(page, ">99ms", "calls > 99ms 4 calls");
  await finds(page, "0-2", "ranks 0-2 3");
  await finds(page, "rank 3", "rank rank 3");
  await finds(page, "12.3 s", "time 12.3 s");
  await finds(page, "h5 run_1", "all files with h5 run_1 2", "file /run_1/a.h5", "file /run_1/b.h5");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect.poll(async () => plain(await page.locator(".chip").innerText())).toMatch(/^Files \/run_1\/b\.h5/);
  expect(complaints).toEqual([]);
  await page.close();
});

it("what is selected has its sums by function, and a click narrows to one", async () => {
  const { page } = await open("sums");
  const side = page.locator(".side");
  await expect
    .poll(async () => plain(await side.innerText()))
    .toMatch(/fsync POSIX 3 750 ms.*pread64 POSIX 1 4\.00 KiB 500 ms/);
  await side.getByRole("button", { name: "fsync" }).first().click();
  await expect.poll(() => page.url()).toMatch(/layers=posix.*fn=fsync/);
  await expect.poll(async () => plain(await side.innerText())).toMatch(/Durations 3 calls/);
  await page.close();
});

it("a selection has its statistics in every view", async () => {
  const { page, complaints } = await openPage(
    browser,
    `${memoryPage("statistics", report(), timeline(), LAYOUT)}#files?ranks=5`,
  );
  await page.getByText("Statistics", { exact: true }).click();
  await expect
    .poll(async () => plain(await page.locator(".sums").innerText()))
    .toMatch(
      new RegExp(
        [
          "POSIX write 1 544 B 600 ms",
          "pwrite POSIX 1 544 B 600 ms",
          "Durations 37 calls",
          "Sizes",
          "Longest calls here",
        ].join("[\\s\\S]*"),
      ),
    );
  await page.locator(".sums .link").last().click();
  await page.waitForSelector("main[data-view=timeline]");
  expect(complaints).toEqual([]);
  await page.close();
});

it("a note stands in the link and in the saved page", async () => {
  const pack = readFileSync(new URL("../fixtures/small.pack", import.meta.url));
  const { page, complaints } = await openPage(browser, `${packedPage("notes", report(), pack)}#timeline?t=2..3`);
  await page.keyboard.press("b");
  await page.locator(".notes input").fill("why so long? 50 %; ask <b>me</b>");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(".note-name").textContent()).toBe("why so long? 50 %; ask <b>me</b>");
  await expect.poll(() => page.url()).toContain("timeline.notes=2..3%3Awhy");
  const link = await openPage(browser, page.url());
  expect(await link.page.locator(".note-name").textContent()).toBe("why so long? 50 %; ask <b>me</b>");
  await link.page.close();
  const [download] = await Promise.all([page.waitForEvent("download"), saved(page)]);
  const path = join(tmpdir(), "diya-saved.html");
  writeFileSync(path, readFileSync(await download.path()));
  const copy = await openPage(browser, `file://${path}`);
  await expect.poll(() => copy.page.locator(".note-name").textContent()).toBe("why so long? 50 %; ask <b>me</b>");
  await expect.poll(() => copy.page.locator(".lane canvas").count()).toBeGreaterThan(1);
  expect((await copy.page.locator(".chip").allInnerTexts()).map(plain)[0]).toMatch(/^Time 2\.0 s – 3\.0 s/);
  const [second] = await Promise.all([copy.page.waitForEvent("download"), saved(copy.page)]);
  expect(readFileSync(await second.path()).length).toBe(readFileSync(path).length); // saved again, it does not grow
  expect([...complaints, ...copy.complaints]).toEqual([]);
  await copy.page.close();
  await page.close();
});

it("what the servers measured stands over the lanes, with the value under the pointer", async () => {
  const interval = table(
    "Servers",
    "log series name unit op start_s end_s per_s level",
    [0, 0, "ost0.write", "bytes", "write", 0, 5, 1_048_576, null],
    [0, 1, "ost0.write", "bytes", "write", 0, 5, 1_048_576, null],
    [0, 0, "ost0.write", "bytes", "write", 5, 10, 524_288, null],
  );
  const { page, complaints } = await open("servers", "", { metrics: { server_interval: interval } });
  const lane = page.locator("[data-layer=counter]");
  await expect.poll(async () => plain(await lane.innerText())).toBe("ost0.write sum of 2 series 2.00 MiB/s");
  const size = await lane.locator(".surface").boundingBox();
  if (!size) throw new Error("the lane has a place");
  await lane.locator(".surface").hover({ position: { x: size.width * 0.75, y: 10 } });
  await expect.poll(async () => plain(await lane.locator(".peak").innerText())).toBe("512 KiB/s of 2.00 MiB/s");
  await expect.poll(async () => plain(await page.locator("[data-layer=waits]").innerText())).toMatch(/^Ranks in sync /);
  expect(complaints).toEqual([]);
  await page.close();
});

it("processes without ranks are called processes", async () => {
  const peers = table(
    "Processes",
    "log rank kind number step program",
    ...[0, 1, 2, 3].map((rank) => [0, rank, "process", 1200 + rank, null, "train.py"]),
  );
  const { page } = await open("processes", "", { metrics: { peer_group: peers } });
  await expect
    .poll(async () => plain(await page.locator(".side").innerText()))
    .toMatch(/process bytes time process 1202 \(train\.py\)/);
  expect(await page.locator(".timeline").innerText()).not.toMatch(/\brank \d/);
  await page.close();
});

it("each file and rank says its pattern in words", async () => {
  const made = report() as { metrics: object };
  const files = table(
    "Patterns",
    "log file_id layer op ranks calls sequential_ratio consecutive_ratio random_ratio repeated_ratio " +
      "strided_ratio stride_bytes",
    [0, "1001", "posix", "read", 1, 1001, 0.92, 0, 0.08, 0, 0.92, 65_536],
  );
  const ranks = table(
    "Patterns",
    "log file_id layer op rank calls consecutive_calls forward_calls backward_calls repeated_calls " +
      "strided_calls stride_bytes stride_calls",
    [0, "1001", "posix", "read", 0, 101, 0, 100, 0, 0, 100, 65_536, 100],
    [0, "1001", "posix", "read", 1, 101, 0, 100, 0, 0, 100, 65_536, 100],
    [0, "1001", "posix", "read", 2, 101, 40, 10, 50, 0, 0, null, 0],
  );
  const address = memoryPage(
    "patterns",
    { ...made, metrics: { ...made.metrics, file_pattern: files, file_rank_pattern: ranks } },
    timeline(),
    LAYOUT,
  );
  const { page, complaints } = await openPage(browser, `${address}#files`);
  await page.locator(".table .row").filter({ hasText: "/scratch/run/in.h5" }).first().click();
  await expect
    .poll(async () => plain(await page.locator("main").innerText()))
    .toMatch(
      new RegExp(
        "read: strided 64\\.0 KiB, re-read [\\s\\S]*Reads: strided, every 64\\.0 KiB \\(92 %\\), " +
          "99 % of the bytes re-read; 1,001 requests, confidence medium\\.",
      ),
    );
  await page.getByRole("navigation").getByRole("button", { name: "Ranks", exact: true }).click();
  await expect
    .poll(async () => plain(await page.locator("main").innerText()))
    .toContain(
      "0-1 2 strided, every 64.0 KiB (100 %) read: high Timeline → " +
        "2 1 mixed (40 % sequential, 50 % backwards) read: medium",
    );
  expect(complaints).toEqual([]);
  await page.close();
});

it.each([
  ["light", 1400],
  ["dark", 1400],
  ["light", 700],
  ["dark", 700],
] as const)("hits fit the window (%s, %i px)", async (theme, width) => {
  const { page } = await openPage(
    browser,
    `${memoryPage("fit", { schema_version: 1 }, CALLS)}#timeline?fn=fsync`,
    theme,
  );
  await page.setViewportSize({ width, height: 900 });
  await box(page).fill("h5");
  await page.locator(".hits li").first().waitFor();
  const hits = await page.locator(".hits").boundingBox();
  expect((hits?.x ?? -1) >= 0 && (hits?.x ?? 0) + (hits?.width ?? 9999) <= width).toBe(true);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  if (process.env.DIYA_LOOK) await page.screenshot({ path: `${process.env.DIYA_LOOK}/hits-${theme}-${width}.png` });
  await page.close();
});

it("waits for other ranks are stepped through by keys, and lead to the matrix", async () => {
  const names = "log rank function late_rank cause_rank activity file_id start_s until_s end_s";
  const spans = [
    [0, 1, "MPI_Bcast", 0, 0, "computing", null, 1, 5, 5.5],
    [0, 2, "MPI_Recv", 1, 0, "computing", null, 6, 8, 8],
  ];
  const { page } = await open("waits", "", { metrics: { message_span: table("waits", names, ...spans) } });
  const strip = page.locator("[data-layer=messages]");
  const said = async (): Promise<string> => plain(await strip.locator(".said").innerText());
  await strip.getByRole("button", { name: "longest", exact: true }).press("Enter");
  await expect.poll(said).toBe("Rank 1 waits 4.00 s in MPI_Bcast for rank 0, which computes.");
  await strip.getByRole("button", { name: "next longest" }).press("Enter");
  await expect.poll(said).toBe("Rank 2 waits 2.00 s in MPI_Recv for rank 1 (in the end for rank 0), which computes.");
  expect(await strip.locator("line").count()).toBe(2); // 4 s to 10 s: the other one ends at 5 s
  await strip.getByRole("button", { name: "who waits for whom" }).press("Enter");
  await expect.poll(() => page.evaluate(() => location.hash)).toMatch(/^#ranks/);
  await page.close();
});
