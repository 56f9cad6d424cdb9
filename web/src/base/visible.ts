/**
 * Text from logs, made harmless to read.
 *
 * The page sets text as text, so nothing can run; what remains is text that
 * lies: right-to-left overrides that turn `exe.gpj` around, control characters
 * that vanish. Each becomes a visible symbol.
 */

const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const INVISIBLE = /[\u200b-\u200d\u2060\ufeff\u00ad]/g;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;
/** Half of a pair: cannot be shown, and some functions throw on it. */
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const asCode = (character: string): string =>
  `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;

/** Nothing of the above is in it: so are nearly all names, of which a table may have a hundred thousand. */
const PLAIN = /^[ -~]*$/;

export function visible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text
    .replace(CONTROL, (c) => (c < " " ? String.fromCharCode(0x2400 + c.charCodeAt(0)) : asCode(c)))
    .replace(BIDI, asCode)
    .replace(INVISIBLE, asCode)
    .replace(LONE_SURROGATE, "\ufffd");
}

/** A number and its unit on one line, as the page writes them: `1.37 GiB/s`, `310 us` and `8.2 %` of sentences. */
export const unbroken = (text: string): string =>
  text
    .replace(/(\d) (?=(?:%|[mnµ]?s|min|h|us|(?:[KMGTPE]i)?B(?:\/s)?)(?![\p{L}\d]))/gu, "$1\u202f")
    .replace(/(\d\u202f)us(?!\p{L})/gu, "$1µs");

/** As `visible`, but line breaks and tabs stay: for multi-line text. */
export function visibleLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.split("\t").map(visible).join("\t"))
    .join("\n");
}

/** The end of a path says most: `…/run_17/plotfile_000.h5`, at most `most` characters. */
export function shortPath(path: string, most = 48): string {
  const text = visible(path);
  if (text.length <= most) return text;
  const tail = text.slice(-(most - 1));
  const slash = tail.indexOf("/");
  return `…${slash >= 0 && slash < tail.length - 12 ? tail.slice(slash) : tail}`;
}
