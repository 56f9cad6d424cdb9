// A tour of the page of 20 seconds, as an animated GIF.
//
//   node build/tour.mjs PAGE OUT
//
// PAGE: the page of a job (scripts/guide-pictures.sh makes it). Every frame is the page itself; a line
// below says what happens.
import { writeFileSync } from "node:fs";
import { chromium } from "playwright";
import { gif } from "./gif.mjs";
import { indexed } from "./palette.mjs";

const [file, out] = process.argv.slice(2);
const [WIDTH, HEIGHT] = [1120, 720];
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
});
const encoder = await browser.newPage();
const page = await browser.newPage({
    viewport: { width: WIDTH, height: HEIGHT },
    colorScheme: "light",
    reducedMotion: "reduce",
});
await page.addInitScript(() => localStorage.setItem("diya.first-steps", "seen"));
await page.goto(`file://${file}#diagnosis`);
await page.waitForSelector("html[data-ready]", { state: "attached" });
await page.waitForTimeout(1500);

const frames = [];
/** What is seen now, with a line about it. */
async function shown(words, shown_ms, wait_ms = 700) {
    await page.waitForTimeout(wait_ms);
    await page.evaluate((text) => {
        const line = document.getElementById("tour") ?? document.body.appendChild(document.createElement("p"));
        line.id = "tour";
        line.textContent = text;
        // Set one by one: the policy of the page allows no style in markup.
        Object.assign(line.style, {
            position: "fixed",
            left: "0",
            right: "0",
            bottom: "0",
            margin: "0",
            padding: "10px 16px",
            zIndex: "99",
            background: "#1d2126",
            color: "#ffffff",
            font: "600 17px Inter, sans-serif",
        });
    }, words);
    const shot = await page.screenshot();
    frames.push({ ...(await encoder.evaluate(indexed, `data:image/png;base64,${shot.toString("base64")}`)), shown_ms });
}
const box = async (selector) => page.locator(selector).first().boundingBox();

await shown("The first page: what I/O costs, why, and what to do", 3200);
await page
    .locator(".finding[open] .body")
    .first()
    .evaluate((body) => body.scrollIntoView({ block: "center" }));
await shown("Each finding: evidence, fix, and why it may be wrong", 2400);
await page.locator(".finding[open] .primary").first().click();
await shown("“Show me” frames its calls on the timeline", 2400, 1800);
const lane = await box(".surface.heat");
await page.mouse.move(lane.x + lane.width * 0.45, lane.y + lane.height * 0.3);
for (let turn = 0; turn < 4; turn += 1) {
    await page.mouse.wheel(0, -240);
    await shown("The wheel zooms at the pointer", turn === 3 ? 1400 : 400, 500);
}
await page.keyboard.press("KeyF");
await page.waitForTimeout(600);
await page.mouse.move(lane.x + lane.width * 0.3, lane.y + lane.height * 0.2);
await page.mouse.down();
await page.mouse.move(lane.x + lane.width * 0.55, lane.y + lane.height * 0.7, { steps: 4 });
await page.mouse.up();
await shown("Drag an area: its calls, sizes and durations", 2400, 1500);
await page.keyboard.press("Escape");
await page.locator("input[type=search]").first().fill(">100ms");
await shown("Search: a time, ranks, a function, an error, a duration", 2000, 900);
await page.goto(`file://${file}#ranks`);
await page.waitForTimeout(1500);
await shown("Every chart answers: a click selects the rank", 2000, 900);
await page.goto(`file://${file}#files`);
await page.waitForTimeout(1500);
await shown("Files, with the pattern of their requests in words", 2200, 900);

await browser.close();
const bytes = gif(frames, WIDTH, HEIGHT);
writeFileSync(out, bytes);
const all_ms = frames.reduce((sum, frame) => sum + frame.shown_ms, 0);
console.log(`${out}: ${frames.length} frames, ${all_ms / 1000} s, ${bytes.length} bytes`);
