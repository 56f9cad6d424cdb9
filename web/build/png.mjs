// Screenshots as small files: PNG with a palette.
import { crc32, deflateSync } from "node:zlib";
import { chromium } from "playwright";
import { indexed } from "./palette.mjs";

export const launch = () =>
    chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    });

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
    return Buffer.concat([
        signature,
        chunk("IHDR", header),
        chunk("PLTE", Buffer.from(palette)),
        chunk("IDAT", deflateSync(lines, { level: 9 })),
        chunk("IEND", Buffer.alloc(0)),
    ]);
}

/** A screenshot as PNG of at most 96 colours. `encoder`: a page that does the counting. */
export async function smallPng(encoder, screenshot) {
    const picture = await encoder.evaluate(indexed, `data:image/png;base64,${screenshot.toString("base64")}`);
    return png({ ...picture, pixels: Uint8Array.from(picture.pixels) });
}
