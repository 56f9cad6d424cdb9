/**
 * Charts as data, and their layout as a drawing.
 *
 * One description gives the picture, the text for screen readers, the data
 * table behind the button, and the files that are exported: they cannot differ.
 */

import { formatByUnit } from "../base/format";
import type { Selection } from "./route";
import type { SvgNode } from "./svg";
import { label, node } from "./svg";
import { powerTicks, roundTicks, tickText } from "./ticks";

export interface AxisSpec {
  readonly label: string;
  /** As units of tables: s, bytes, bytes/s, calls, 1, ... */
  readonly unit: string;
  readonly is_log: boolean;
  /** Named positions 0, 1, 2, ... instead of numbers. */
  readonly names: readonly string[] | null;
  /** What the axis shows at least, such as the time of the run: pictures below each other then agree. */
  readonly covers?: readonly [number, number];
}

export type Shape = "bar" | "line" | "area" | "dots" | "range";

export interface Series {
  readonly name: string;
  /** CSS colour. */
  readonly colour: string;
  readonly shape: Shape;
  readonly x: readonly number[];
  /** null: not measured; a gap, not a zero. */
  readonly y: readonly (number | null)[];
  /** Lower ends for `range`; for bars their ends in x. */
  readonly low?: readonly (number | null)[];
  readonly x_end?: readonly number[];
  readonly is_hatched?: boolean;
}

/** What a mark stands for: a part of the selection, and the view that shows it where that is another one. */
export interface Pick {
  readonly selection: Partial<Selection>;
  readonly view?: string;
  readonly options?: Readonly<Record<string, string>>;
}

export interface Chart {
  readonly title: string;
  readonly summary: string;
  readonly x: AxisSpec;
  readonly y: AxisSpec;
  readonly series: readonly Series[];
  readonly is_stacked: boolean;
  /** What a click on the marks at a place selects; null: nothing. Where the places are ranks, the rank. */
  readonly pick?: (place: number) => Pick | null;
  /** Horizontal or vertical lines with a name: thresholds, medians, boundaries. */
  readonly lines?: readonly { readonly at: number; readonly on: "x" | "y"; readonly name: string }[];
}

export const axis = (name: string, unit: string, more: Partial<AxisSpec> = {}): AxisSpec => ({
  label: name,
  unit,
  is_log: false,
  names: null,
  ...more,
});

/** What is picked at a place of a chart. */
export function pickAt(chart: Chart, place: number): Pick | null {
  if (chart.pick) return chart.pick(place);
  return chart.x.unit === "rank" && chart.x.names === null ? { selection: { ranks: [Math.round(place)] } } : null;
}

export interface Colours {
  readonly ink: string;
  readonly faint: string;
  readonly ground: string;
}

export interface Scale {
  readonly of: (value: number) => number;
  readonly ticks: readonly { readonly at: number; readonly text: string }[];
}

const MARGIN = { right: 14, top: 12, bottom: 42 };
/** Room beside the ticks for the name of the axis, which stands upright. */
const NAME_WIDTH = 26;
/** Beyond these, dots are drawn smaller and together. */
const MAX_CIRCLES = 400;
/** Mean width of a character at the size of ticks. */
const CHARACTER_WIDTH = 6.3;

/** Least and most of all values of one direction; with bars and areas zero belongs to it. */
function extent(chart: Chart, which: "x" | "y"): [number, number] {
  const spec = chart[which];
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  const see = (value: number | null | undefined): void => {
    if (value == null || !Number.isFinite(value) || (spec.is_log && value <= 0)) return;
    least = Math.min(least, value);
    most = Math.max(most, value);
  };
  if (which === "y" && chart.is_stacked) {
    stacked(chart).forEach((tops) => tops.forEach(see));
  } else {
    for (const series of chart.series) {
      // bars stand around their place
      const hasSlots = which === "x" && series.shape === "bar" && series.x_end === undefined;
      series[which].forEach((value) => {
        see(value);
        if (hasSlots && value !== null) [value - 0.5, value + 0.5].forEach(see);
      });
      if (which === "y") series.low?.forEach(see);
      else series.x_end?.forEach(see);
    }
  }
  for (const line of chart.lines ?? []) if (line.on === which) see(line.at);
  spec.covers?.forEach(see);
  const hasBars = chart.series.some((series) => series.shape === "bar");
  // none stands on the edge
  if (spec.unit === "rank" && least <= most) return hasBars ? [least, most] : [least - 0.5, most + 0.5];
  if (least > most) [least, most] = spec.is_log ? [1, 10] : [0, 1];
  if (spec.names) return [-0.5, spec.names.length - 0.5];
  if (spec.is_log)
    return [
      10 ** Math.floor(Math.log10(least) + 1e-9),
      10 ** Math.max(Math.floor(Math.log10(least) + 1e-9) + 1, Math.ceil(Math.log10(most) - 1e-9)),
    ];
  // In every log alike: a picture of small differences would look like one of large ones.
  if (which === "y" || spec.unit === "s") least = Math.min(0, least);
  if (most > least) return [least, most];
  return most > 0 ? [0, most * 1.25] : [least, least + 1]; // one value stands in the middle of its own scale
}

