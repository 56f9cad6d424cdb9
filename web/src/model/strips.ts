/** What lies beside the calls of a timeline: requests in flight, mapped files and the faults on them. */

import type { Kind } from "../base/kinds";
import { formatBytes, formatCount, formatSeconds } from "../base/format";
import { text } from "../base/text";
import type { CssPixels, Seconds } from "../base/units";
import { seconds } from "../base/units";
import type { Report } from "../data/report";
import type { MetricRow } from "./metric";
import { metricRowsOf, numberOf, numberOr, textOf } from "./metric";
import type { TimeWindow } from "./time_axis";
import { visibleSpan } from "./time_axis";

/** A block of a strip; `y` and `height` in pixels from the top. */
export interface Block {
  readonly x: number;
  readonly width: number;
  readonly y: number;
  readonly height: number;
  readonly title: string;
  readonly kind: Kind | null;
}

const windowOf = (row: MetricRow): TimeWindow => ({
  start: seconds(numberOr(row("start_s"), 0)),
  end: seconds(numberOr(row("end_s"), 0)),
});

/** One decimal where there is less than ten of something: a mean of 0.4 is not none. */
const mean = (value: number): string =>
  value >= 10 || value === 0 ? formatCount(Math.round(value)) : value < 0.1 ? "less than 0.1" : value.toFixed(1);

/** Kinds of table `in_flight`, and the colours of the calls that they resemble. */
const FLIGHTS: readonly (readonly [column: string, kind: Kind])[] = [
  ["reads", "read"],
  ["writes", "write"],
  ["others", "metadata"],
];

export interface FlightStrip {
  readonly blocks: readonly Block[];
  /** Most requests in flight, as a mean of a bin. */
  readonly peak: number;
}

/** Requests in flight, stacked by kind; null: the log has none. */
export function flightStrip(
  report: Report,
  log: number | null,
  view: TimeWindow,
  width: CssPixels,
  height: number,
): FlightStrip | null {
  const rows = metricRowsOf(report.metrics.in_flight ?? null, log);
  if (rows.length === 0) return null;
  const inAll = (row: MetricRow): number => FLIGHTS.reduce((sum, [column]) => sum + numberOr(row(column), 0), 0);
  const peak = Math.max(...rows.map(inAll));
  const blocks = rows.flatMap((row) => {
    const part = visibleSpan(windowOf(row), view, width);
    if (part === null) return [];
    const parts = FLIGHTS.map(([column, kind]) => ({ kind, value: numberOr(row(column), 0) }));
    const kinds = parts
      .filter(({ value }) => value > 0)
      .map(({ kind, value }) => `${mean(value)} ${text.timeline.flightKinds[kind]}`);
    const completed = numberOr(row("completed"), 0);
    const landed =
      completed > 0
        ? " " +
          text.timeline.landed(
            formatCount(completed),
            formatBytes(numberOr(row("bytes"), 0)),
            formatSeconds(numberOr(row("longest_s"), 0)),
          )
        : "";
    const title = text.timeline.flights(mean(inAll(row)), kinds.join(", ")) + landed;
    let y = height;
    return parts.flatMap(({ kind, value }) => {
      const tall = peak > 0 ? (value / peak) * height : 0;
      y -= tall;
      return tall > 0 ? [{ x: part.x, width: Math.max(0.5, part.width), y, height: tall, title, kind }] : [];
    });
  });
  return { blocks, peak };
}

/** Rows of mappings that overlap; what has no room is in the last one. */
const MAX_ROWS = 6;
const ROW_HEIGHT = 9;
const FAULTS_HEIGHT = 16;
const MAX_BLOCKS = 2000;

export interface MappedStrip {
  readonly mappings: readonly Block[];
  readonly faults: readonly Block[];
  readonly height: number;
  /** Mappings beyond what a drawing holds. */
  readonly left_out: number;
}

const known = (value: number | null): string => (value === null ? text.app.missing : formatBytes(value));

/** Mappings as spans, faults that waited for a device as bars below; null: nothing was mapped. */
export function mappedStrip(
  report: Report,
  log: number | null,
  view: TimeWindow,
  width: CssPixels,
  pathOf: (id: string) => string,
): MappedStrip | null {
  const all = metricRowsOf(report.metrics.mapped_span ?? null, log);
  if (all.length === 0) return null;
  const spans = all.map((row) => ({ row, ...windowOf(row) })).sort((a, b) => a.start - b.start);
  const ends: Seconds[] = [];
  const placed = spans.map(({ row, start, end }) => {
    const free = ends.findIndex((until) => until <= start);
    const at = free >= 0 ? free : Math.min(ends.length, MAX_ROWS - 1);
    ends[at] = seconds(Math.max(end, ends[at] ?? 0));
    return { row, start, end, at };
  });
  const seen = placed.flatMap(({ row, start, end, at }) => {
    const part = visibleSpan({ start, end }, view, width);
    if (part === null) return [];
    const title = text.timeline.mapping(
      pathOf(textOf(row("file_id"))),
      formatBytes(numberOr(row("size_bytes"), 0)),
      known(numberOf(row("touched_bytes"))),
      known(numberOf(row("resident_bytes"))),
      formatSeconds(end - start),
    );
    return [
      {
        x: part.x,
        width: Math.max(2, part.width - 0.5),
        y: at * ROW_HEIGHT + 1,
        height: ROW_HEIGHT - 2,
        title,
        kind: null,
      },
    ];
  });
  const rows = metricRowsOf(report.metrics.fault_time ?? null, log);
  const most = Math.max(1, ...rows.map((row) => numberOr(row("faults"), 0)));
  const top = ends.length * ROW_HEIGHT;
  const faults = rows.flatMap((row) => {
    const part = visibleSpan(windowOf(row), view, width);
    if (part === null) return [];
    const count = numberOr(row("faults"), 0);
    const tall = Math.max(2, (count / most) * (FAULTS_HEIGHT - 2));
    return [
      {
        x: part.x,
        width: Math.max(1, part.width),
        y: top + FAULTS_HEIGHT - tall,
        height: tall,
        title: text.timeline.faults(count, numberOr(row("files"), 0)),
        kind: "wait" as const,
      },
    ];
  });
  return {
    mappings: seen.slice(0, MAX_BLOCKS),
    faults,
    height: top + (rows.length > 0 ? FAULTS_HEIGHT : 0),
    left_out: Math.max(0, seen.length - MAX_BLOCKS),
  };
}
