/** Request sizes, and what each layer made of them. */

import type { Theme } from "../base/colours";
import { KIND_HEX } from "../base/colours";
import { formatRatio } from "../base/format";
import { layerName, text } from "../base/text";
import { BOTTOM_UP } from "../base/generated/layers";
import type { Report } from "../data/report";
import type { Chart, Pick } from "./chart";
import { axis } from "./chart";
import { sizeClassEnd, sizeName } from "./evidence";
import { metricRowsOf, numberOf, numberOr, textOf } from "./metric";

const OPS = ["read", "write"] as const;

/** Layers with request sizes, from the program down. */
export function sizedLayers(report: Report): string[] {
  const layers = new Set(metricRowsOf(report.metrics.size_distribution ?? null).map((row) => textOf(row("layer"))));
  return [...layers].sort((a, b) => BOTTOM_UP.indexOf(b) - BOTTOM_UP.indexOf(a));
}

/** Calls of one size class of a layer, from its first byte to that of the next class. */
export const pickSize =
  (layer: string, bins: readonly number[]) =>
  (place: number): Pick | null => {
    const low = bins[place];
    if (low === undefined) return null;
    const high = sizeClassEnd(low);
    return {
      view: "calls",
      selection: { layers: [layer], kinds: ["read", "write"], sizes: { low_bytes: low, end_bytes: high } },
    };
  };

/** Every layer has the same bins, so that one sees what moved from bin to bin. */
export function sizesChart(report: Report, layer: string, log: number | null, theme: Theme): Chart | null {
  const all = metricRowsOf(report.metrics.size_distribution ?? null, log);
  const bins = [...new Set(all.map((row) => numberOr(row("size_lo_bytes"), 0)))].sort((a, b) => a - b);
  const rows = all.filter((row) => row("layer") === layer);
  if (rows.length === 0) return null;
  const calls = rows.reduce((sum, row) => sum + numberOr(row("calls"), 0), 0);
  const small = rows
    .filter((row) => numberOr(row("size_lo_bytes"), 0) < 102400)
    .reduce((sum, row) => sum + numberOr(row("calls"), 0), 0);
  return {
    title: `${layerName(layer)}: ${text.transfer.sizes.toLowerCase()}`,
    summary: text.transfer.sizesSummary(layerName(layer), formatRatio(calls > 0 ? small / calls : null)),
    x: axis("size of the request", "", { names: bins.map(sizeName) }),
    y: axis("requests", "calls"),
    series: OPS.map((op) => ({
      name: text.kinds[op],
      colour: KIND_HEX[theme][op],
      shape: "bar" as const,
      x: bins.map((_, at) => at),
      y: bins.map((bin) => {
        const found = rows.filter((row) => row("op") === op && row("size_lo_bytes") === bin);
        return found.length === 0 ? null : found.reduce((sum, row) => sum + numberOr(row("calls"), 0), 0);
      }),
    })).filter((series) => series.y.some((value) => value !== null)),
    is_stacked: false,
    pick: pickSize(layer, bins),
  };
}

/** Shares of calls, bytes and time of one layer: where they part, requests have the wrong size. */
export function sizeTimeChart(report: Report, layer: string, log: number | null, theme: Theme): Chart | null {
  const all = metricRowsOf(report.metrics.size_time ?? null, log);
  const rows = all.filter((row) => row("layer") === layer);
  if (rows.length === 0) return null;
  // The bins of the picture beside it, so that bars stand in the same places.
  const counted = metricRowsOf(report.metrics.size_distribution ?? null, log);
  const bins = [...new Set([...all, ...counted].map((row) => numberOr(row("size_lo_bytes"), 0)))].sort((a, b) => a - b);
  return {
    title: `${layerName(layer)}: ${text.transfer.sizesTime.toLowerCase()}`,
    summary: "Time in the requests of each size, summed over ranks.",
    x: axis("size of the request", "", { names: bins.map(sizeName) }),
    y: axis("time", "s"),
    series: OPS.map((op) => ({
      name: text.kinds[op],
      colour: KIND_HEX[theme][op],
      shape: "bar" as const,
      x: bins.map((_, at) => at),
      y: bins.map((bin) =>
        numberOf(rows.find((row) => row("op") === op && row("size_lo_bytes") === bin)?.("time_s") ?? null),
      ),
    })).filter((series) => series.y.some((value) => value !== null)),
    is_stacked: true,
    pick: pickSize(layer, bins),
  };
}
