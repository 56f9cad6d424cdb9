/** Lines of the program that a finding names, as a person reads them. */

import { formatRatio } from "../base/format";
import { text } from "../base/text";
import type { Finding, LatePart, SourceCost } from "../data/report";

/** Of `function (file:line), calls name`: its parts; null: written otherwise. */
function partsOf(
  source: string,
): { readonly name: string; readonly path: string; readonly line: string; readonly calls: string } | null {
  const found = /^(.*) \((.+):(\d+)\)(, calls .+)?$/.exec(source);
  return found ? { name: found[1] ?? "", path: found[2] ?? "", line: found[3] ?? "", calls: found[4] ?? "" } : null;
}

/** Without the folders of its file. */
export const shortSource = (source: string): string =>
  partsOf(source) ? `${placeOf(source)}${partsOf(source)?.calls ?? ""}` : source;

/** The longest that stands in a row: of a longer name the end says most. */
const LONGEST = 64;
const fromLeft = (words: string): string => (words.length > LONGEST ? `…${words.slice(1 - LONGEST)}` : words);

/** The line without what it calls: `save (a.c:30)`. */
export function placeOf(source: string): string {
  const parts = partsOf(source);
  return fromLeft(parts ? `${parts.name} (${parts.path.replace(/^.*\//, "")}:${parts.line})` : source);
}

/** What the line calls: `fsync`; empty: not recorded. */
export const calledBy = (source: string): string => fromLeft(partsOf(source)?.calls.replace(/^, calls /, "") ?? "");

/** The whole name and path, for the pointer. */
export const wholeSource = ({ source, symbol }: SourceCost): string =>
  symbol === null ? source : `${symbol}: ${source}`;

/** The frame that its calls have in their stacks: `file:line function`; null: the line is not known. */
export function frameOf({ source, symbol }: SourceCost): string | null {
  const parts = partsOf(source);
  return parts ? `${parts.path}:${parts.line} ${symbol ?? parts.name}` : null;
}

/** `called from main (a.c:30) 80 %, step (b.c:5) 20 %`; empty: from the main program alone. */
export function callersText({ callers }: SourceCost): string {
  if (callers.length === 0) return "";
  const named = callers.map(({ source, share }) =>
    callers.length === 1 ? shortSource(source) : `${shortSource(source)} ${formatRatio(share)}`,
  );
  return `${text.diagnosis.calledFrom} ${named.join(", ")}`;
}

/** Where a late rank spends its time: `between two calls at main (a.c:91)`. */
export function latePlace({ kind, source, until }: LatePart): string {
  const { between, twoCalls, code, call } = text.diagnosis.late;
  const line = placeOf(source);
  if (kind === "code") return code(line);
  if (kind === "call" || until === null) return call(shortSource(source));
  return placeOf(until) === line ? twoCalls(line) : between(line, placeOf(until));
}

/** All lines of a finding together; null: one line is its own sum. */
export function linesSum({ lines, other_lines }: Finding): Pick<SourceCost, "calls" | "time_s"> | null {
  const all = [...lines, ...(other_lines === null ? [] : [other_lines])];
  if (all.length < 2) return null;
  return {
    calls: all.reduce((sum, line) => sum + line.calls, 0),
    time_s: all.reduce((sum, line) => sum + line.time_s, 0),
  };
}

/** The lines of a finding, with what they cost where that is known. */
export function sourceLines({ source, lines }: Finding): readonly (SourceCost & { readonly isCosted: boolean })[] {
  if (lines.length > 0) return lines.map((line) => ({ ...line, isCosted: true }));
  return source.map((one) => ({
    source: one,
    symbol: null,
    layer: "",
    calls: 0,
    time_s: 0,
    callers: [],
    isCosted: false,
  }));
}
