/** The order of ranks from top to bottom, and the groups they stand in. */

import type { Track } from "../base/units";
import type { Description, TrackOrder } from "../data/interface";

export type SortTracksBy = "rank" | "time" | "bytes" | "first";

/** Values by which tracks can be sorted, from the metric tables; NaN: not known. */
export interface TrackMeasures {
  readonly time_s: Float64Array;
  readonly bytes: Float64Array;
  readonly first_s: Float64Array;
}

export interface TrackGroup {
  readonly name: string;
  /** How many groups it is in; missing: none. */
  readonly depth?: number;
  /** Positions in the order: from `first`, `count` of them. */
  readonly first: number;
  readonly count: number;
}

/** Which group each track belongs to. */
export interface Grouping {
  /** Same id, same groups. */
  readonly id: string;
  readonly names: readonly string[];
  /** Index in `names` of each track of the description. */
  readonly of: Int32Array;
}

export interface ArrangedTracks extends TrackOrder {
  /** Each before the groups inside of it. */
  readonly groups: readonly TrackGroup[];
}

/** More neighbours than these are no list that can be read: they are put into blocks. */
const MANY = 40;
/** Ranks of one group need less room than groups. */
const MANY_RANKS = 128;
/** So many blocks at most. */
const BLOCKS = 32;

/** How many neighbours make a block: 2, 5, 10, 20, 50, ... */
const blockOf = (count: number): number => {
  for (let power = 1; ; power *= 10)
    for (const one of [2, 5, 10]) if (Math.ceil(count / (one * power)) <= BLOCKS) return one * power;
};

/** `node0 – node49` as `node0–49`. */
function spanName(from: string, to: string): string {
  const same = /^\D*/.exec(to)?.[0] ?? "";
  return same !== "" && same !== to && from.startsWith(same) ? `${from}–${to.slice(same.length)}` : `${from} – ${to}`;
}

/**
 * Groups of tracks that are in order, level by level; a level that divides nothing is left out.
 * `nameOf`: what a track is called in the name of a block.
 */
function groupsOf(
  tracks: readonly number[],
  levels: readonly Grouping[],
  nameOf: (position: number) => string,
): TrackGroup[] {
  const groups: TrackGroup[] = [];
  const add = (first: number, count: number, level: number, depth: number): void => {
    const grouping = levels[level];
    if (grouping === undefined) {
      if (count <= MANY_RANKS) return;
      const size = blockOf(count);
      for (let at = first; at < first + count; at += size) {
        const length = Math.min(size, first + count - at);
        groups.push({ name: `${nameOf(at)}–${nameOf(at + length - 1)}`, first: at, count: length, depth });
        add(at, length, level, depth + 1);
      }
      return;
    }
    const inside: { name: string; first: number; count: number }[] = [];
    for (let at = first; at < first + count;) {
      const from = at;
      const group = grouping.of[tracks[at] ?? 0] ?? 0;
      while (at < first + count && grouping.of[tracks[at] ?? 0] === group) at += 1;
      inside.push({ name: grouping.names[group] ?? "", first: from, count: at - from });
    }
    if (inside.length === 1 && level > 0) return add(first, count, level + 1, depth);
    const each = (list: typeof inside, at: number): void =>
      list.forEach((one) => {
        groups.push({ ...one, depth: at });
        add(one.first, one.count, level + 1, at + 1);
      });
    if (inside.length <= MANY) return each(inside, depth);
    const size = blockOf(inside.length);
    for (let at = 0; at < inside.length; at += size) {
      const block = inside.slice(at, at + size);
      const [from, to] = [block[0], block.at(-1)];
      if (!from || !to) continue;
      groups.push({
        name: spanName(from.name, to.name),
        first: from.first,
        count: to.first + to.count - from.first,
        depth,
      });
      each(block, depth + 1);
    }
  };
  if (tracks.length > 0) add(0, tracks.length, 0, 0);
  return groups;
}

/**
 * `only`: tracks that are shown; null: all. Groups stand in the order of their
 * names' indices, those of the next level inside of them, and `by` orders the tracks inside each. The id says
 * what the order was made of, so that the other side can keep it.
 *
 * `grouping`: null: none, with no level: blocks of neighbours. `rowName`: of a rank in the name of a block.
 */
export function arrangeTracks(
  description: Description,
  by: SortTracksBy,
  measures: TrackMeasures | null,
  only: readonly Track[] | null,
  grouping: readonly Grouping[] | null = null,
  rowName: (rank: number) => string = String,
): ArrangedTracks {
  const { log, rank } = description.tracks;
  const tracks = only === null ? Array.from(rank, (_, at) => at) : [...only];
  const column = measures && { time: measures.time_s, bytes: measures.bytes, first: measures.first_s, rank: null }[by];
  const sign = by === "first" ? 1 : -1; // most time and most bytes on top, earliest on top
  const levels = grouping ?? [];
  tracks.sort((a, b) => {
    for (const { of } of levels) {
      const groups = (of[a] ?? 0) - (of[b] ?? 0);
      if (groups !== 0) return groups;
    }
    if (column) {
      const [left, right] = [column[a] ?? Number.NaN, column[b] ?? Number.NaN];
      if (Number.isNaN(left) !== Number.isNaN(right)) return Number.isNaN(left) ? 1 : -1;
      if (left !== right) return sign * (left - right);
    }
    return (log[a] ?? 0) - (log[b] ?? 0) || (rank[a] ?? 0) - (rank[b] ?? 0);
  });
  const id = `${by}:${grouping?.map((one) => one.id).join("/") ?? ""}:${only === null ? "all" : tracks.join(".")}`;
  const nameOf = (position: number): string =>
    by === "rank" ? rowName(rank[tracks[position] ?? -1] ?? position) : String(position + 1);
  return {
    id,
    tracks: Int32Array.from(tracks),
    groups: grouping === null ? [] : groupsOf(tracks, levels, nameOf),
  };
}

/** Visible part of the order, in positions; may be fractions. */
export interface TrackRange {
  readonly from: number;
  readonly to: number;
}

/** `factor` below 1 zooms in; the position `around` keeps its place; never fewer than two tracks. */
export function zoomedTracks(range: TrackRange, around: number, factor: number, count: number): TrackRange {
  const length = Math.min(count, Math.max(Math.min(2, count), (range.to - range.from) * factor));
  const share = (around - range.from) / (range.to - range.from);
  const from = Math.min(Math.max(0, around - share * length), count - length);
  return { from, to: from + length };
}

export function pannedTracks(range: TrackRange, by: number, count: number): TrackRange {
  const length = range.to - range.from;
  const from = Math.min(Math.max(0, range.from + by), Math.max(0, count - length));
  return { from, to: from + length };
}

export function hostName(description: Description, at: Track): string | null {
  return description.hosts[description.tracks.host[at] ?? -1] ?? null;
}
