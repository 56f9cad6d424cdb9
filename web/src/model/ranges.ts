/** Sets of whole numbers as short text for addresses: `97-100,203`. */

export function writeRanges(numbers: readonly number[]): string {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const parts: string[] = [];
  for (let at = 0; at < sorted.length;) {
    let end = at;
    while (end + 1 < sorted.length && sorted[end + 1] === (sorted[end] ?? 0) + 1) end += 1;
    parts.push(end > at ? `${sorted[at]}-${sorted[end]}` : `${sorted[at]}`);
    at = end + 1;
  }
  return parts.join(",");
}

/** More numbers than any job has ranks: an address cannot make the page allocate without end. */
const MOST = 10_000_000;

/** null where the text is no list of ranges: a mangled address narrows nothing. */
export function readRanges(text: string): number[] | null {
  const numbers: number[] = [];
  for (const part of text.split(",")) {
    const match = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(part.trim());
    if (match === null) return null;
    const from = Number(match[1]);
    const to = Number(match[2] ?? match[1]);
    if (to < from || numbers.length + to - from >= MOST) return null;
    for (let value = from; value <= to; value += 1) numbers.push(value);
  }
  return numbers;
}
