// Puts the page that opens dropped logs together: dist-app/index.html, with the
// engine beside it. The page names the hash of the engine, and browsers refuse another.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { deflateRawSync } from "node:zlib";
import { checkedSize, hash, inlined, root } from "./inline.mjs";

const engine = readFileSync(new URL("generated/engine_bg.wasm", root));
// Packed here rather than by the server: few servers pack wasm, and every browser unpacks this.
const packed = deflateRawSync(engine, { level: 9 });
const page = inlined("app.html", "parts-app", { ENGINE: `sha256-${hash(packed)}` });
const out = new URL("dist-app/", root);
rmSync(out, { recursive: true, force: true });
mkdirSync(out);
writeFileSync(new URL("index.html", out), page);
writeFileSync(new URL("engine.wasm.deflate", out), packed);
rmSync(new URL("dist/parts-app", root), { recursive: true });
console.log(
    `dist-app: page ${checkedSize(page)} bytes compressed; engine ${engine.length} bytes, ${packed.length} compressed`,
);
