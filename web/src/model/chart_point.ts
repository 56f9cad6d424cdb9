/** What lies under the pointer in a chart. */

import { formatByUnit } from "../base/format";
import { visible } from "../base/visible";
import type { Chart } from "./chart";
import { chartLayout } from "./chart";

export interface ChartPoint {
  /** Value on the horizontal axis. */
  readonly value: number;
  /** Place of the mark, pixels. */
  readonly x: number;
  readonly y: number;
  /** Its values, one line for each series. */
  readonly lines: readonly string[];
}

/** Farther from every mark, the pointer points at nothing; pixels. */
const NEAR_PIXELS = 24;

/** The mark that is nearest to a place in the picture; null: none is near. Up and down counts among dots only. */
export function pointAt(chart: Chart, width: number, height: number, px: number, py: number): ChartPoint | null {
  const layout = chartLayout(chart, width, height);
  if (px < layout.left - NEAR_PIXELS || px > width || py > layout.bottom) return null;
  let best: { value: number; x: number; y: number; far: number } | null = null;
  for (const series of chart.series) {
    const hasDots = series.shape === "dots";
    series.x.forEach((value, at) => {
      const y = series.y[at];
      if (y == null) return;
      const end = series.x_end?.[at];
      const [from, to] = [layout.x.of(value), layout.x.of(end ?? value)];
      const beside = Math.max(0, from - px, px - to);
      const mark = { value, x: (from + to) / 2, y: layout.y.of(y) };
      const far = hasDots ? Math.hypot(beside, mark.y - py) : beside;
      if (best === null || far < best.far) best = { ...mark, far };
    });
  }
  const near = best as { value: number; x: number; y: number; far: number } | null;
  const slot = chart.x.names || chart.x.unit === "rank" ? Math.abs(layout.x.of(1) - layout.x.of(0)) / 2 : 0;
  if (near === null || near.far > Math.max(NEAR_PIXELS, slot)) return null;
  return { value: near.value, x: near.x, y: near.y, lines: linesOf(chart, near.value) };
}

/** Places with marks from left to right, for the arrow keys. */
export function placesOf(chart: Chart): number[] {
  return [...new Set(chart.series.flatMap((series) => series.x.filter((_, at) => series.y[at] != null)))].sort(
    (a, b) => a - b,
  );
}

/** The mark at a place of `placesOf`. */
export function pointOf(chart: Chart, width: number, height: number, value: number): ChartPoint | null {
  const layout = chartLayout(chart, width, height);
  for (const series of chart.series) {
    const at = series.x.indexOf(value);
    const y = series.y[at];
    if (y == null) continue;
    return {
      value,
      x: (layout.x.of(value) + layout.x.of(series.x_end?.[at] ?? value)) / 2,
      y: layout.y.of(y),
      lines: linesOf(chart, value),
    };
  }
  return null;
}

function linesOf(chart: Chart, value: number): string[] {
  const name = chart.x.names?.[value];
  const where = name === undefined ? `${chart.x.label}: ${formatByUnit(value, chart.x.unit)}` : visible(name);
  const values = chart.series.flatMap((series) => {
    const at = series.x.indexOf(value);
    const y = series.y[at];
    return at < 0 || y == null
      ? []
      : [`${chart.series.length > 1 ? `${series.name}: ` : ""}${formatByUnit(y, chart.y.unit)}`];
  });
  return [where, ...values];
}
