/**
 * Quantities over time that are no calls: what the storage servers measured, counters of a trace, and the processors
 * that the program used.
 */

import { formatByUnit, unitOfName } from "../base/format";
import type { CssPixels, Seconds } from "../base/units";
import { seconds } from "../base/units";
import { text } from "../base/text";
import { pageText } from "../base/text_page";
import type { TableRows } from "../data/interface";
import type { Report } from "../data/report";
import type { MetricRow } from "./metric";
import { metricRowsOf, numberOf, numberOr, textOf } from "./metric";
import { isNumeric, NAMES_OF_THINGS } from "./table";
import type { TimeWindow } from "./time_axis";
import { visibleSpan } from "./time_axis";

/** A value from one moment to the next; steps do not overlap. */
export interface CounterStep {
  readonly start: Seconds;
  readonly end: Seconds;
  readonly value: number;
}

export interface Counter {
  readonly name: string;
  readonly unit: string;
  /** What was measured, under the name. */
  readonly about: string;
  readonly steps: readonly CounterStep[];
  readonly peak: number;
}

/** More lanes than these push the calls out of sight; the view Storage targets has all. */
const MAX_COUNTERS = 4;

/** Processors that the program's own code used, by samples; null: the log has none. */
export function processorCounter(report: Report, log: number | null): Counter | null {
  const steps = summed(
    metricRowsOf(report.metrics.processor_time ?? null, log).map((row) => ({
      start: seconds(numberOr(row("start_s"), 0)),
      end: seconds(numberOr(row("end_s"), 0)),
      value: numberOr(row("processors"), 0),
    })),
  );
  const peak = Math.max(0, ...steps.map((step) => step.value));
  return peak > 0
    ? { name: text.timeline.processors, unit: "1", about: text.timeline.processorsHint, steps, peak }
    : null;
}

/** Sums of all series at each moment, by quantity. */
export function serverCounters(report: Report, log: number | null): Counter[] {
  const groups = new Map<string, { name: string; unit: string; rows: MetricRow[] }>();
  for (const row of metricRowsOf(report.metrics.server_interval ?? null, log)) {
    const isRate = numberOf(row("per_s")) !== null;
    const given = textOf(row("unit"));
    const unit = isRate && given !== "" && !given.endsWith("/s") ? `${given}/s` : given;
    const [name, op] = [textOf(row("name")), textOf(row("op"))];
    const whole = op === "" || name.includes(op) ? name : `${name} (${op})`;
    const key = JSON.stringify([whole, unit]);
    const group = groups.get(key) ?? { name: whole, unit, rows: [] };
    group.rows.push(row);
    groups.set(key, group);
  }
  const counters = [...groups.values()].map(({ name, unit, rows }) => {
    const steps = summed(
      rows.flatMap((row) => {
        const value = numberOf(row("per_s")) ?? numberOf(row("level"));
        return value === null
          ? []
          : [{ start: seconds(numberOr(row("start_s"), 0)), end: seconds(numberOr(row("end_s"), 0)), value }];
      }),
    );
    const about = text.timeline.counter(new Set(rows.map((row) => row("series"))).size);
    return { name, unit, about, steps, peak: Math.max(0, ...steps.map((step) => step.value)) };
  });
  return counters
    .filter((one) => one.peak > 0)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, MAX_COUNTERS);
}

/** Counters that the program or its tracer recorded, each summed over its threads, processes or nodes. */
export function traceCounters(report: Report, log: number | null): Counter[] {
  const groups = new Map<string, { name: string; unit: string; series: number; steps: CounterStep[] }>();
  for (const row of metricRowsOf(report.metrics.counter_track ?? null, log)) {
    const [name, part] = [textOf(row("name")), textOf(row("part"))];
    const whole = part === "" ? name : `${name}: ${part}`;
    const unit = textOf(row("unit")) || unitOfName(part || name);
    const key = JSON.stringify([whole, unit]);
    const group = groups.get(key) ?? { name: whole, unit, series: numberOr(row("series"), 1), steps: [] };
    group.steps.push({
      start: seconds(numberOr(row("start_s"), 0)),
      end: seconds(numberOr(row("end_s"), 0)),
      value: numberOr(row("value"), 0),
    });
    groups.set(key, group);
  }
  const counters = [...groups.values()].map(({ name, unit, series, steps }) => ({
    name,
    unit,
    about: text.timeline.traceCounter(series, unit),
    steps: summed(steps),
    peak: Math.max(0, ...steps.map((step) => step.value)),
  }));
  return counters.filter((one) => one.peak > 0).slice(0, MAX_COUNTERS);
}

