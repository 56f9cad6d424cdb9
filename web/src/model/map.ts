/** Heat maps of calls over two quantities: which axes, which way up, and their frame. */

import type { Axis, AxisOf } from "../data/interface";
import type { Colours } from "./chart";
import type { SvgNode } from "./svg";
import { label, node } from "./svg";
import { powerTicks, roundTicks, tickText } from "./ticks";

/** One axis of a map as people read it. */
export interface MapAxis {
  readonly of: AxisOf;
  readonly from: number;
  readonly to: number;
  readonly is_log: boolean;
  readonly label: string;
  readonly unit: string;
  /** Positions have names: targets, ranks in an order. */
  readonly names: readonly string[] | null;
}

/** Offsets, sizes and durations grow upwards; ranks and targets are listed downwards. */
export const isUpwards = (axis: MapAxis): boolean => !["track", "target"].includes(axis.of);

export const MAP_MARGIN = { left: 88, right: 14, top: 8, bottom: 40 };

/** The axis as it is asked for: never more cells than positions. */
export function askedAxis(axis: MapAxis, pixels: number): Axis {
  const isCounted = axis.of === "track" || axis.of === "target";
  const cells = isCounted ? Math.min(Math.ceil(axis.to - axis.from), Math.floor(pixels)) : Math.floor(pixels);
  return { of: axis.of, from: axis.from, to: axis.to, cells: Math.max(1, cells), log: axis.is_log };
}

/** Share of the axis, 0 at its start. */
export function shareAt(axis: MapAxis, value: number): number {
  if (!axis.is_log) return (value - axis.from) / (axis.to - axis.from);
  return Math.log(Math.max(value, axis.from) / axis.from) / Math.log(axis.to / axis.from);
}

export function valueAt(axis: MapAxis, share: number): number {
  return axis.is_log ? axis.from * (axis.to / axis.from) ** share : axis.from + share * (axis.to - axis.from);
}

/** 1, 2, 5, 10, ...: the least that is no less. */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return power * ([1, 2, 5, 10].find((nice) => nice * power >= least) ?? 10);
}

interface Mark {
  readonly at: number;
  readonly text: string;
}

function marksOf(axis: MapAxis, wished: number): Mark[] {
  const { names } = axis;
  if (names) {
    const every = roundStep(Math.ceil((axis.to - axis.from) / wished));
    return names.flatMap((text, at) =>
      at % every === 0 && at >= axis.from && at < axis.to ? { at: at + 0.5, text } : [],
    );
  }
  const at = (axis.is_log ? powerTicks : roundTicks)(axis.from, axis.to, wished, axis.unit);
  return at.map((value) => ({ at: value, text: tickText(Number(value.toPrecision(12)), axis.to, axis.unit) }));
}

export interface MapLine {
  readonly at: number;
  readonly on: "x" | "y";
}

/** Ticks, names, and lines over the picture; the picture itself lies inside the margins. */
export function mapFrame(
  x: MapAxis,
  y: MapAxis,
  lines: readonly MapLine[],
  width: number,
  height: number,
  colours: Colours,
): SvgNode[] {
  const left = MAP_MARGIN.left;
  const right = width - MAP_MARGIN.right;
  const bottom = height - MAP_MARGIN.bottom;
  const top = MAP_MARGIN.top;
  const placeX = (value: number): number => left + shareAt(x, value) * (right - left);
  const placeY = (value: number): number => {
    const share = shareAt(y, value);
    return isUpwards(y) ? bottom - share * (bottom - top) : top + share * (bottom - top);
  };
  const ink = { fill: colours.ink, "font-size": 11 };
  const nodes: SvgNode[] = [
    node("rect", {
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
      fill: "none",
      stroke: colours.ink,
      "stroke-width": 0.7,
    }),
  ];
  for (const mark of marksOf(x, Math.max(2, Math.floor(width / 100)))) {
    nodes.push(
      node("line", { x1: placeX(mark.at), x2: placeX(mark.at), y1: bottom, y2: bottom + 4, stroke: colours.ink }),
    );
    nodes.push(label(mark.text, { ...ink, x: placeX(mark.at), y: bottom + 16, "text-anchor": "middle" }));
  }
  for (const mark of marksOf(y, Math.max(2, Math.floor(height / 34)))) {
    nodes.push(node("line", { x1: left - 4, x2: left, y1: placeY(mark.at), y2: placeY(mark.at), stroke: colours.ink }));
    nodes.push(label(mark.text, { ...ink, x: left - 7, y: placeY(mark.at) + 4, "text-anchor": "end" }));
  }
  for (const line of lines) {
    const ends =
      line.on === "y"
        ? { x1: left, x2: right, y1: placeY(line.at), y2: placeY(line.at) }
        : { x1: placeX(line.at), x2: placeX(line.at), y1: top, y2: bottom };
    nodes.push(
      node("line", {
        ...ends,
        stroke: colours.ink,
        "stroke-width": 0.5,
        "stroke-opacity": 0.45,
        "stroke-dasharray": "4 3",
      }),
    );
  }
  nodes.push(label(x.label, { ...ink, x: (left + right) / 2, y: height - 6, "text-anchor": "middle" }));
  nodes.push(
    label(y.label, {
      ...ink,
      x: 12,
      y: (top + bottom) / 2,
      "text-anchor": "middle",
      transform: `rotate(-90 12 ${Math.round((top + bottom) / 2)})`,
    }),
  );
  return nodes;
}

/** A part of the vertical axis that is marked at the right edge of the picture. */
export interface MapSpan {
  readonly from: number;
  readonly to: number;
}

/** Marks of parts: never thinner than can be seen, those outside are left out. */
export function spanNodes(
  y: MapAxis,
  spans: readonly MapSpan[],
  width: number,
  height: number,
  colour: string,
): SvgNode[] {
  const [top, bottom] = [MAP_MARGIN.top, height - MAP_MARGIN.bottom];
  return spans.flatMap(({ from, to }) => {
    if (to <= y.from || from >= y.to) return [];
    const place = (value: number): number => bottom - Math.min(1, Math.max(0, shareAt(y, value))) * (bottom - top);
    return [
      node("rect", {
        x: width - MAP_MARGIN.right + 2,
        y: Math.min(place(to), bottom - 2),
        width: 7,
        height: Math.max(2, place(from) - place(to)),
        fill: colour,
      }),
    ];
  });
}

/** Boundaries of stripes between two offsets; null: too many to draw apart. */
export function stripeLines(stripe_bytes: number | null, from: number, to: number, most = 64): MapLine[] | null {
  if (stripe_bytes === null || stripe_bytes <= 0) return [];
  const first = Math.ceil(from / stripe_bytes);
  const last = Math.floor(to / stripe_bytes);
  if (last - first > most) return null;
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => ({
    at: (first + i) * stripe_bytes,
    on: "y" as const,
  }));
}
