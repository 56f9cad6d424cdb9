/** Close-up: which calls lie over each other, and who draws where. */

import type { CallColumns } from "../data/interface";

/** A thread with the lanes of its track that are its own. */
export interface ThreadLanes {
  /** Id; null: not recorded. */
  readonly thread: number | null;
  readonly first: number;
  readonly count: number;
}

/** Lane of each call, and how many lanes its track needs. */
export interface Lanes {
  readonly lane: Uint16Array;
  readonly lanesOfTrack: ReadonlyMap<number, number>;
  /** Of tracks with several threads: the earliest one on top. */
  readonly threadsOfTrack: ReadonlyMap<number, readonly ThreadLanes[]>;
}

/**
 * Each thread has a lane of its own. Calls of one thread, or of a track without threads, that overlap go into
 * different lanes: drawn over each other, one would hide the other.
 */
export function lanesOf(calls: CallColumns): Lanes {
  const order = Uint32Array.from({ length: calls.count }, (_, at) => at).sort(
    (a, b) =>
      (calls.track[a] ?? 0) - (calls.track[b] ?? 0) ||
      (calls.start_s[a] ?? 0) - (calls.start_s[b] ?? 0) ||
      (calls.end_s[b] ?? 0) - (calls.end_s[a] ?? 0),
  );
  const lane = new Uint16Array(calls.count);
  /** When each lane of each thread of a track is free again. */
  const free_s = new Map<number, Map<number | null, number[]>>();
  const threadOf = (call: number): number | null => {
    const thread = calls.thread[call] ?? Number.NaN;
    return Number.isNaN(thread) ? null : thread;
  };
  for (const call of order) {
    const track = calls.track[call] ?? 0;
    const threads = free_s.get(track) ?? new Map<number | null, number[]>();
    free_s.set(track, threads);
    const free = threads.get(threadOf(call)) ?? [];
    threads.set(threadOf(call), free);
    const start = calls.start_s[call] ?? 0;
    let at = free.findIndex((until) => until <= start);
    if (at < 0) at = free.length;
    free[at] = calls.end_s[call] ?? 0;
    lane[call] = at;
  }
  const lanesOfTrack = new Map<number, number>();
  const threadsOfTrack = new Map<number, readonly ThreadLanes[]>();
  const firsts = new Map<number, Map<number | null, number>>();
  for (const [track, threads] of free_s) {
    let first = 0;
    const list = [...threads].map(([thread, { length: count }]) => {
      first += count;
      return { thread, first: first - count, count };
    });
    lanesOfTrack.set(track, first);
    firsts.set(track, new Map(list.map((one) => [one.thread, one.first])));
    if (list.length > 1) threadsOfTrack.set(track, list);
  }
  for (const call of order)
    lane[call] = (lane[call] ?? 0) + (firsts.get(calls.track[call] ?? 0)?.get(threadOf(call)) ?? 0);
  return { lane, lanesOfTrack, threadsOfTrack };
}
