// How fluid the page is: opens pages in headless Chromium, pans and zooms the timeline
// for ten seconds, and prints a table. `scripts/web-bench.sh` makes the pages and calls this.
//
//   node benches/web/run.mjs [--seconds 10] [--json FILE] NAME=PAGE.html|URL ...
//
// first: from the start of the navigation until the verdict has been drawn.
// calls: until every call can be asked for. p50, p95, worst: time between two frames.
// rows, scroll, sort: the longest table of the files and ranks: its rows, the time between
// two frames while it scrolls (p95), and the longest time from a click on the head of a
// column until the sorted rows are drawn.
// files, callview: from the choice of the view until its rows have been drawn; of Calls those
// of the tree and of the list. yard: a loop in the same browser that sums ten million
// numbers, the median of nine; view times are also printed as multiples of it, since
// milliseconds depend on the machine.
// memory: proportional set size of all processes of the browser after the run, less
// what the same browser took with an empty page.
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const { chromium } = createRequire(new URL("../../web/package.json", import.meta.url))("playwright");

const TARGETS = {
  files_ms: { "*": 1000 },
  callview_ms: { "*": 1000 },
  first_ms: { openpmd: 1500 },
  p95_ms: { "*": 25 },
  scroll_ms: { "*": 25 },
  sort_ms: { "*": 300 },
  memory_mib: { openpmd: 400 },
  file_mib: { openpmd: 6 },
};

/** What is printed of a run: the number, its title, the width of its column, its digits. */
const COLUMNS = [
  ["first_ms", "first ms", 8, 0],
  ["calls_ms", "calls ms", 8, 0],
  ["frames", "frames", 6, 0],
  ["p50_ms", "p50 ms", 6, 1],
  ["p95_ms", "p95 ms", 6, 1],
  ["worst_ms", "worst ms", 8, 0],
  ["files_ms", "files ms", 8, 0],
  ["callview_ms", "callview ms", 11, 0],
  ["yard_ms", "yard ms", 7, 1],
  ["rows", "rows", 6, 0],
  ["scroll_ms", "scroll ms", 9, 1],
  ["sort_ms", "sort ms", 7, 0],
  ["memory_mib", "memory MiB", 10, 0],
  ["file_mib", "file MiB", 8, 1],
];

/** Processes below one, itself included. */
function family(root) {
  const parents = new Map();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const status = readFileSync(`/proc/${name}/stat`, "utf8");
      parents.set(Number(name), Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[1]));
    } catch {
      continue; // it has ended in the meantime
    }
  }
  const members = new Set([root]);
  for (let before = 0; before !== members.size; ) {
    before = members.size;
    for (const [pid, parent] of parents) if (members.has(parent)) members.add(pid);
  }
  return [...members];
}

/** Memory that belongs to these processes, shared pages divided among their users; MiB. */
function memoryOf(pids) {
  let kib = 0;
  for (const pid of pids) {
    try {
      kib += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0);
    } catch {
      continue; // ended, or not ours
    }
  }
  return kib / 1024;
}

