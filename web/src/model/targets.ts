/** Load of the storage targets. */

import type { Theme } from "../base/colours";
import { KIND_HEX, seriesHex } from "../base/colours";
import { formatBytes, formatRate } from "../base/format";
import { text } from "../base/text";
import type { Description } from "../data/interface";
import type { Report, Value } from "../data/report";
import type { Chart } from "./chart";
import { axis } from "./chart";
import type { Column } from "./table";
import type { MetricRow } from "./metric";
import { metricRowsOf, numberOf, numberOr, textOf } from "./metric";

export interface TargetSum {
  readonly target: number;
  readonly bytes: number;
  readonly time_s: number | null;
}

export function targetSums(report: Report, log: number | null): TargetSum[] {
  const sums = new Map<number, TargetSum>();
  for (const row of metricRowsOf(report.metrics.target_load ?? null, log)) {
    const target = numberOr(row("ost_id"), -1);
    const before = sums.get(target);
    const time = numberOf(row("time_s"));
    sums.set(target, {
      target,
      bytes: (before?.bytes ?? 0) + numberOr(row("bytes"), 0),
      time_s: time === null ? (before?.time_s ?? null) : (before?.time_s ?? 0) + time,
    });
  }
  return [...sums.values()].sort((a, b) => a.target - b.target);
}

/** One bar per target; `what` is a column of `target_load`. */
export function targetChart(
  report: Report,
  log: number | null,
  what: "bytes" | "time_s" | "bandwidth_bytes_per_s",
  theme: Theme,
): Chart | null {
  const rows = metricRowsOf(report.metrics.target_load ?? null, log);
  const targets = [...new Set(rows.map((row) => numberOr(row("ost_id"), -1)))].sort((a, b) => a - b);
  if (targets.length === 0) return null;
  const of = (target: number, op: string): MetricRow | undefined =>
    rows.find((row) => row("ost_id") === target && row("op") === op);
  const sums = targetSums(report, log);
  const hottest = sums.reduce((a, b) => (b.bytes > a.bytes ? b : a));
  const mean = sums.reduce((sum, one) => sum + one.bytes, 0) / sums.length;
  const summary = {
    bytes: text.targets.summary(
      hottest.target,
      formatBytes(hottest.bytes),
      (hottest.bytes / Math.max(1, mean)).toFixed(2),
    ),
    time_s: "Time of the requests, divided among targets by their bytes.",
    bandwidth_bytes_per_s: "Bytes per second. A target far below the others is slow, or shared with other jobs.",
  }[what];
  const title = { bytes: text.targets.load, time_s: text.targets.time, bandwidth_bytes_per_s: text.targets.speed }[
    what
  ];
  const unit = { bytes: "bytes", time_s: "s", bandwidth_bytes_per_s: "bytes/s" }[what];
  return {
    title,
    summary,
    x: axis("storage target", "", { names: targets.map(String) }),
    y: axis(title.toLowerCase(), unit),
    series: (["read", "write"] as const)
      .map((op) => ({
        name: text.kinds[op],
        colour: KIND_HEX[theme][op],
        shape: what === "bandwidth_bytes_per_s" ? ("dots" as const) : ("bar" as const),
        x: targets.map((_, at) => at),
        y: targets.map((target) => numberOf(of(target, op)?.(what) ?? null)),
      }))
      .filter((series) => series.y.some((value) => value !== null)),
    is_stacked: what !== "bandwidth_bytes_per_s",
    pick: (place) => ({ selection: { targets: [targets[place] ?? -1] } }),
  };
}

const column = (name: string, unit: string, doc: string): Column => ({ name, label: name, unit, doc });

export const LAYOUT_COLUMNS: readonly Column[] = [
  column("file", "", "name as recorded"),
  column("stripe size", "bytes", "bytes on a target before the next one follows"),
  column("targets", "targets", "storage targets that the file is spread over"),
  column("bytes", "bytes", "bytes read and written by the lowest layer; empty: not recorded"),
  column(
    "bytes per target",
    "bytes",
    "the same, if they are spread evenly: which target got how many is in single calls only",
  ),
];

/** How files lie on storage targets, where it was recorded: known from counters, too. */
export function layoutRows(description: Description, report: Report, pathOf: (id: string) => string): Value[][] {
  const moved = new Map<string, number>();
  for (const row of metricRowsOf(report.metrics.file_layer ?? null)) {
    if (row("layer") !== "posix") continue;
    const id = textOf(row("file_id"));
    moved.set(id, (moved.get(id) ?? 0) + numberOr(row("bytes_read"), 0) + numberOr(row("bytes_written"), 0));
  }
  return description.files
    .filter((file) => file.stripe_count !== null || file.stripe_bytes !== null)
    .map((file) => {
      const bytes = moved.get(file.file_id) ?? null;
      const count = file.stripe_count;
      return [pathOf(file.file_id), file.stripe_bytes, count, bytes, bytes === null || !count ? null : bytes / count];
    });
}

/** How fast each target serves the files that lie on it alone: known from counters, too. */
export function targetSpeedChart(report: Report, log: number | null, theme: Theme): Chart | null {
  const rows = metricRowsOf(report.metrics.target_speed ?? null, log).filter(
    (row) => numberOf(row("median_bytes_per_s")) !== null,
  );
  if (rows.length < 2) return null;
  const sorted = [...rows].sort((a, b) => numberOr(a("ost_id"), -1) - numberOr(b("ost_id"), -1));
  const slowest = rows.reduce((most, row) =>
    numberOr(row("slowdown_ratio"), 0) > numberOr(most("slowdown_ratio"), 0) ? row : most,
  );
  const typical = numberOf(slowest("typical_bytes_per_s"));
  return {
    title: text.targets.fileSpeed,
    summary: text.targets.fileSpeedSummary(
      numberOr(slowest("ost_id"), -1),
      formatRate(numberOf(slowest("median_bytes_per_s"))),
      formatRate(typical),
    ),
    x: axis("storage target", "", { names: sorted.map((row) => String(numberOr(row("ost_id"), -1))) }),
    y: axis("bandwidth of files", "bytes/s"),
    series: [
      {
        name: text.targets.fileSpeed,
        colour: seriesHex(theme, 0),
        shape: "bar",
        x: sorted.map((_, at) => at),
        y: sorted.map((row) => numberOf(row("median_bytes_per_s"))),
      },
    ],
    is_stacked: false,
    pick: (place) => ({ selection: { targets: [numberOr(sorted[place]?.("ost_id") ?? null, -1)] } }),
    ...(typical === null ? {} : { lines: [{ at: typical, on: "y" as const, name: "typical" }] }),
  };
}
