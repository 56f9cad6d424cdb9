// Puts script and style into one file that needs nothing else.
//
// Why hashes: the Content-Security-Policy allows exactly these two inline
// elements, so nothing that a log brings into the page can run.
import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMIT_BYTES = 300_000; // compressed, the promise of the page

const root = new URL("..", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const hash = (text) => createHash("sha256").update(text, "utf8").digest("base64");

// An inline script ends at the first `</script`, whatever stands around it.
const script = read("dist/parts/page.js").replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const style = read("dist/parts/page.css");
if (/<\/style/i.test(style)) throw new Error("the style sheet would end its own element");

const values = { SCRIPT: script, STYLE: style, SCRIPT_HASH: hash(script), STYLE_HASH: hash(style) };
const page = read("build/page.html").replace(/@(SCRIPT_HASH|STYLE_HASH|SCRIPT|STYLE)@/g, (_, name) => values[name]);
for (const mark of ["TITLE", "REPORT", "WASM", "PACK"]) {
  if (page.split(`@@DIYA_${mark}@@`).length !== 2) throw new Error(`the mark ${mark} must stand in the page once`);
}
const name = process.argv[2] ?? "report.html";
writeFileSync(new URL(`dist/${name}`, root), page);
rmSync(new URL("dist/parts", root), { recursive: true });
const compressed = gzipSync(page, { level: 9 }).length;
console.log(`dist/${name}: ${page.length} characters, ${compressed} bytes compressed`);
if (compressed > LIMIT_BYTES) throw new Error(`more than ${LIMIT_BYTES} bytes compressed`);
