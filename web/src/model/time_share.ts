/** Mean time per process by layer and kind of call. */

import type { Theme } from "../base/colours";
import { KIND_HEX } from "../base/colours";
import { formatSeconds } from "../base/format";
import type { Kind } from "../base/kinds";
import { layerName, text } from "../base/text";
import type { MetricTable } from "../data/report";
import type { Chart } from "./chart";
import { axis } from "./chart";
import { metricRowsOf, numberOf, sumOf, textOf } from "./metric";

const KINDS: readonly Kind[] = ["read", "write", "metadata"];

export function timeShareChart(table: MetricTable | null, theme: Theme): Chart | null {
  const rows = metricRowsOf(table);
  const layers = [...new Set(rows.map((row) => textOf(row("layer"))))];
  if (layers.length === 0) return null;
  const of = (layer: string, kind: Kind): number | null =>
    sumOf(rows.filter((row) => row("layer") === layer && row("op") === kind).map((row) => numberOf(row("process_s"))));
  const parts = layers.flatMap((layer) => {
    const times = KINDS.flatMap((kind) => {
      const time = of(layer, kind);
      return time === null || time === 0 ? [] : `${text.kinds[kind]} ${formatSeconds(time)}`;
    });
    return times.length > 0 ? `${layerName(layer)}: ${times.join(", ")}` : [];
  });
  return {
    title: text.diagnosis.whereTimeWent,
    summary: text.diagnosis.whereTimeWentSummary(parts.join("; ")),
    x: axis("layer; each one's time contains that of the layers below it", "", { names: layers.map(layerName) }),
    y: axis("mean time per process", "s"),
    series: KINDS.map((kind) => ({
      name: text.kinds[kind], colour: KIND_HEX[theme][kind], shape: "bar", is_hatched: kind === "metadata",
      x: layers.map((_, at) => at), y: layers.map((layer) => of(layer, kind)),
    })),
    is_stacked: true,
  };
}
