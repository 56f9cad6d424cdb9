/** The part of the run that a selection is about, so that it fills the picture. */

import type { Activity } from "../data/interface";
import { seconds } from "../base/units";
import type { TimeWindow } from "./time_axis";
import { lengthOf, withMargin } from "./time_axis";

/** Cells over the whole run: what lasts a thousandth of it is found. */
export const FRAME_CELLS = 2000;

/** A part that is nearly the whole run is no close-up. */
const MAX_SHARE = 0.8;

/** From the first to the last moment with activity; null: there is none, or it is nearly everywhere. */
export function framed({ busy_tracks, cells }: Activity, whole: TimeWindow): TimeWindow | null {
  let [first, last] = [cells, -1];
  for (let start = 0; start < busy_tracks.length; start += cells) {
    for (let cell = 0; cell < cells; cell += 1) {
      if ((busy_tracks[start + cell] ?? 0) <= 0) continue;
      first = Math.min(first, cell);
      last = Math.max(last, cell);
    }
  }
  if (last < first || last + 1 - first > cells * MAX_SHARE) return null;
  const cell_s = lengthOf(whole) / cells;
  const part = { start: seconds(whole.start + first * cell_s), end: seconds(whole.start + (last + 1) * cell_s) };
  return withMargin(part, whole, 0.15);
}
