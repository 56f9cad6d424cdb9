// Pictures of the views for docs/guide/views, as PNG of at most 256 colours.
//
//   node build/pictures.mjs FOLDER OUT [NAME...]
//
// FOLDER holds the pages: openpmd.html, before.html, after.html, stacks.html
// (scripts/guide-pictures.sh makes them). Every picture is the page itself.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32, deflateSync } from "node:zlib";
import { chromium } from "playwright";
import { indexed } from "./palette.mjs";

const [folder, out, ...names] = process.argv.slice(2);
const VIEWS = [
  ["diagnosis", "openpmd", "#diagnosis", 860],
  ["timeline", "openpmd", "#timeline?o.timeline.ruler=2.85..3.52&o.timeline.measure=1", 960],
  ["timeline-groups", "openpmd", "#timeline?o.timeline.group=cluster&o.timeline.folded=all", 960],
  ["files", "openpmd", "#files", 760],
  ["ranks", "openpmd", "#ranks", 820],
  ["phases", "openpmd", "#phases", 900],
  ["transfer", "openpmd", "#transfer", 760],
  ["targets", "openpmd", "#targets", 820],
  ["calls", "openpmd", "#calls", 640],
  ["source", "stacks", "#source", 420],
  ["compare", "before", "#compare", 860],
  ["tables", "openpmd", "#tables?o.tables.name=phase_straggler", 420],
];

function chunk(kind, bytes) {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), bytes]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(bytes.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

/** An indexed PNG: one byte per pixel. */
function png({ width, height, palette, pixels }) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8); // 8 bits, palette
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) lines.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("PLTE", Buffer.from(palette)), chunk("IDAT", deflateSync(lines, { level: 9 })), chunk("IEND", Buffer.alloc(0))]);
}

mkdirSync(out, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
const encoder = await browser.newPage();
let total = 0;
for (const [name, file, hash, height] of VIEWS) {
  if (names.length > 0 && !names.includes(name)) continue;
  const page = await browser.newPage({ viewport: { width: 1280, height }, colorScheme: "light" });
  await page.addInitScript(() => localStorage.setItem("diya.first-steps", "seen"));
  await page.goto(`file://${join(folder, `${file}.html`)}${hash}`);
  await page.waitForSelector("html[data-ready]", { state: "attached" });
  if (name === "compare") await page.locator("input[type=file]").setInputFiles(join(folder, "after.html"));
  await page.waitForTimeout(2500);
  const shot = await page.screenshot();
  const picture = await encoder.evaluate(indexed, `data:image/png;base64,${shot.toString("base64")}`);
  const bytes = png({ ...picture, pixels: Uint8Array.from(picture.pixels) });
  writeFileSync(join(out, `${name}.png`), bytes);
  total += bytes.length;
  console.log(`${name}.png: ${bytes.length} bytes`);
  await page.close();
}
console.log(`${total} bytes in all`);
await browser.close();
