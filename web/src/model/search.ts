/**
 * One search for what people remember: a time, a phase, ranks, a node, a function, an error, a duration, parts of a
 * path.
 */

import type { Seconds, Track } from "../base/units";
import { fileIndex, seconds, track } from "../base/units";
import type { FileIndex } from "../base/units";
import type { CallFilter, Description } from "../data/interface";
import { readRanges, writeRanges } from "./ranges";
import type { Selection } from "./route";
import { sizesOf } from "./size_class";
import type { TimeWindow } from "./time_axis";

export type Hit =
  | { readonly kind: "time"; readonly label: string; readonly at: Seconds }
  | { readonly kind: "phase"; readonly label: string; readonly time: TimeWindow }
  | { readonly kind: "rank"; readonly label: string; readonly track: Track }
  | { readonly kind: "ranks"; readonly label: string; readonly ranks: readonly number[] }
  | { readonly kind: "node"; readonly label: string; readonly ranks: readonly number[] }
  | { readonly kind: "file"; readonly label: string; readonly file: FileIndex }
  | { readonly kind: "files"; readonly label: string; readonly files: readonly FileIndex[] }
  | CallsHit;

/** Calls of a function, with an error, longer than a duration, or of a size. */
export interface CallsHit {
  readonly kind: "function" | "error" | "duration" | "size";
  readonly label: string;
  readonly part: CallsPart;
}

/** The part of a selection that chooses calls by what they are, not by where. */
export type CallsPart = Pick<Selection, "functions" | "errors" | "longer" | "sizes" | "frame">;

export const isCallsHit = (hit: Hit): hit is CallsHit => "part" in hit;

/** All calls of a hit, in the whole run. */
export const filterOfHit = ({ part }: CallsHit): CallFilter => ({
  log: null,
  start_s: null,
  end_s: null,
  tracks: null,
  files: null,
  kinds: null,
  layers: null,
  targets: null,
  functions: part.functions,
  errors: part.errors,
  longer_s: part.longer,
  least_bytes: part.sizes?.low_bytes ?? null,
  below_bytes: part.sizes?.end_bytes ?? null,
  frame: part.frame,
});

const CALLS_PARTS = ["functions", "errors", "longer", "sizes", "frame"] as const;

/** Whether calls are selected by what they are: then they can be stepped through. */
export const hasCallsPart = (part: CallsPart): boolean => CALLS_PARTS.some((name) => part[name] !== null);

/** A phase as far as the search needs it. */
export interface NamedPhase {
  readonly phase: number;
  readonly start: Seconds;
  readonly end: Seconds;
}

const UNITS_S: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600 };

/** `12.3 s`, `340ms`, `1:02.5`; null: the words are no time. */
export function timeOf(words: string): Seconds | null {
  const clock = /^(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:\.\d+)?)$/.exec(words);
  if (clock) return seconds(Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]));
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*(ns|us|µs|ms|s|min|h)$/.exec(words) ?? [];
  return number === undefined || unit === undefined ? null : seconds(Number(number) * (UNITS_S[unit] ?? 1));
}

const NO_PART: CallsPart = { functions: null, errors: null, longer: null, sizes: null, frame: null };

/** `errno:ENOSPC`, `errno:` (any), `ENOSPC`; `>100ms`; `>1MiB`; `fsync`. */
function callsHits(description: Description, wanted: string, most: number): Hit[] {
  const hits: Hit[] = [];
  const duration = /^(?:>=?|longer(?: than)?)\s*(.+)$/.exec(wanted)?.[1];
  const longer = duration === undefined ? null : timeOf(duration);
  if (longer !== null && longer > 0)
    hits.push({ kind: "duration", label: `> ${duration}`, part: { ...NO_PART, longer } });
  const sizes = sizesOf(wanted);
  if (sizes !== null) hits.push({ kind: "size", label: wanted, part: { ...NO_PART, sizes } });
  const error = /^(?:errno|error)\s*[:=]\s*(\w*)$/.exec(wanted)?.[1];
  const { errors } = description;
  const ofErrors = errors.filter((name) =>
    error === undefined ? name.toLowerCase() === wanted : name.toLowerCase().includes(error),
  );
  if (error === "" && errors.length > 1)
    hits.push({ kind: "error", label: errors.join(", "), part: { ...NO_PART, errors } });
  for (const name of ofErrors.slice(0, most))
    hits.push({ kind: "error", label: name, part: { ...NO_PART, errors: [name] } });
  const names = [...new Set([...description.functions, ...description.ops])].filter((name) =>
    name.toLowerCase().includes(wanted),
  );
  // The whole name first, then the shortest.
  names.sort(
    (a, b) =>
      Number(b.toLowerCase() === wanted) - Number(a.toLowerCase() === wanted) ||
      a.length - b.length ||
      (a < b ? -1 : 1),
  );
  if (wanted.length > 1)
    for (const name of names.slice(0, most))
      hits.push({ kind: "function", label: name, part: { ...NO_PART, functions: [name] } });
  return hits;
}

/** At most `most` of each kind; whole matches first. A path is found by all its pieces: `run_17 h5`. */
export function searchHits(
  description: Description,
  words: string,
  phases: readonly NamedPhase[] = [],
  most = 8,
): Hit[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === "") return [];
  const hits: Hit[] = [];
  const at = timeOf(wanted);
  if (at !== null) hits.push({ kind: "time", label: wanted, at: seconds(at + description.window.start_s) });
  const phase = /^phase\s*(\d+)$/.exec(wanted)?.[1];
  for (const one of phases.filter((one) => one.phase === Number(phase))) {
    hits.push({ kind: "phase", label: `phase ${one.phase}`, time: { start: one.start, end: one.end } });
  }
  const list = /^(?:ranks?\s*)?(\d+(?:\s*[-,]\s*\d+)*)$/.exec(wanted)?.[1]?.replaceAll(/\s/g, "");
  const ranks = list === undefined ? null : readRanges(list);
  if (ranks?.length === 1) {
    description.tracks.rank.forEach((rank, index) => {
      if (rank === ranks[0] && hits.length < most)
        hits.push({ kind: "rank", label: `rank ${rank}`, track: track(index) });
    });
  } else if (ranks !== null) {
    const wantedRanks = new Set(ranks);
    const there = [...new Set(description.tracks.rank)].filter((rank) => wantedRanks.has(rank));
    if (there.length > 0) hits.push({ kind: "ranks", label: writeRanges(there), ranks: there });
  }
  const hosts = description.hosts
    .flatMap((host, index) => (host.toLowerCase().includes(wanted) ? [{ host, index }] : []))
    .slice(0, most);
  for (const { host, index } of hosts) {
    const ofHost = [...description.tracks.rank].filter((_, at) => description.tracks.host[at] === index);
    hits.push({ kind: "node", label: host, ranks: ofHost });
  }
  hits.push(...callsHits(description, wanted, most));
  const pieces = wanted.split(/\s+/);
  const files = description.files.flatMap(({ path }, index) => {
    const lower = path?.toLowerCase();
    return lower !== undefined && pieces.every((piece) => lower.includes(piece)) ? fileIndex(index) : [];
  });
  if (files.length > 1) hits.push({ kind: "files", label: words.trim(), files });
  for (const file of files.slice(0, most))
    hits.push({ kind: "file", label: description.files[file]?.path ?? "", file });
  return hits;
}
