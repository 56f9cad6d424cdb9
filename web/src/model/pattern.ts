/**
 * How the requests of a file or a rank follow each other, as a word.
 *
 * From single calls (`file_pattern`, `file_rank_pattern`) exactly, else from counters
 * (`access_pattern`, `stride`, `rank_pattern`), which have bounds only.
 */

import { formatBytes } from "../base/format";
import { text } from "../base/text";
import { BOTTOM_UP } from "../base/generated/layers";
import type { Confidence, Report } from "../data/report";
import type { MetricRow } from "./metric";
import { metricRowsOf, numberOf, numberOr, textOf } from "./metric";
import { writeRanges } from "./ranges";

export type PatternWord = "sequential" | "gaps" | "strided" | "random" | "repeated" | "appended" | "mixed" | "single";

/** Requests of one direction, each judged by the one before it of the same rank and file. */
export interface Requests {
  readonly op: "read" | "write";
  readonly calls: number;
  /** First requests of each rank and file: they follow none. */
  readonly first: number;
  /** Right at the end of the one before. */
  readonly consecutive: number;
  /** After it, with a gap. */
  readonly forward: number;
  readonly backward: number;
  /** The same bytes as the one before; among `backward`. */
  readonly repeated: number;
  /** At a fixed distance; among `forward` and `backward`. */
  readonly strided: number;
  /** From start to start, of counters (`is_exact` is false) from end to start; null: no request is strided. */
  readonly stride_bytes: number | null;
  readonly is_exact: boolean;
  /** Share of the bytes that were moved before; null: not known. */
  readonly again: number | null;
  /** First offset, where it follows from the counters; null: not known. */
  readonly from_bytes: number | null;
}

export interface Pattern {
  readonly op: "read" | "write";
  readonly word: PatternWord;
  /** Share of the requests that follow another one and do what the word says. */
  readonly share: number;
  readonly calls: number;
  readonly confidence: Confidence;
  /** With shares, for a sentence. */
  readonly words: string;
  /** The word alone, for a cell of a table. */
  readonly short: string;
}

/** A word is given for most of the requests; below this share none says it. */
const MOST = 0.75;
const NEARLY_ALL = 0.95;
/** Fewer requests than this are too few to be sure. */
const ENOUGH = 16;
/** Bytes that are moved again are worth a word from here. */
const AGAIN = 0.25;

export function patternOf(of: Requests): Pattern {
  const judged = Math.max(0, of.calls - of.first);
  const share = (calls: number): number => (judged === 0 ? 0 : Math.min(1, calls / judged));
  const [word, sure] = judged === 0 ? (["single", 1] as const) : wordOf(of, share);
  const isAgain = of.again !== null && of.again >= AGAIN && word !== "repeated";
  const short = text.patterns.short(word, of.op, word === "strided" ? strideOf(of) : "");
  return {
    op: of.op,
    word,
    share: sure,
    calls: of.calls,
    // Of a hundred thousand files, one is described.
    get confidence() {
      return confidenceOf(of, word, judged, sure);
    },
    get words() {
      return (
        described(of, word, sure, share) + (isAgain ? `, ${text.patterns.again(of.op, percent(of.again ?? 0))}` : "")
      );
    },
    short: isAgain ? `${short}, ${text.patterns.short("repeated", of.op, "")}` : short,
  };
}

function wordOf(of: Requests, share: (calls: number) => number): readonly [PatternWord, number] {
  if (share(of.repeated) >= MOST) return ["repeated", share(of.repeated)];
  if (share(of.consecutive) >= MOST)
    return [of.op === "write" && (of.from_bytes ?? 0) > 0 ? "appended" : "sequential", share(of.consecutive)];
  if (share(of.strided) >= MOST) return ["strided", share(of.strided)];
  if (share(of.consecutive + of.forward) >= MOST) return ["gaps", share(of.consecutive + of.forward)];
  const random = of.backward - of.repeated;
  if (share(random) + share(of.forward) >= MOST && random > 0 && share(random) >= 0.25)
    return ["random", share(random) + share(of.forward)];
  return ["mixed", Math.max(share(of.consecutive), share(of.strided), share(of.backward))];
}