/** `nid1.site.org` and `nid2.site.org` are `nid1` and `nid2`: an end that all names share is left out. */
export function withoutDomain(names: readonly string[]): readonly string[] {
  const first = names[0] ?? "";
  const dot = first.indexOf(".");
  const domain = dot > 0 ? first.slice(dot) : "";
  return names.length > 1 && domain !== "" && names.every((name) => name.endsWith(domain))
    ? names.map((name) => name.slice(0, -domain.length))
    : names;
}

function scale(spec: AxisSpec, [from, to]: [number, number], start: number, end: number, wished: number): Scale {
  const length = end - start;
  if (spec.is_log) {
    const perLog = length / Math.log(to / from);
    return {
      of: (value) => start + Math.log(Math.max(value, from) / from) * perLog,
      ticks: powerTicks(from, to, wished, spec.unit).map((at) => ({ at, text: tickText(at, to, spec.unit) })),
    };
  }
  const of = (value: number): number => start + ((value - from) / (to - from)) * length;
  if (spec.names) {
    const names = withoutDomain(spec.names);
    const longest = Math.max(1, ...names.map((name) => name.length));
    const fitting = Math.max(1, Math.floor(Math.abs(length) / (longest * 6.5 + 8)));
    const every = Math.max(1, Math.ceil(names.length / fitting));
    return { of, ticks: names.flatMap((text, at) => (at % every === 0 ? { at, text } : [])) };
  }
  const isWhole = ["calls", "ranks", "rank", "files", "index", "phases", "jobs", "users"].includes(spec.unit);
  const at = roundTicks(from, to, wished, spec.unit);
  const shown = isWhole ? at.filter((value) => Number.isInteger(value) && value >= 0) : at;
  return {
    of,
    ticks: shown.map((value) => ({ at: value, text: tickText(Number(value.toPrecision(12)), to, spec.unit) })),
  };
}

/** Upper ends of each series on top of those before it. */
function stacked(chart: Chart): number[][] {
  const base: number[] = [];
  return chart.series.map((series) => series.y.map((value, at) => (base[at] = (base[at] ?? 0) + (value ?? 0))));
}

/** Where the plot lies in the picture, and where values lie in it; pixels. */
export interface ChartLayout {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly x: Scale;
  readonly y: Scale;
}

export function chartLayout(chart: Chart, width: number, height: number): ChartLayout {
  const right = width - MARGIN.right;
  const bottom = height - MARGIN.bottom;
  const y = scale(chart.y, extent(chart, "y"), bottom, MARGIN.top, Math.max(2, Math.floor(height / 44)));
  const left = NAME_WIDTH + Math.ceil(Math.max(4, ...y.ticks.map((tick) => tick.text.length)) * CHARACTER_WIDTH);
  const x = scale(chart.x, extent(chart, "x"), left, right, Math.max(2, Math.floor(width / 95)));
  return { left, right, bottom, x, y };
}

/** The drawing; its size in pixels. Text is text: names come from logs. */
export function chartNodes(chart: Chart, width: number, height: number, colours: Colours): SvgNode[] {
  const { left, right, bottom, x, y } = chartLayout(chart, width, height);
  const nodes: SvgNode[] = [];
  const ink = { fill: colours.ink, "font-size": 11 };
  for (const tick of y.ticks) {
    nodes.push(node("line", { x1: left, x2: right, y1: y.of(tick.at), y2: y.of(tick.at), stroke: colours.faint }));
    nodes.push(label(tick.text, { ...ink, x: left - 6, y: y.of(tick.at) + 4, "text-anchor": "end" }));
  }
  for (const tick of x.ticks) {
    nodes.push(node("line", { x1: x.of(tick.at), x2: x.of(tick.at), y1: bottom, y2: bottom + 4, stroke: colours.ink }));
    nodes.push(label(tick.text, { ...ink, x: x.of(tick.at), y: bottom + 16, "text-anchor": "middle" }));
  }
  nodes.push(node("line", { x1: left, x2: right, y1: bottom, y2: bottom, stroke: colours.ink }));
  nodes.push(label(chart.x.label, { ...ink, x: (left + right) / 2, y: height - 6, "text-anchor": "middle" }));
  const [lowest] = extent(chart, "y");
  const isCut = lowest > 0 && !chart.y.is_log && !chart.y.names; // what is half as high is not half as much
  const yName = isCut
    ? `${chart.y.label}, from ${formatByUnit(Number(lowest.toPrecision(3)), chart.y.unit)}`
    : chart.y.label;
  nodes.push(
    label(yName, {
      ...ink,
      x: 12,
      y: (MARGIN.top + bottom) / 2,
      "text-anchor": "middle",
      transform: `rotate(-90 12 ${Math.round((MARGIN.top + bottom) / 2)})`,
    }),
  );
  const tops = chart.is_stacked ? stacked(chart) : null;
  chart.series.forEach((series, at) => {
    const base = tops ? (tops[at - 1] ?? null) : null;
    nodes.push(...seriesNodes(chart, series, tops?.[at] ?? series.y, base, at, x, y, bottom, colours));
  });
  for (const line of chart.lines ?? []) {
    const place = line.on === "y" ? y.of(line.at) : x.of(line.at);
    const ends =
      line.on === "y"
        ? { x1: left, x2: right, y1: place, y2: place }
        : { x1: place, x2: place, y1: MARGIN.top, y2: bottom };
    nodes.push(node("line", { ...ends, stroke: colours.ink, "stroke-dasharray": "5 3" }));
    nodes.push(
      label(line.name, {
        ...ink,
        "paint-order": "stroke",
        stroke: colours.ground,
        "stroke-width": 4,
        ...(line.on === "y"
          ? { x: right - 4, y: place - 4, "text-anchor": "end" }
          : { x: place + 4, y: MARGIN.top + 10 }),
      }),
    );
  }
  return nodes;
}

