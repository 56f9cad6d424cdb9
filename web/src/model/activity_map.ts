/** Ranks over time without single calls: pictures of table `activity_map`, which says how it came about. */

import { formatSeconds } from "../base/format";
import { layerName, text } from "../base/text";
import { BOTTOM_UP } from "../base/generated/layers";
import type { Plane, Tile } from "../data/interface";
import type { Report } from "../data/report";
import type { MapAxis } from "./map";
import type { MetricRow } from "./metric";
import { metricRowsOf, numberOr, textOf } from "./metric";

export interface ActivityMap {
  readonly layer: string;
  readonly title: string;
  readonly summary: string;
  readonly is_estimate: boolean;
  readonly x: MapAxis;
  readonly y: MapAxis;
  readonly tile: Tile;
  /** Ranks of each row of the tile; null: files that all ranks share. */
  readonly ranks: readonly (readonly number[] | null)[];
}

function mapOf(layer: string, rows: readonly MetricRow[], run_s: number): ActivityMap {
  const bin_s = Math.min(...rows.map((row) => numberOr(row("end_s"), 0) - numberOr(row("start_s"), 0)));
  const end_s = Math.max(run_s, ...rows.map((row) => numberOr(row("end_s"), 0)));
  const width = Math.max(1, Math.ceil(end_s / bin_s - 1e-6));
  const counts = new Map(rows.map((row) => [numberOr(row("rank"), -1), numberOr(row("ranks"), 1)]));
  const firsts = [...counts.keys()].sort((a, b) => a - b);
  const place = new Map(firsts.map((rank, at) => [rank, at]));
  const planes = new Map<Plane, Float32Array>([
    ["busy_read", new Float32Array(width * firsts.length)],
    ["busy_write", new Float32Array(width * firsts.length)],
  ]);
  for (const row of rows) {
    const plane = planes.get(row("op") === "read" ? "busy_read" : "busy_write");
    const at =
      (place.get(numberOr(row("rank"), -1)) ?? 0) * width +
      Math.min(width - 1, Math.round(numberOr(row("start_s"), 0) / bin_s));
    if (plane) plane[at] = (plane[at] ?? 0) + numberOr(row("bytes"), 0);
  }
  let most = 0;
  for (const plane of planes.values()) for (const value of plane) most = Math.max(most, value);
  // the busiest cell has full strength
  for (const plane of planes.values()) plane.forEach((value, at) => (plane[at] = value / most));
  const ranks = firsts.map((first) =>
    first < 0 ? null : Array.from({ length: counts.get(first) ?? 1 }, (_, at) => first + at),
  );
  const names = ranks.map((group) =>
    group === null ? text.activityMap.shared : group.length > 1 ? `${group[0]}–${group.at(-1)}` : String(group[0]),
  );
  const isEstimate = rows.some((row) => row("is_estimate") === true);
  return {
    layer,
    is_estimate: isEstimate,
    ranks,
    title: text.activityMap.title(layerName(layer)),
    summary: isEstimate ? text.activityMap.estimate : text.activityMap.exact(formatSeconds(bin_s)),
    x: { of: "time", from: 0, to: width * bin_s, is_log: false, label: "time", unit: "s", names: null },
    y: { of: "track", from: 0, to: firsts.length, is_log: false, label: "rank", unit: "rank", names },
    tile: { width, height: firsts.length, planes, is_exact: !isEstimate },
  };
}

/** One picture per layer with bytes; empty where calls or nothing at all was recorded. */
export function activityMaps(report: Report, log: number | null): ActivityMap[] {
  const rows = metricRowsOf(report.metrics.activity_map ?? null, log);
  const byLayer = new Map<string, MetricRow[]>();
  for (const row of rows) {
    const layer = textOf(row("layer"));
    const list = byLayer.get(layer);
    if (list) list.push(row);
    else byLayer.set(layer, [row]);
  }
  const order = (layer: string): number => (BOTTOM_UP.indexOf(layer) + BOTTOM_UP.length + 1) % (BOTTOM_UP.length + 1);
  return [...byLayer]
    .sort(([a], [b]) => order(a) - order(b))
    .map(([layer, found]) => mapOf(layer, found, report.job.run_s ?? report.verdict.run_s ?? 0));
}
