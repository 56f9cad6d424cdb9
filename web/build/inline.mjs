// Puts script and style into a page that needs nothing else.
//
// Why hashes: the Content-Security-Policy allows exactly these inline
// elements, so nothing that a log brings into the page can run.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMIT_BYTES = 300_000; // compressed, the promise of the page

export const root = new URL("..", import.meta.url);
export const hash = (content) => createHash("sha256").update(content).digest("base64");

/** A script inside a page ends at the first `</script`, whatever stands around it. */
export const scriptOf = (content) => content.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");

export const read = (path) => readFileSync(new URL(path, root), "utf8");

/** The page of a template in build/, with the parts of a folder of dist/ and other values for its marks. */
export function inlined(template, parts, more = {}) {
    const script = scriptOf(read(`dist/${parts}/page.js`));
    const style = read(`dist/${parts}/page.css`);
    if (/<\/style/i.test(style)) throw new Error("the style sheet would end its own element");
    const values = {
        SCRIPT: script,
        STYLE: style,
        SCRIPT_HASH: hash(script),
        STYLE_HASH: hash(style),
        MORE_HASHES: "",
        ...more,
    };
    const page = read(`build/${template}`).replace("@HEAD@", () => read("build/head.html"));
    return page.replace(
        /@(SCRIPT_HASH|STYLE_HASH|MORE_HASHES|SCRIPT|STYLE|ENGINE|FALLBACK)@/g,
        (_, name) => values[name],
    );
}

/** Its size compressed, in bytes. */
export function checkedSize(page) {
    const compressed = gzipSync(page, { level: 9 }).length;
    if (compressed > LIMIT_BYTES)
        throw new Error(`the page has ${compressed} bytes compressed, more than ${LIMIT_BYTES}`);
    return compressed;
}