const STARTS = ["start_s", "time_s", "at_s", "start", "time"];

/** Columns of a query that can be a strip: a start, perhaps an end, and numbers; null: it has no time. */
export function counterColumns({
  columns,
  rows,
}: TableRows): { readonly start: number; readonly end: number | null; readonly values: readonly number[] } | null {
  const place = (name: string): number => columns.findIndex((column) => column.name === name);
  const start = STARTS.map(place).find((at) => at >= 0 && isNumeric(rows, at));
  if (start === undefined) return null;
  const end = ["end_s", "end"].map(place).find((at) => at >= 0);
  const values = columns
    .map((_, at) => at)
    .filter((at) => at !== start && at !== end && isNumeric(rows, at) && !NAMES_OF_THINGS.has(columns[at]?.unit ?? ""));
  return values.length === 0 ? null : { start, end: end ?? null, values: values.slice(0, MAX_COUNTERS) };
}

/** Strips of a query. Without an end, a value holds until the next row. */
export function queryCounters(answer: TableRows): Counter[] {
  const chosen = counterColumns(answer);
  if (chosen === null) return [];
  const { start, end, values } = chosen;
  const rows = answer.rows
    .filter((row) => numberOf(row[start] ?? null) !== null)
    .sort((a, b) => Number(a[start]) - Number(b[start]));
  const endOf = (at: number): number =>
    numberOf(rows[at]?.[end ?? -1] ?? null) ?? numberOf(rows[at + 1]?.[start] ?? null) ?? Number(rows[at]?.[start]);
  return values.flatMap((value) => {
    const steps = summed(
      rows.map((row, at) => ({
        start: seconds(Number(row[start])),
        end: seconds(endOf(at)),
        value: numberOf(row[value] ?? null) ?? 0,
      })),
    );
    const peak = Math.max(0, ...steps.map((step) => step.value));
    const { name, unit } = answer.columns[value] ?? { name: "", unit: "" };
    return peak > 0 ? [{ name, unit: unit || unitOfName(name), about: pageText.counter.about, steps, peak }] : [];
  });
}

/** One line out of several that begin and end at moments of their own. */
function summed(parts: readonly CounterStep[]): CounterStep[] {
  const changes = new Map<number, number>();
  for (const { start, end, value } of parts) {
    if (end <= start) continue;
    changes.set(start, (changes.get(start) ?? 0) + value);
    changes.set(end, (changes.get(end) ?? 0) - value);
  }
  const moments = [...changes].sort(([a], [b]) => a - b);
  let value = 0;
  return moments.slice(0, -1).map(([start, change], at) => {
    value += change;
    return { start: seconds(start), end: seconds(moments[at + 1]?.[0] ?? start), value: Math.max(0, value) };
  });
}

/** The value at a moment; null: before or after all samples. */
export const counterAt = ({ steps }: Counter, at: Seconds): number | null =>
  steps.find((step) => step.start <= at && at < step.end)?.value ?? null;

/** SVG path of the steps that are visible. */
export function counterPath({ steps, peak }: Counter, view: TimeWindow, width: CssPixels, height: number): string {
  const y = (value: number): string => (height - (value / peak) * height).toFixed(1);
  return steps
    .flatMap(({ start, end, value }) => {
      const part = visibleSpan({ start, end }, view, width);
      return part === null || value === 0 || end <= view.start || start >= view.end
        ? []
        : [`M${part.x.toFixed(1)} ${height}V${y(value)}H${(part.x + Math.max(0.5, part.width)).toFixed(1)}V${height}Z`];
    })
    .join("");
}

export const counterText = ({ unit }: Counter, value: number): string =>
  formatByUnit(Number(value.toPrecision(3)), unit);
