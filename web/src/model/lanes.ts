/** Close-up: which calls lie over each other, and who draws where. */

import type { CallColumns } from "../data/interface";

/** Lane of each call, and how many lanes its track needs. */
export interface Lanes {
  readonly lane: Uint16Array;
  readonly lanesOfTrack: ReadonlyMap<number, number>;
}

/**
 * Calls of one track that overlap (threads, nonblocking calls) go into
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
  const lanesOfTrack = new Map<number, number>();
  let track = -1;
  let free_s: number[] = []; // when each lane of the track is free again
  for (const call of order) {
    if (calls.track[call] !== track) {
      track = calls.track[call] ?? 0;
      free_s = [];
    }
    const start = calls.start_s[call] ?? 0;
    let at = free_s.findIndex((free) => free <= start);
    if (at < 0) at = free_s.length;
    free_s[at] = calls.end_s[call] ?? 0;
    lane[call] = at;
    lanesOfTrack.set(track, Math.max(lanesOfTrack.get(track) ?? 0, free_s.length));
  }
  return { lane, lanesOfTrack };
}
