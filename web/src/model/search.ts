/** One search for what people remember: a time, a phase, ranks, a node, a part of a path. */

import type { Seconds, Track } from "../base/units";
import { fileIndex, seconds, track } from "../base/units";
import type { FileIndex } from "../base/units";
import type { Description } from "../data/interface";
import { readRanges, writeRanges } from "./ranges";
import type { TimeWindow } from "./time_axis";

export type Hit =
  | { readonly kind: "time"; readonly label: string; readonly at: Seconds }
  | { readonly kind: "phase"; readonly label: string; readonly time: TimeWindow }
  | { readonly kind: "rank"; readonly label: string; readonly track: Track }
  | { readonly kind: "ranks"; readonly label: string; readonly ranks: readonly number[] }
  | { readonly kind: "node"; readonly label: string; readonly ranks: readonly number[] }
  | { readonly kind: "file"; readonly label: string; readonly file: FileIndex };

/** A phase as far as the search needs it. */
export interface NamedPhase {
  readonly phase: number;
  readonly start: Seconds;
  readonly end: Seconds;
}

const UNITS_S: Readonly<Record<string, number>> = { ns: 1e-9, us: 1e-6, "µs": 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600 };

/** `12.3 s`, `340ms`, `1:02.5`; null: the words are no time. */
export function timeOf(words: string): Seconds | null {
  const clock = /^(?:(\d+):)?(\d{1,2}):(\d{1,2}(?:\.\d+)?)$/.exec(words);
  if (clock) return seconds(Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]));
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*(ns|us|µs|ms|s|min|h)$/.exec(words) ?? [];
  return number === undefined || unit === undefined ? null : seconds(Number(number) * (UNITS_S[unit] ?? 1));
}

/** At most `most` of each kind; whole matches first. */
export function searchHits(description: Description, words: string, phases: readonly NamedPhase[] = [], most = 8): Hit[] {
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
      if (rank === ranks[0] && hits.length < most) hits.push({ kind: "rank", label: `rank ${rank}`, track: track(index) });
    });
  } else if (ranks !== null) {
    const wantedRanks = new Set(ranks);
    const there = [...new Set(description.tracks.rank)].filter((rank) => wantedRanks.has(rank));
    if (there.length > 0) hits.push({ kind: "ranks", label: writeRanges(there), ranks: there });
  }
  const hosts = description.hosts.flatMap((host, index) => (host.toLowerCase().includes(wanted) ? [{ host, index }] : [])).slice(0, most);
  for (const { host, index } of hosts) {
    const ofHost = [...description.tracks.rank].filter((_, at) => description.tracks.host[at] === index);
    hits.push({ kind: "node", label: host, ranks: ofHost });
  }
  let files = 0;
  for (let index = 0; index < description.files.length && files < most; index += 1) {
    const path = description.files[index]?.path ?? null;
    if (path === null || !path.toLowerCase().includes(wanted)) continue;
    hits.push({ kind: "file", label: path, file: fileIndex(index) });
    files += 1;
  }
  return hits;
}
