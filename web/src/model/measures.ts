/** What tracks are sorted by: from the metric tables, so that sorting asks nothing. */

import type { Description } from "../data/interface";
import type { Report } from "../data/report";
import { metricRowsOf, numberOf } from "./metric";
import type { TrackMeasures } from "./tracks";

/** NaN where no table contains it; a shared file counts only where single calls were recorded. */
export function measuresOf(description: Description, report: Report): TrackMeasures {
  const { log, rank } = description.tracks;
  const key = (of: number, at: number): string => `${of} ${at}`;
  const places = new Map(Array.from(rank, (at, index) => [key(log[index] ?? 0, at), index]));
  const empty = (): Float64Array => new Float64Array(rank.length).fill(Number.NaN);
  const measures = { time_s: empty(), bytes: empty(), first_s: empty() };
  const put = (
    column: Float64Array,
    row: number | undefined,
    value: number | null,
    join: (a: number, b: number) => number,
  ): void => {
    if (row === undefined || value === null) return;
    const before = column[row] ?? Number.NaN;
    column[row] = Number.isNaN(before) ? value : join(before, value);
  };
  const sum = (a: number, b: number): number => a + b;
  const placeOf = (row: (name: string) => unknown): number | undefined =>
    places.get(key(Number(row("log") ?? 0), Number(row("rank"))));
  for (const row of metricRowsOf(report.metrics.rank_io ?? null)) {
    put(measures.time_s, placeOf(row), numberOf(row("io_s")), sum);
    put(measures.bytes, placeOf(row), numberOf(row("bytes")), sum);
  }
  for (const row of metricRowsOf(report.metrics.phase_rank ?? null)) {
    put(measures.first_s, placeOf(row), numberOf(row("first_s")), Math.min);
  }
  return measures;
}