function confidenceOf(of: Requests, word: PatternWord, judged: number, share: number): Confidence {
  if (word === "single" || judged < ENOUGH / 4) return "low";
  if (!of.is_exact || word === "appended" || word === "mixed") return judged >= ENOUGH ? "medium" : "low";
  return share >= NEARLY_ALL && judged >= ENOUGH ? "high" : "medium";
}

function described(of: Requests, word: PatternWord, sure: number, share: (calls: number) => number): string {
  const part = percent(sure);
  if (word === "strided") return text.patterns.strided(strideOf(of), part);
  if (word === "appended") return text.patterns.appended(formatBytes(of.from_bytes), part);
  if (word === "repeated") return text.patterns.repeated(of.op, part);
  if (word === "single") return text.patterns.single(of.calls);
  if (word !== "mixed") return text.patterns.plain[word](part);
  const parts = [
    ["sequential", share(of.consecutive)],
    ["strided", share(of.strided)],
    ["backwards", share(of.backward)],
  ] as const;
  return text.patterns.mixed(
    parts
      .filter(([, of]) => of >= 0.05)
      .map(([name, of]) => `${percent(of)} ${name}`)
      .join(", "),
  );
}

/** Calls have the distance from start to start; counters that from the end to the next start. */
function strideOf({ stride_bytes, is_exact }: Requests): string {
  const bytes = formatBytes(Math.abs(stride_bytes ?? 0));
  return is_exact ? text.patterns.every(bytes) : text.patterns.gapsOf(bytes);
}

/** Whole percent; 100 % are all. */
const percent = (share: number): string => `${share >= 1 ? 100 : Math.min(99, Math.round(share * 100))}\u202f%`;

const opOf = (row: MetricRow): "read" | "write" | null =>
  row("op") === "read" ? "read" : row("op") === "write" ? "write" : null;
const depth = (layer: string): number => (BOTTOM_UP.indexOf(layer) + BOTTOM_UP.length + 1) % (BOTTOM_UP.length + 1);

/** Rows by a key; of several layers the lowest: above it are the same bytes again. */
function lowestBy(rows: readonly MetricRow[], keyOf: (row: MetricRow) => string): Map<string, MetricRow[]> {
  const found = new Map<string, { layer: string; rows: MetricRow[] }>();
  for (const row of rows) {
    const [key, layer] = [keyOf(row), textOf(row("layer"))];
    const before = found.get(key);
    if (before === undefined || depth(layer) < depth(before.layer)) found.set(key, { layer, rows: [row] });
    else if (before.layer === layer) before.rows.push(row);
  }
  return new Map([...found].map(([key, { rows }]) => [key, rows]));
}

interface Again {
  readonly share: number | null;
  readonly from_bytes: number | null;
}

/** Bytes that were moved before, by file: exactly, or at least. */
function againOf(
  rereads: readonly MetricRow[],
  redundant: readonly MetricRow[],
  id: (row: MetricRow) => string,
): Map<string, Again> {
  const found = new Map<string, Again>();
  for (const row of rereads) {
    const [again, bytes, extent] = [
      numberOf(row("again_low_bytes")),
      numberOf(row("bytes")),
      numberOf(row("extent_bytes")),
    ];
    found.set(id(row), {
      share: again === null || !bytes ? null : again / bytes,
      from_bytes: bytes === null || extent === null ? null : Math.max(0, extent - bytes),
    });
  }
  for (const [file, [row]] of lowestBy(redundant, id)) {
    const [again, bytes] = [numberOf(row?.("redundant_bytes") ?? null), numberOf(row?.("bytes") ?? null)];
    if (again !== null && bytes)
      found.set(file, { share: again / bytes, from_bytes: found.get(file)?.from_bytes ?? null });
  }
  return found;
}

/** Of each report: a hundred thousand files take half a second, and several parts of a view ask. */
const KNOWN = new WeakMap<Report, ReadonlyMap<string, readonly Pattern[]>>();

