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
  readonly groups: readonly TrackGroup[];
}

/**
 * `only`: tracks that are shown; null: all. Groups stand in the order of their
 * names' indices, and `by` orders the tracks inside each. The id says what the order was
 * made of, so that the other side can keep it.
 */
export function arrangeTracks(
  description: Description,
  by: SortTracksBy,
  measures: TrackMeasures | null,
  only: readonly Track[] | null,
  grouping: Grouping | null = null,
): ArrangedTracks {
  const { log, rank } = description.tracks;
  const tracks = only === null ? Array.from(rank, (_, at) => at) : [...only];
  const column = measures && { time: measures.time_s, bytes: measures.bytes, first: measures.first_s, rank: null }[by];
  const sign = by === "first" ? 1 : -1; // most time and most bytes on top, earliest on top
  tracks.sort((a, b) => {
    const groups = grouping === null ? 0 : (grouping.of[a] ?? 0) - (grouping.of[b] ?? 0);
    if (groups !== 0) return groups;
    if (column) {
      const [left, right] = [column[a] ?? Number.NaN, column[b] ?? Number.NaN];
      if (Number.isNaN(left) !== Number.isNaN(right)) return Number.isNaN(left) ? 1 : -1;
      if (left !== right) return sign * (left - right);
    }
    return (log[a] ?? 0) - (log[b] ?? 0) || (rank[a] ?? 0) - (rank[b] ?? 0);
  });
  const id = `${by}:${grouping?.id ?? ""}:${only === null ? "all" : tracks.join(".")}`;
  const groups: TrackGroup[] = [];
  if (grouping !== null) {
    for (let at = 0; at < tracks.length;) {
      const first = at;
      const group = grouping.of[tracks[at] ?? 0] ?? 0;
      while (at < tracks.length && grouping.of[tracks[at] ?? 0] === group) at += 1;
      groups.push({ name: grouping.names[group] ?? "", first, count: at - first });
    }
  }
  return { id, tracks: Int32Array.from(tracks), groups };
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
