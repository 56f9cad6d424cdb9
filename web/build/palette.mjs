// Pictures with few colours: small files.

/** Runs in a page: the most common colours, and for each pixel the nearest of them. */
export async function indexed(address) {
    const image = new Image();
    image.src = address;
    await image.decode();
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(image, 0, 0);
    const words = new Uint32Array(context.getImageData(0, 0, width, height).data.buffer);
    const counts = new Map();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    const parts = (word) => [word & 255, (word >> 8) & 255, (word >> 16) & 255];
    const palette = [];
    for (const [word] of [...counts].sort((a, b) => b[1] - a[1])) {
        const [r, g, b] = parts(word);
        // Shades of one colour stand for each other, so that rare colours have a place, too;
        // large grounds keep their own.
        const least = palette.length < 16 ? 40 : 300;
        if (palette.every(([pr, pg, pb]) => (r - pr) ** 2 + (g - pg) ** 2 + (b - pb) ** 2 > least))
            palette.push([r, g, b]);
        if (palette.length === 96) break;
    }
    const nearest = new Map();
    for (const word of counts.keys()) {
        const [r, g, b] = parts(word);
        let best = 0;
        let least = Infinity;
        palette.forEach(([pr, pg, pb], at) => {
            const apart = (r - pr) ** 2 + (g - pg) ** 2 + (b - pb) ** 2;
            if (apart < least) [least, best] = [apart, at];
        });
        nearest.set(word, best);
    }
    return { width, height, palette: palette.flat(), pixels: Array.from(words, (word) => nearest.get(word)) };
}
