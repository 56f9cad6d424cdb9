/** Keys and buttons that move through time and ranks, as changes of the route. */

import type { Seconds } from "../base/units";
import { seconds } from "../base/units";
import type { CallColumns, Description } from "../data/interface";
import type { KeyAction } from "./keys";
import type { Route } from "./route";
import { readWindow, wholeWindow, writeWindow } from "./route";
import { keptInside, lengthOf, panned, withMargin, zoomed } from "./time_axis";
import type { TimeWindow } from "./time_axis";
import type { TrackRange } from "./tracks";
import { pannedTracks, zoomedTracks } from "./tracks";

/** What the timeline shows of the run: the option, else all of it. */
export const visibleWindow = (route: Route, description: Description): TimeWindow => {
  const whole = wholeWindow(description);
  const asked = readWindow(route.options.get("timeline.view"));
  return asked ? keptInside(asked, whole) : whole;
};

/** Which part of the order of tracks is visible. */
export function visibleTracks(route: Route, count: number): TrackRange {
  const asked = readWindow(route.options.get("timeline.rows"));
  if (asked === null || count === 0) return { from: 0, to: Math.max(1, count) };
  const from = Math.min(Math.max(0, asked.start), Math.max(0, count - 1));
  return { from, to: Math.min(Math.max(asked.end, from + 1), Math.max(count, from + 1)) };
}

export function withView(route: Route, view: TimeWindow | null): Route {
  const options = new Map(route.options);
  if (view === null) options.delete("timeline.view");
  else options.set("timeline.view", writeWindow(view));
  return { ...route, options };
}

export function withRows(route: Route, range: TrackRange, count: number): Route {
  const options = new Map(route.options);
  if (range.from <= 0 && range.to >= count) options.delete("timeline.rows");
  else options.set("timeline.rows", writeWindow({ start: seconds(range.from), end: seconds(range.to) }));
  return { ...route, options };
}

/** One call of a list: kept, framed, its rank pinned. */
export function routeToCall(route: Route, description: Description, calls: CallColumns, row: number): Route {
  const [start, end] = [calls.start_s[row] ?? 0, calls.end_s[row] ?? 0];
  const time = { start: seconds(start), end: seconds(Math.max(end, start + 1e-8)) };
  const options = new Map(route.options)
    .set("timeline.pins", String(description.tracks.rank[calls.track[row] ?? 0] ?? 0))
    .set("timeline.call", String(calls.index[row] ?? 0));
  options.delete("timeline.rows"); // the rank may be another one than those in sight
  return withView(
    { view: "timeline", selection: { ...route.selection, time }, options },
    withMargin(time, wholeWindow(description), 3),
  );
}

const STEP = 0.15;
const ZOOM = 0.75;

/** Presses of one key within this time belong together, milliseconds. */
const REPEAT_MS = 600;
const MAX_STRENGTH = 4;

/** How often and when a key was pressed last. */
export interface Repeat {
  readonly action: KeyAction;
  readonly at_ms: number;
  /** 1 for a single press, more for each quick repetition: 12 presses zoom from minutes to a millisecond. */
  readonly strength: number;
}

export function repeated(last: Repeat | null, action: KeyAction, at_ms: number): Repeat {
  const isAgain = last !== null && last.action === action && at_ms - last.at_ms <= REPEAT_MS;
  return { action, at_ms, strength: isAgain ? Math.min(MAX_STRENGTH, last.strength + 1) : 1 };
}

/** What the lanes show: rows in all, and those of selected ranks. */
export interface ShownRows {
  readonly count: number;
  rowsOf(ranks: readonly number[]): TrackRange | null;
}

/** Where the pointer is in the lanes: what keys zoom about. */
export interface PointedPlace {
  readonly at: Seconds;
  /** null: in a picture without rows. */
  readonly row: number | null;
}

/** The route after an action; null: the action is not about moving. Without a pointer it zooms about the middle. */
export function moved(
  route: Route,
  description: Description,
  action: KeyAction,
  shown: ShownRows | null = null,
  strength = 1,
  pointed: PointedPlace | null = null,
): Route | null {
  const count = shown?.count ?? description.tracks.rank.length;
  const zoom = ZOOM ** strength;
  const step = Math.min(0.9, STEP * strength);
  const whole = wholeWindow(description);
  const view = visibleWindow(route, description);
  const middle = seconds((view.start + view.end) / 2);
  const rows = visibleTracks(route, count);
  const rowMiddle = (rows.from + rows.to) / 2;
  const around = pointed === null ? middle : seconds(Math.min(view.end, Math.max(view.start, pointed.at)));
  const aroundRow = pointed?.row ?? rowMiddle;
  const { time } = route.selection;
  switch (action) {
    case "zoom_in":
      return withView(route, zoomed(view, around, zoom, whole));
    case "zoom_out":
      return withView(route, zoomed(view, around, 1 / zoom, whole));
    case "left":
      return withView(route, panned(view, -step, whole));
    case "right":
      return withView(route, panned(view, step, whole));
    case "fewer_tracks":
      return withRows(route, zoomedTracks(rows, aroundRow, zoom, count), count);
    case "more_tracks":
      return withRows(route, zoomedTracks(rows, aroundRow, 1 / zoom, count), count);
    case "up":
      return withRows(route, pannedTracks(rows, -step * (rows.to - rows.from), count), count);
    case "down":
      return withRows(route, pannedTracks(rows, step * (rows.to - rows.from), count), count);
    case "selection_left":
    case "selection_right": {
      const next = time ?? { start: seconds(middle - lengthOf(view) / 20), end: seconds(middle + lengthOf(view) / 20) };
      const by = (action === "selection_left" ? -0.1 : 0.1) * lengthOf(next);
      const shifted = keptInside({ start: seconds(next.start + by), end: seconds(next.end + by) }, whole);
      return { ...route, selection: { ...route.selection, time: shifted } };
    }
    case "fit_selection": {
      const { ranks } = route.selection;
      const fitting = ranks === null ? null : (shown?.rowsOf(ranks) ?? null);
      const inTime = time ? withView(route, withMargin(time, whole)) : route;
      return fitting ? withRows(inTime, fitting, count) : inTime;
    }
    case "fit_all":
      return withRows(withView(route, null), { from: 0, to: count }, count);
    default:
      return null;
  }
}