/** Runs in the page: one step per frame, in and out and to and fro, as a hand at the wheel does. */
function panAndZoom(seconds) {
  const surface = document.querySelector(".surface.heat");
  const box = surface.getBoundingClientRect();
  const frames = [];
  const begin = performance.now();
  let last = begin;
  let step = 0;
  return new Promise((done) => {
    const next = (now) => {
      frames.push(now - last);
      last = now;
      if (now - begin > seconds * 1000) return done(frames.slice(1));
      const phase = step % 120;
      step += 1;
      const clientX = box.left + box.width * (0.3 + 0.4 * ((step % 600) / 600));
      const at = { clientX, clientY: box.top + box.height / 2, bubbles: true, cancelable: true };
      const code = phase % 16 < 8 ? "KeyD" : "KeyA";
      if (phase < 40) surface.dispatchEvent(new WheelEvent("wheel", { ...at, ctrlKey: true, deltaY: -20 }));
      else if (phase < 80) window.dispatchEvent(new KeyboardEvent("keydown", { code, key: "d", bubbles: true }));
      else surface.dispatchEvent(new WheelEvent("wheel", { ...at, ctrlKey: true, deltaY: 20 }));
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
}

/** Runs in the page: scrolls the longest table and sorts it by each of its first columns. */
async function scrollAndSort(seconds) {
  const drawn = () =>
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))));
  const tables = [...document.querySelectorAll(".table")].sort((a, b) => b.scrollHeight - a.scrollHeight);
  const table = tables[0];
  if (table === undefined) return { rows: 0, frames: [], sorts: [] };
  const rows = Number(table.getAttribute("aria-rowcount")) - 1;
  const frames = [];
  const begin = performance.now();
  await new Promise((done) => {
    let last = begin;
    let step = 78; // three rows a frame, and now and then a leap
    const next = (now) => {
      frames.push(now - last);
      last = now;
      if (now - begin > seconds * 1000) return done();
      if (frames.length % 60 === 0) table.scrollTop = Math.random() * table.scrollHeight;
      else table.scrollTop += step;
      if (table.scrollTop <= 0 || table.scrollTop >= table.scrollHeight - table.clientHeight) step = -step;
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  const sorts = [];
  for (const head of [...table.querySelectorAll("[role=columnheader] button")].slice(0, 6)) {
    const at = performance.now();
    head.click();
    sorts.push((await drawn()) - at);
  }
  return { rows, frames: frames.slice(1), sorts };
}

/** Runs in the page: milliseconds from the choice of a view until all of `rows` are there and drawn. */
async function opened([view, ...rows]) {
  const begin = performance.now();
  location.hash = `#${view}`;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const isThere = () => rows.every((row) => document.querySelector(`main[data-view=${view}] ${row}`) !== null);
  while (!isThere() && performance.now() - begin < 120_000) await frame();
  await frame();
  return performance.now() - begin;
}

/** Runs in the page: milliseconds for a sum of ten million numbers. */
function yardstick() {
  const numbers = new Float64Array(1e7).fill(1.5);
  const times = Array.from({ length: 9 }, () => {
    const begin = performance.now();
    let sum = 0;
    for (let at = 0; at < numbers.length; at += 1) sum += numbers[at];
    return sum > 0 ? performance.now() - begin : Number.NaN;
  });
  return times.sort((a, b) => a - b)[4];
}

/** Runs before the page does: writes down when the verdict has been drawn. */
function watchVerdict() {
  const look = () => {
    if (!document.querySelector(".verdict .sentence")) return requestAnimationFrame(look);
    return requestAnimationFrame(() => (window.verdictDrawn = performance.now()));
  };
  requestAnimationFrame(look);
}

const quantile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;

async function measure(name, place, seconds) {
  const server = await chromium.launchServer({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: process.getuid() === 0 ? ["--no-sandbox"] : [],
  });
  try {
    const browser = await chromium.connect(server.wsEndpoint());
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
    await page.addInitScript(watchVerdict);
    const empty_mib = memoryOf(family(server.process().pid));
    const isFile = !place.startsWith("http");
    await page.goto(isFile ? `file://${place}` : place, { waitUntil: "commit" });
    await page.waitForFunction(() => window.verdictDrawn !== undefined, null, { timeout: 120_000 });
    const first_ms = await page.evaluate(() => window.verdictDrawn);
    await page.waitForSelector("html[data-ready]", { timeout: 300_000, state: "attached" });
    const calls_ms = await page.evaluate(() => performance.now());
    const files_ms = await page.evaluate(opened, ["files", ".table .row"]);
    const callview_ms = await page.evaluate(opened, ["calls", ".table .row", "table.tree tbody tr"]);
    const yard_ms = await page.evaluate(yardstick);
    await page.evaluate(() => (location.hash = "#timeline"));
    await page.waitForSelector(".surface.heat canvas");
    // A picture of very many calls keeps its veil: it says that it is drawn from sums.
    const isDrawn = () => document.querySelector(".surface.heat .veil")?.textContent !== "drawing…";
    await page.waitForFunction(isDrawn, null, { timeout: 120_000 });
    await page.waitForTimeout(500);
    const frames = (await page.evaluate(panAndZoom, seconds)).sort((a, b) => a - b);
    let table = { rows: 0, frames: [], sorts: [] };
    for (const view of ["files", "ranks"]) {
      await page.evaluate((name) => (location.hash = `#${name}`), view);
      await page.waitForSelector(`main[data-view=${view}]`);
      await page.waitForTimeout(2000);
      const measured = await page.evaluate(scrollAndSort, Math.min(3, seconds));
      if (measured.rows > table.rows) table = measured;
    }
    const scrolled = table.frames.sort((a, b) => a - b);
    const memory_mib = memoryOf(family(server.process().pid)) - empty_mib;
    await browser.close();
    return {
      name, first_ms, calls_ms, frames: frames.length, p50_ms: quantile(frames, 0.5),
      p95_ms: quantile(frames, 0.95), worst_ms: frames.at(-1) ?? Number.NaN,
      files_ms, callview_ms, yard_ms, rows: table.rows,
      scroll_ms: quantile(scrolled, 0.95), sort_ms: Math.max(...table.sorts),
      memory_mib, empty_mib, file_mib: isFile ? statSync(place).size / 2 ** 20 : null,
    };
  } finally {
    await server.close();
  }
}

const words = process.argv.slice(2);
const option = (name, otherwise) => {
  const at = words.indexOf(name);
  return at < 0 ? otherwise : words.splice(at, 2)[1];
};
const seconds = Number(option("--seconds", "10"));
const json = option("--json", null);
const rows = [];
let missed = 0;
console.log(["run".padEnd(12), ...COLUMNS.map(([, title]) => title)].join("  "));
for (const word of words) {
  const [name, ...rest] = word.split("=");
  const row = await measure(name, rest.join("="), seconds);
  rows.push(row);
  const cell = (column, width, digits) => {
    const value = row[column];
    const limit = TARGETS[column]?.[name] ?? TARGETS[column]?.["*"];
    const isMissed = limit !== undefined && value !== null && value > limit;
    missed += Number(isMissed);
    return `${value === null ? "-" : value.toFixed(digits)}${isMissed ? ` > ${limit}!` : ""}`.padStart(width);
  };
  const cells = COLUMNS.map(([column, , width, digits]) => cell(column, width, digits));
  console.log([name.padEnd(12), ...cells].join("  "));
}
for (const { name, files_ms, callview_ms, yard_ms } of rows) {
  const [files, calls] = [files_ms, callview_ms].map((ms) => (ms / yard_ms).toFixed(1));
  console.log(`${name}: Files opens in ${files} and Calls in ${calls} times the sum of ten million numbers`);
}
if (json !== null) writeFileSync(json, JSON.stringify(rows, null, 1));
process.exitCode = missed > 0 ? 1 : 0;