function seriesNodes(
  chart: Chart,
  series: Series,
  tops: readonly (number | null)[],
  base: readonly (number | null)[] | null,
  index: number,
  x: Scale,
  y: Scale,
  bottom: number,
  colours: Colours,
): SvgNode[] {
  const floor = (at: number): number => (base ? y.of(base[at] ?? 0) : chart.y.is_log ? bottom : y.of(0));
  const points = series.x.flatMap((value, at) => {
    const top = tops[at];
    return top == null || (chart.y.is_log && top <= 0) ? [] : [{ at, x: x.of(value), y: y.of(top) }];
  });
  if (series.shape === "bar") {
    // Bars with ends of their own stand where they are.
    const isSpan = series.x_end !== undefined;
    const beside = chart.is_stacked || isSpan ? 1 : chart.series.filter((one) => one.shape === "bar").length;
    const order = chart.is_stacked || isSpan ? 0 : index;
    return points.map((point) => {
      const end = series.x_end?.[point.at];
      const slot =
        end === undefined
          ? Math.max(1, (x.of((series.x[point.at] ?? 0) + 1) - point.x) * 0.8)
          : Math.max(1, x.of(end) - point.x - 0.5);
      const left = end === undefined ? point.x - slot / 2 : point.x;
      const low = floor(point.at);
      const box = {
        x: left + (slot / beside) * order,
        y: Math.min(point.y, low),
        width: slot / beside,
        height: Math.max(0.5, Math.abs(low - point.y)),
      };
      return node("rect", {
        ...box,
        fill: series.colour,
        ...(isSpan && !chart.is_stacked ? { "fill-opacity": 0.8 } : {}), // where they overlap both are seen
        ...(series.is_hatched ? { stroke: colours.ink, "stroke-width": 0.7, "fill-opacity": 0.75 } : {}),
      });
    });
  }
  if (series.shape === "dots") {
    if (points.length <= MAX_CIRCLES)
      return points.map((point) => node("circle", { cx: point.x, cy: point.y, r: 3, fill: series.colour }));
    // One shape for all: ten thousand elements would hold up the page.
    const d = points.map((point) => `M${point.x.toFixed(1)} ${point.y.toFixed(1)}h0`).join("");
    return [node("path", { d, fill: "none", stroke: series.colour, "stroke-width": 3.2, "stroke-linecap": "round" })];
  }
  if (series.shape === "range") {
    return points.map((point) =>
      node("line", {
        x1: point.x,
        x2: point.x,
        y1: point.y,
        y2: y.of(series.low?.[point.at] ?? 0),
        stroke: series.colour,
        "stroke-width": points.length > 200 ? 1 : 3,
      }),
    );
  }
  const path = points.map((point, at) => `${at === 0 ? "M" : "L"}${point.x.toFixed(1)} ${point.y.toFixed(1)}`).join("");
  if (path === "") return [];
  if (series.shape === "line")
    return [node("path", { d: path, fill: "none", stroke: series.colour, "stroke-width": 1.5 })];
  const back = [...points]
    .reverse()
    .map((point) => `L${point.x.toFixed(1)} ${floor(point.at).toFixed(1)}`)
    .join("");
  return [
    node("path", {
      d: `${path}${back}Z`,
      fill: series.colour,
      "fill-opacity": 0.85,
      stroke: series.is_hatched ? colours.ink : series.colour,
      "stroke-width": 0.5,
    }),
  ];
}

/** Names and rows of the table behind a chart. */
export function chartTable(chart: Chart): {
  readonly names: string[];
  readonly units: string[];
  readonly rows: (number | string | null)[][];
} {
  const places = [...new Set(chart.series.flatMap((series) => [...series.x]))].sort((a, b) => a - b);
  const maps = chart.series.map((series) => new Map(series.x.map((place, at) => [place, series.y[at] ?? null])));
  return {
    names: [chart.x.label, ...chart.series.map((series) => series.name)],
    units: [chart.x.names ? "" : chart.x.unit, ...chart.series.map(() => chart.y.unit)],
    rows: places.map((place) => [chart.x.names?.[place] ?? place, ...maps.map((map) => map.get(place) ?? null)]),
  };
}
