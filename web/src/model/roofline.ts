/** I/O phases under the highest bandwidth that `diya calibrate` measured. */

import type { Theme } from "../base/colours";
import { KIND_HEX, seriesHex } from "../base/colours";
import { formatRatio } from "../base/format";
import { text } from "../base/text";
import type { Report } from "../data/report";
import type { Chart } from "./chart";
import { axis } from "./chart";
import { metricRowsOf, numberOf, numberOr } from "./metric";

/** null: no machine profile was given, or it is of another file system. */
export function rooflineChart(report: Report, log: number | null, theme: Theme): Chart | null {
  const roofs = metricRowsOf(report.metrics.roof ?? null, log);
  const phases = metricRowsOf(report.metrics.roofline ?? null, log).filter(
    (row) => numberOr(row("bandwidth_bytes_per_s"), 0) > 0 && numberOr(row("request_bytes"), 0) > 0,
  );
  if (roofs.length === 0 || phases.length === 0) return null;
  const ops = (["read", "write"] as const).filter((op) => phases.some((row) => row("op") === op));
  const points = (rows: typeof phases, shape: "dots" | "line", name: string, colour: string) => {
    const sorted = [...rows].sort((a, b) => numberOr(a("request_bytes"), 0) - numberOr(b("request_bytes"), 0));
    return {
      name,
      colour,
      shape,
      x: sorted.map((row) => numberOr(row("request_bytes"), 0)),
      y: sorted.map((row) => numberOf(row("bandwidth_bytes_per_s"))),
    };
  };
  const roofOf = (op: "read" | "write", isTogether: boolean, colour: string) => {
    const of = roofs.filter((row) => row("op") === op && row("is_together") === isTogether);
    return points(of, "line", text.phases.roofOf(text.kinds[op], numberOr(of[0]?.("workers") ?? null, 1)), colour);
  };
  const bytes = (row: (typeof phases)[number]): number => numberOr(row("bytes"), 0);
  const largest = phases.reduce((most, row) => (bytes(row) > bytes(most) ? row : most));
  const series = ops.flatMap((op, place) => [
    roofOf(op, false, seriesHex(theme, 2 * place)),
    roofOf(op, true, seriesHex(theme, 2 * place + 1)),
    points(
      phases.filter((row) => row("op") === op),
      "dots",
      text.kinds[op],
      KIND_HEX[theme][op],
    ),
  ]);
  return {
    title: text.phases.roofline,
    summary: text.phases.roofSummary(formatRatio(numberOf(largest("roof_ratio")))),
    x: axis("size of requests", "bytes", { is_log: true }),
    y: axis("bandwidth", "bytes/s", { is_log: true }),
    series: series.filter(({ x }) => x.length > 0),
    is_stacked: false,
  };
}
