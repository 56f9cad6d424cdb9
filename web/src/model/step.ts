/** What the timeline shows when one call after another is visited. */

import { seconds } from "../base/units";
import type { TimeWindow } from "./time_axis";
import { keptInside, lengthOf } from "./time_axis";

/** A call narrower than this share of the picture is not seen. */
const NARROWEST = 0.01;
/** A call wider than this has no room around it. */
const WIDEST = 0.8;
/** A call takes this share of the picture after zooming to it. */
const SHARE = 0.1;
const SHORTEST_S = 1e-8;

/** Keeps the zoom where the call is seen well in it, so that steps compare. */
export function stepView(view: TimeWindow, call: TimeWindow, whole: TimeWindow): TimeWindow {
  const length = Math.max(SHORTEST_S, lengthOf(call));
  const middle = seconds((call.start + call.end) / 2);
  const share = length / lengthOf(view);
  const isSeen = share >= NARROWEST && share <= WIDEST;
  const half = isSeen ? lengthOf(view) / 2 : length / SHARE / 2;
  return keptInside({ start: seconds(middle - half), end: seconds(middle + half) }, whole);
}