/** Patterns of each file by its `file_id`, reads before writes. */
export function filePatterns(report: Report): ReadonlyMap<string, readonly Pattern[]> {
  const known = KNOWN.get(report) ?? patternsOf(report);
  KNOWN.set(report, known);
  return known;
}

function byOp(rows: readonly MetricRow[]): {
  readonly read: readonly MetricRow[];
  readonly write: readonly MetricRow[];
} {
  const found: { read: MetricRow[]; write: MetricRow[] } = { read: [], write: [] };
  for (const row of rows) {
    const op = opOf(row);
    if (op !== null) found[op].push(row);
  }
  return found;
}

function patternsOf(report: Report): ReadonlyMap<string, readonly Pattern[]> {
  const id = (row: MetricRow): string => textOf(row("file_id"));
  const tables = new Map(
    ["reread", "redundancy", "file_pattern", "access_pattern"].map((name) => [
      name,
      byOp(metricRowsOf(report.metrics[name] ?? null)),
    ]),
  );
  const of = (table: string, op: "read" | "write"): readonly MetricRow[] => tables.get(table)?.[op] ?? [];
  const strides = new Map(metricRowsOf(report.metrics.stride ?? null).map((row) => [id(row), row]));
  const found = new Map<string, Pattern[]>();
  for (const op of ["read", "write"] as const) {
    const again = againOf(of("reread", op), of("redundancy", op), id);
    const exact = lowestBy(of("file_pattern", op), id);
    const counted = new Map(of("access_pattern", op).map((row) => [id(row), row]));
    const add = (file: string, requests: Counted | null): void => {
      if (requests === null) return;
      const more = again.get(file);
      const pattern = patternOf({
        ...requests,
        again: more?.share ?? null,
        from_bytes: requests.first === 1 ? (more?.from_bytes ?? null) : null,
      });
      const before = found.get(file);
      if (before) before.push(pattern);
      else found.set(file, [pattern]);
    };
    for (const [file, [row]] of exact) if (row !== undefined) add(file, ofFilePattern(row));
    for (const [file, row] of counted) if (!exact.has(file)) add(file, ofCounters(row, strides.get(file)));
  }
  return found;
}

type Counted = Omit<Requests, "again" | "from_bytes">;

function ofFilePattern(row: MetricRow): Counted | null {
  const op = opOf(row);
  if (op === null) return null;
  const calls = numberOr(row("calls"), 0);
  const part = (name: string): number => Math.round(numberOr(row(name), 0) * calls);
  const consecutive = part("consecutive_ratio");
  return {
    op,
    calls,
    first: numberOr(row("ranks"), 1),
    consecutive,
    forward: part("sequential_ratio") - consecutive,
    backward: part("random_ratio"),
    repeated: part("repeated_ratio"),
    strided: part("strided_ratio"),
    stride_bytes: numberOf(row("stride_bytes")),
    is_exact: true,
  };
}

/** Counters have the requests that go back as a range; strides are of both directions together. */
function ofCounters(row: MetricRow | undefined, stride: MetricRow | undefined): Counted | null {
  const op = row && opOf(row);
  if (!row || !op) return null;
  const [calls, sequential, consecutive] = [
    numberOr(row("calls"), 0),
    numberOr(row("sequential_calls"), 0),
    numberOr(row("consecutive_calls"), 0),
  ];
  const [low, high] = [numberOr(row("random_low_calls"), 0), numberOr(row("random_high_calls"), 0)];
  // Of both directions together: at least so many of this one, if all others are of the other.
  const others = stride ? numberOr(stride("transfers"), 0) - numberOr(stride("strided_calls"), 0) : calls;
  const strided = Math.max(0, calls - others);
  return {
    op,
    calls,
    first: Math.max(1, high - low),
    consecutive,
    forward: sequential - consecutive,
    backward: low,
    repeated: 0,
    strided,
    stride_bytes: numberOf(stride?.("stride_bytes") ?? null),
    is_exact: false,
  };
}

