/** What a place in a lane stands for: tracks, a moment, an area. */

import type { CssPixels, Seconds, Track } from "../base/units";
import { cssPixels, seconds, track } from "../base/units";
import type { CallFilter } from "../data/interface";
import type { RowLayout } from "./rows";
import { positionsOfRow } from "./rows";
import type { TimeWindow } from "./time_axis";
import { keptInside, lengthOf, timeAt } from "./time_axis";
import type { ArrangedTracks, TrackRange } from "./tracks";

/** A picture of rows over time, `width` by `height` pixels. */
export interface Lane {
  readonly order: ArrangedTracks;
  readonly layout: RowLayout;
  /** Visible rows and time. */
  readonly rows: TrackRange;
  readonly view: TimeWindow;
  readonly width: CssPixels;
  readonly height: CssPixels;
}

export interface LanePoint {
  readonly x: CssPixels;
  readonly y: CssPixels;
}

/** Part of a lane; `tracks` null: all of them. */
export interface LaneArea {
  readonly time: TimeWindow;
  readonly tracks: Int32Array | null;
}

/** How far beside a call the pointer may be, in pixels. */
const NEAR = 4;
/** A drag that is flatter selects a time of all ranks, in pixels. */
const FLAT = 6;

const clamped = (value: number, most: number): number => Math.max(0, Math.min(most, value));

export const momentAt = (lane: Lane, x: number): Seconds =>
  timeAt(cssPixels(clamped(x, lane.width)), lane.view, lane.width);

/** Row under a height; a fraction tells where in it. */
export const rowAt = ({ rows, height }: Lane, y: number): number => rows.from + (y / height) * (rows.to - rows.from);

/** Several where a group is folded. */
export function tracksAt(lane: Lane, y: number): Int32Array {
  const at = positionsOfRow(lane.layout, rowAt(lane, y));
  return at === null ? new Int32Array(0) : lane.order.tracks.subarray(at.first, at.first + at.count);
}

/** Rectangle between two corners, inside of the run. */
export function areaOf(lane: Lane, from: LanePoint, to: LanePoint, whole: TimeWindow): LaneArea {
  const time = {
    start: momentAt(lane, Math.min(from.x, to.x)),
    end: momentAt(lane, Math.max(from.x, to.x)),
  };
  return {
    time: keptInside(time, whole),
    tracks: Math.abs(to.y - from.y) > FLAT ? between(lane, Math.min(from.y, to.y), Math.max(from.y, to.y)) : null,
  };
}

function between(lane: Lane, top: number, bottom: number): Int32Array {
  const [upper, lower] = [top, bottom].map((y) => tracksAt(lane, clamped(y, lane.height - 1)));
  const all = lane.order.tracks;
  return all.subarray(Math.max(0, all.indexOf(upper?.[0] ?? -1)), all.indexOf(lower?.at(-1) ?? -1) + 1);
}

/** How to find the call under a point: the nearest of one track, or the longest of several. */
export type CallQuestion =
  | { readonly of: "track"; readonly track: Track; readonly at: Seconds; readonly near: Seconds }
  | { readonly of: "group"; readonly filter: CallFilter };

/** null: no row is there. */
export function callQuestion(lane: Lane, point: LanePoint, filter: CallFilter): CallQuestion | null {
  const tracks = Array.from(tracksAt(lane, point.y), track);
  const [first] = tracks;
  if (first === undefined) return null;
  const at = momentAt(lane, point.x);
  const pixel = lengthOf(lane.view) / lane.width;
  if (tracks.length === 1) return { of: "track", track: first, at, near: seconds(NEAR * pixel) };
  const [start_s, end_s] = [seconds(at - pixel), seconds(at + pixel)];
  return { of: "group", filter: { ...filter, tracks, start_s, end_s } };
}
