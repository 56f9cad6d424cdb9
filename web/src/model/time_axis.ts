/** Time and its place on the screen: positions, zoom, ticks, and which tile to ask for. */

import type { CssPixels, Seconds } from "../base/units";
import { cssPixels, seconds } from "../base/units";

/** Half open: `start` belongs to it, `end` does not. */
export interface TimeWindow {
  readonly start: Seconds;
  readonly end: Seconds;
}

export const lengthOf = (window: TimeWindow): Seconds => seconds(window.end - window.start);

/**
 * Position of a point in time on a track of the given width.
 *
 * Returns `null` outside the window: a bar clamped to the edge would show
 * activity that was not there.
 */
export function xOf(t: Seconds, window: TimeWindow, width: CssPixels): CssPixels | null {
  if (t < window.start || t >= window.end) return null; // also rules out an empty window
  const share = (t - window.start) / (window.end - window.start);
  return cssPixels(share * width);
}

/** Left end and width of what is visible of a part of the time; null: nothing is. */
export function visibleSpan(
  part: TimeWindow,
  window: TimeWindow,
  width: CssPixels,
): { x: CssPixels; width: CssPixels } | null {
  const start = Math.max(part.start, window.start);
  const end = Math.min(part.end, window.end);
  if (end < start || start >= window.end) return null;
  const scale = width / (window.end - window.start);
  return { x: cssPixels((start - window.start) * scale), width: cssPixels((end - start) * scale) };
}

export function timeAt(x: CssPixels, window: TimeWindow, width: CssPixels): Seconds {
  return seconds(window.start + (x / width) * (window.end - window.start));
}

/** A nanosecond: below it times are rounding errors of 64-bit seconds. */
const SHORTEST_S = 1e-9;
/** Clocks count nanoseconds: in a shorter window a pixel is less than one, and nothing more can be seen. */
export const SHORTEST_VIEW_S = 1000 * SHORTEST_S;

/** Inside `whole`, and as long as before where that fits. */
export function keptInside(window: TimeWindow, whole: TimeWindow): TimeWindow {
  const length = Math.min(Math.max(lengthOf(window), SHORTEST_S), lengthOf(whole));
  const start = Math.min(Math.max(window.start, whole.start), whole.end - length);
  return { start: seconds(start), end: seconds(start + length) };
}

/** `factor` below 1 zooms in, down to the resolution of clocks; the moment `around` keeps its place. */
export function zoomed(window: TimeWindow, around: Seconds, factor: number, whole: TimeWindow): TimeWindow {
  const length = lengthOf(window);
  const least = Math.min(SHORTEST_VIEW_S, length);
  const scale = length > 0 ? Math.max(factor, least / length) : factor;
  const start = around - (around - window.start) * scale;
  const end = around + (window.end - around) * scale;
  return keptInside({ start: seconds(start), end: seconds(end) }, whole);
}

/** The moment in the middle; where all of the run is visible, in a hundredth of it. */
export function centredOn(window: TimeWindow, at: Seconds, whole: TimeWindow): TimeWindow {
  const length = lengthOf(window) >= lengthOf(whole) ? lengthOf(whole) / 100 : lengthOf(window);
  return keptInside({ start: seconds(at - length / 2), end: seconds(at + length / 2) }, whole);
}

/** `share` of the visible length, to the right where positive. */
export function panned(window: TimeWindow, share: number, whole: TimeWindow): TimeWindow {
  const by = lengthOf(window) * share;
  return keptInside({ start: seconds(window.start + by), end: seconds(window.end + by) }, whole);
}

/** A part of the time with room around it: one sees what comes before and after. */
export function withMargin(part: TimeWindow, whole: TimeWindow, share = 0.25): TimeWindow {
  const least = (SHORTEST_VIEW_S - lengthOf(part)) / 2;
  const margin = Math.max(lengthOf(part) * share, lengthOf(whole) * 1e-5, least);
  return keptInside({ start: seconds(part.start - margin), end: seconds(part.end + margin) }, whole);
}

/** Round numbers at most `wished` of them: steps of 1, 2 or 5 times a power of ten. */
export function ticksOf(from: number, to: number, wished: number): { readonly step: number; readonly at: number[] } {
  const raw = (to - from) / Math.max(1, wished);
  if (!(raw > 0) || !Number.isFinite(raw)) return { step: 1, at: [from] };
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((nice) => nice * power >= raw * 0.999999) ?? 10);
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  return { step, at: Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => (first + i) * step) };
}

/** Powers of ten between two positive numbers, both included where they are one. */
export function decadesOf(from: number, to: number): number[] {
  const first = Math.ceil(Math.log10(from) - 1e-9);
  const last = Math.floor(Math.log10(to) + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => 10 ** (first + i));
}

/** The part of time of which a tile is asked, and in how many cells. */
export interface TilePlan {
  readonly window: TimeWindow;
  readonly cells: number;
}

/**
 * The tile for a visible window: half a window more on each side, at a cell
 * length that is a power of the square root of two.
 *
 * Small pans and zooms so need no new tile, and returning to a place asks for
 * the same one again. Cells are at most one pixel wide.
 */
export function tilePlan(visible: TimeWindow, width: CssPixels, whole: TimeWindow): TilePlan {
  const pixel_s = lengthOf(visible) / Math.max(1, width);
  const cell_s = Math.SQRT2 ** Math.floor(Math.log2(pixel_s) * 2 + 1e-6);
  const quantum_s = cell_s * 256;
  const margin = lengthOf(visible) / 2;
  const from = Math.max(visible.start - margin, whole.start);
  const to = Math.min(visible.end + margin, whole.end);
  const first = Math.floor((from - whole.start) / quantum_s);
  const last = Math.ceil((to - whole.start) / quantum_s - 1e-9);
  const cells = Math.max(1, last - first) * 256;
  const start = whole.start + first * quantum_s;
  return { window: { start: seconds(start), end: seconds(start + cells * cell_s) }, cells };
}

/** Whether a tile made for one plan shows all of a window at least as finely as needed. */
export function isCovered(visible: TimeWindow, width: CssPixels, tile: TilePlan): boolean {
  const cell_s = lengthOf(tile.window) / tile.cells;
  const pixel_s = lengthOf(visible) / Math.max(1, width);
  const isInside = visible.start >= tile.window.start - cell_s && visible.end <= tile.window.end + cell_s;
  return isInside && cell_s <= pixel_s * 1.0001 && cell_s > pixel_s / 2.9;
}
