// Fills the marks of dist/report.html, as `diya report --html` does: for tests and for looking at it.
import { readFileSync, writeFileSync } from "node:fs";

const ESCAPES = { "<": "\\u003c", "\u2028": "\\u2028", "\u2029": "\\u2029" };

export function fillPage(template, { report, tables = "", pack = "", wasm = "", text = "", title = "diya" }) {
    const json = JSON.stringify(report).replace(/[<\u2028\u2029]/g, (c) => ESCAPES[c]);
    const escaped = (words) => words.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
    const values = { TITLE: escaped(title), TEXT: escaped(text), REPORT: json, TABLES: tables, PACK: pack, WASM: wasm };
    return template.replace(/@@DIYA_(TITLE|TEXT|REPORT|TABLES|PACK|WASM)@@/g, (_, name) => values[name]);
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
    const [report, out] = process.argv.slice(2);
    const template = readFileSync(new URL("../dist/report.html", import.meta.url), "utf8");
    writeFileSync(out, fillPage(template, { report: JSON.parse(readFileSync(report, "utf8")) }));
}