/** Ranks that do alike. */
export interface RankPattern {
  readonly ranks: readonly number[];
  readonly name: string;
  readonly read: Pattern | null;
  readonly write: Pattern | null;
}

/** Patterns of ranks over all their files; ranks of the same words are one row, most ranks first. */
export function rankPatterns(report: Report, log: number | null): RankPattern[] {
  const exact = metricRowsOf(report.metrics.file_rank_pattern ?? null, log);
  const table =
    exact.length > 0
      ? exact
      : metricRowsOf(report.metrics.rank_pattern ?? null, log).filter((row) => numberOr(row("rank"), -1) >= 0);
  const ofFile = lowestBy(table, (row) => `${textOf(row("file_id"))} ${textOf(row("rank"))} ${textOf(row("op"))}`);
  const sums = new Map<number, Map<"read" | "write", Requests & { stride_calls: number }>>();
  for (const [row] of ofFile.values()) {
    const op = row && opOf(row);
    if (!row || !op) continue;
    const rank = numberOr(row("rank"), -1);
    const ofRank = sums.get(rank) ?? new Map();
    sums.set(rank, ofRank);
    const of =
      exact.length > 0
        ? ofRankRow(row, op)
        : { ...(ofCounters(row, undefined) ?? NONE), op, stride_calls: 0, again: null, from_bytes: null };
    const sum = ofRank.get(op);
    ofRank.set(op, sum === undefined ? of : added(sum, of));
  }
  const groups = new Map<string, { ranks: number[]; read: Pattern | null; write: Pattern | null }>();
  for (const [rank, ofRank] of [...sums].sort(([a], [b]) => a - b)) {
    const [reads, writes] = [ofRank.get("read"), ofRank.get("write")];
    const [read, write] = [reads ? patternOf(reads) : null, writes ? patternOf(writes) : null];
    // Shares differ a little from rank to rank: the word and the stride make a group.
    const key = JSON.stringify([read?.word, reads?.stride_bytes, write?.word, writes?.stride_bytes]);
    const group = groups.get(key);
    if (group) group.ranks.push(rank);
    else groups.set(key, { ranks: [rank], read, write });
  }
  return [...groups.values()]
    .sort((a, b) => b.ranks.length - a.ranks.length)
    .map((group) => ({ ...group, name: writeRanges(group.ranks) }));
}

const NONE: Counted = {
  op: "read",
  calls: 0,
  first: 0,
  consecutive: 0,
  forward: 0,
  backward: 0,
  repeated: 0,
  strided: 0,
  stride_bytes: null,
  is_exact: false,
};

function ofRankRow(row: MetricRow, op: "read" | "write"): Requests & { stride_calls: number } {
  const number = (name: string): number => numberOr(row(name), 0);
  return {
    op,
    calls: number("calls"),
    first: 1,
    consecutive: number("consecutive_calls"),
    forward: number("forward_calls"),
    backward: number("backward_calls"),
    repeated: number("repeated_calls"),
    strided: number("strided_calls"),
    stride_bytes: numberOf(row("stride_bytes")),
    stride_calls: number("stride_calls"),
    is_exact: true,
    again: null,
    from_bytes: null,
  };
}

function added(
  a: Requests & { stride_calls: number },
  b: Requests & { stride_calls: number },
): Requests & { stride_calls: number } {
  const larger = b.stride_calls > a.stride_calls ? b : a;
  return {
    ...a,
    calls: a.calls + b.calls,
    first: a.first + b.first,
    consecutive: a.consecutive + b.consecutive,
    forward: a.forward + b.forward,
    backward: a.backward + b.backward,
    repeated: a.repeated + b.repeated,
    strided: a.strided + b.strided,
    stride_bytes: larger.stride_bytes,
    stride_calls: larger.stride_calls,
  };
}

/** `read: sequential; write: strided …`, for a cell of a table. */
export const patternCell = (patterns: readonly Pattern[] | undefined): string | null =>
  patterns === undefined || patterns.length === 0
    ? null
    : patterns.map(({ op, short }) => `${op}: ${short}`).join("; ");
