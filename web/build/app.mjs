// Puts the page that opens dropped logs together: dist-app/index.html, with the
// engine beside it. The page names the hash of the engine, and browsers refuse another.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { deflateRawSync, gzipSync } from "node:zlib";

const LIMIT_BYTES = 300_000; // compressed, of the page without the engine

const root = new URL("..", import.meta.url);
const read = (path) => readFileSync(new URL(path, root), "utf8");
const hash = (bytes) => createHash("sha256").update(bytes).digest("base64");

const engine = readFileSync(new URL("generated/engine_bg.wasm", root));
// Packed here rather than by the server: few servers pack wasm, and every browser unpacks this.
const packed = deflateRawSync(engine, { level: 9 });

// An inline script ends at the first `</script`, whatever stands around it.
const script = read("dist/parts-app/page.js").replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const style = read("dist/parts-app/page.css");
if (/<\/style/i.test(style)) throw new Error("the style sheet would end its own element");

const values = { SCRIPT: script, STYLE: style, SCRIPT_HASH: hash(script), STYLE_HASH: hash(style), ENGINE: `sha256-${hash(packed)}` };
const page = read("build/app.html").replace(/@(SCRIPT_HASH|STYLE_HASH|SCRIPT|STYLE|ENGINE)@/g, (_, name) => values[name]);
const out = new URL("dist-app/", root);
rmSync(out, { recursive: true, force: true });
mkdirSync(out);
writeFileSync(new URL("index.html", out), page);
writeFileSync(new URL("engine.wasm.deflate", out), packed);
rmSync(new URL("dist/parts-app", root), { recursive: true });
const compressed = gzipSync(page, { level: 9 }).length;
console.log(`dist-app: page ${compressed} bytes compressed; engine ${engine.length} bytes, ${packed.length} compressed`);
if (compressed > LIMIT_BYTES) throw new Error(`more than ${LIMIT_BYTES} bytes compressed`);
