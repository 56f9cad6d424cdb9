/** The part of the run that a selection is about, from its first to its last call: it fills the picture. */

import type { Activity } from "../data/interface";
import { seconds } from "../base/units";
import type { TimeWindow } from "./time_axis";
import { lengthOf } from "./time_axis";

/** Cells over the whole run: what lasts a thousandth of it is found. */
export const FRAME_CELLS = 2000;

/** A part that is nearly the whole run is no close-up. */
const WHOLE_SHARE = 0.95;

export const isNearlyAll = (part: TimeWindow, whole: TimeWindow): boolean =>
  lengthOf(part) >= WHOLE_SHARE * lengthOf(whole);

/** From the first to the last moment with activity in a window, exact to a cell; null: there is none. */
export function activeSpan({ busy_tracks, cells }: Activity, window: TimeWindow): TimeWindow | null {
  let [first, last] = [cells, -1];
  for (let start = 0; start < busy_tracks.length; start += cells) {
    for (let cell = 0; cell < cells; cell += 1) {
      if ((busy_tracks[start + cell] ?? 0) <= 0) continue;
      first = Math.min(first, cell);
      last = Math.max(last, cell);
    }
  }
  if (last < first) return null;
  const cell_s = lengthOf(window) / cells;
  return { start: seconds(window.start + first * cell_s), end: seconds(window.start + (last + 1) * cell_s) };
}
