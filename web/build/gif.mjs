// An animated GIF out of indexed pictures, each with its own colours.
//
// Of each frame only the rectangle that changed is written, and in it pixels that stayed are
// transparent: pages change little from one action to the next.

/** Codes of variable width, the lowest bit first, in blocks of at most 255 bytes. */
function packed(codes) {
    const bytes = [];
    let [held, bits] = [0, 0];
    for (const [code, width] of codes) {
        held |= code << bits;
        bits += width;
        for (; bits >= 8; bits -= 8, held >>>= 8) bytes.push(held & 255);
    }
    if (bits > 0) bytes.push(held & 255);
    const blocks = [];
    for (let at = 0; at < bytes.length; at += 255) {
        const block = bytes.slice(at, at + 255);
        blocks.push(Buffer.from([block.length, ...block]));
    }
    return Buffer.concat([...blocks, Buffer.from([0])]);
}

/** LZW as GIF has it: the table starts anew when its 4096 codes are used up. */
function* lzw(pixels, depth) {
    const clear = 1 << depth;
    let [table, next, width] = [new Map(), clear + 2, depth + 1];
    yield [clear, width];
    let prefix = pixels[0];
    for (let at = 1; at < pixels.length; at += 1) {
        const key = prefix * 256 + pixels[at];
        const known = table.get(key);
        if (known !== undefined) {
            prefix = known;
            continue;
        }
        yield [prefix, width];
        if (next < 4096) {
            table.set(key, next);
            if (next === 1 << width) width += 1;
            next += 1;
        } else {
            yield [clear, width];
            [table, next, width] = [new Map(), clear + 2, depth + 1];
        }
        prefix = pixels[at];
    }
    yield [prefix, width];
    yield [clear + 1, width];
}

const word = (value) => [value & 255, (value >> 8) & 255];

/** The part that differs from the picture before, with everything else transparent; null: nothing does. */
function changed(frame, before, width, height) {
    const transparent = frame.palette.length / 3;
    let [left, top, right, bottom] = [width, height, -1, -1];
    const colour = (picture, at) => picture.pixels[at] * 3;
    const isSame = (at) => {
        if (before === null) return false;
        const [a, b] = [colour(frame, at), colour(before, at)];
        return [0, 1, 2].every((part) => frame.palette[a + part] === before.palette[b + part]);
    };
    const kept = Uint8Array.from(frame.pixels, (pixel, at) => {
        if (isSame(at)) return transparent;
        const [x, y] = [at % width, Math.floor(at / width)];
        [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
        return pixel;
    });
    if (right < 0) return null;
    const rows = [];
    for (let y = top; y <= bottom; y += 1) rows.push(kept.subarray(y * width + left, y * width + right + 1));
    return { left, top, width: right - left + 1, height: bottom - top + 1, transparent, pixels: Buffer.concat(rows) };
}

/** `frames`: palettes of at most 255 colours, pixels, and how long each is shown, milliseconds. */
export function gif(frames, width, height) {
    const parts = [
        Buffer.from("GIF89a", "latin1"),
        Buffer.from([...word(width), ...word(height), 0x70, 0, 0]),
        Buffer.from([0x21, 0xff, 11]),
        Buffer.from("NETSCAPE2.0", "latin1"),
        Buffer.from([3, 1, 0, 0, 0]),
    ];
    let before = null;
    for (const frame of frames) {
        const part = changed(frame, before, width, height) ?? {
            left: 0,
            top: 0,
            width: 1,
            height: 1,
            transparent: frame.palette.length / 3,
            pixels: Buffer.from([frame.palette.length / 3]),
        };
        const depth = Math.max(2, Math.ceil(Math.log2(part.transparent + 1)));
        const palette = Buffer.alloc(3 << depth);
        palette.set(frame.palette);
        parts.push(Buffer.from([0x21, 0xf9, 4, 0x05, ...word(Math.round(frame.shown_ms / 10)), part.transparent, 0]));
        parts.push(
            Buffer.from([
                0x2c,
                ...word(part.left),
                ...word(part.top),
                ...word(part.width),
                ...word(part.height),
                0x80 | (depth - 1),
            ]),
            palette,
        );
        parts.push(Buffer.from([depth]), packed(lzw(part.pixels, depth)));
        before = frame;
    }
    return Buffer.concat([...parts, Buffer.from([0x3b])]);
}
