// Puts the page of reports together: dist/report.html, in which marks stand for the data.
import { rmSync, writeFileSync } from "node:fs";
import { checkedSize, hash, inlined, read, root, scriptOf } from "./inline.mjs";
import { writeLicences } from "./licences.mjs";

const fallback = scriptOf(read("dist/parts/fallback.js"));
const page = inlined("page.html", "parts", { FALLBACK: fallback, MORE_HASHES: ` 'sha256-${hash(fallback)}'` });
for (const mark of ["TITLE", "TEXT", "REPORT", "TABLES", "WASM", "PACK"]) {
    if (page.split(`@@DIYA_${mark}@@`).length !== 2) throw new Error(`the mark ${mark} must stand in the page once`);
}
const name = process.argv[2] ?? "report.html";
if (name === "report.html") writeLicences("parts");
writeFileSync(new URL(`dist/${name}`, root), page);
rmSync(new URL("dist/parts", root), { recursive: true });
console.log(`dist/${name}: ${page.length} characters, ${checkedSize(page)} bytes compressed`);
