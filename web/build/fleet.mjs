// Puts the page of many jobs together: dist/fleet.html, in which marks stand for the data.
import { rmSync, writeFileSync } from "node:fs";
import { checkedSize, inlined, root } from "./inline.mjs";
import { checkLicences } from "./licences.mjs";

const page = inlined("fleet.html", "parts-fleet");
for (const mark of ["TITLE", "REPORT", "TABLES"]) {
    if (page.split(`@@DIYA_${mark}@@`).length !== 2) throw new Error(`the mark ${mark} must stand in the page once`);
}
writeFileSync(new URL("dist/fleet.html", root), page);
checkLicences("parts-fleet");
rmSync(new URL("dist/parts-fleet", root), { recursive: true });
console.log(`dist/fleet.html: ${page.length} characters, ${checkedSize(page)} bytes compressed`);
