/** Phases of the run, and in each the ranks that held it up. */

import type { Theme } from "../base/colours";
import { KIND_HEX, seriesHex } from "../base/colours";
import { formatRatio, formatSeconds } from "../base/format";
import { layerName, text } from "../base/text";
import type { Seconds } from "../base/units";
import { seconds } from "../base/units";
import type { MetricTable, Report } from "../data/report";
import type { Chart, Pick } from "./chart";
import { axis } from "./chart";
import { metricRowsOf, numberOf, numberOr, textOf } from "./metric";

export interface Phase {
  readonly log: number;
  readonly layer: string;
  readonly phase: number;
  readonly start: Seconds;
  readonly end: Seconds;
  readonly bytes_read: number;
  readonly bytes_written: number;
  readonly ranks: number;
}

/** Phases of single calls; without any, those that Darshan's heat maps show, exact to a bin. */
const phaseTable = (report: Report): MetricTable | null =>
  (isFromHeatMaps(report) ? report.metrics.heatmap_phase : report.metrics.phase) ?? null;

export const isFromHeatMaps = (report: Report): boolean =>
  (report.metrics.phase?.rows.length ?? 0) === 0 && (report.metrics.heatmap_phase?.rows.length ?? 0) > 0;

export function phasesOf(report: Report, layer: string | null, log: number | null): Phase[] {
  return metricRowsOf(phaseTable(report), log)
    .filter((row) => layer === null || row("layer") === layer)
    .map((row) => ({
      log: numberOr(row("log"), 0),
      layer: textOf(row("layer")),
      phase: numberOr(row("phase"), 0),
      start: seconds(numberOr(row("start_s"), 0)),
      end: seconds(numberOr(row("end_s"), 0)),
      bytes_read: numberOr(row("bytes_read"), 0),
      bytes_written: numberOr(row("bytes_written"), 0),
      ranks: numberOr(row("ranks"), 0),
    }));
}

/** Layers with phases, the one nearest to the file system first: its calls are what storage saw. */
export function phaseLayers(report: Report): string[] {
  const layers = [...new Set(metricRowsOf(phaseTable(report)).map((row) => textOf(row("layer"))))];
  return layers.sort((a, b) => Number(b === "posix") - Number(a === "posix"));
}

/** A phase is a read or a write phase by its bytes. */
export const kindOfPhase = (phase: Phase): "read" | "write" =>
  phase.bytes_read > phase.bytes_written ? "read" : "write";

export function phaseSummary(report: Report, layer: string): string {
  const row = metricRowsOf(
    (isFromHeatMaps(report) ? report.metrics.heatmap_summary : report.metrics.phase_summary) ?? null,
  ).find((one) => one("layer") === layer);
  if (row === undefined) return text.phases.plain;
  const words = [
    text.phases.summary(numberOr(row("phases"), 0), layerName(layer), formatRatio(numberOf(row("duty_ratio")))),
  ];
  const period = numberOf(row("period_s"));
  const spread = numberOf(row("period_spread_ratio"));
  if (period !== null)
    words.push(
      `A phase starts every ${formatSeconds(period)} on average` +
        (spread === null ? "." : ` (±${formatRatio(spread)}).`),
    );
  if (isFromHeatMaps(report)) words.push(text.phases.heatMaps(formatSeconds(numberOf(row("bin_width_s")))));
  return words.join(" ");
}

/** Time in calls of each rank in one phase. */
export function phaseRanksChart(report: Report, { layer, phase, log }: Phase, theme: Theme): Chart | null {
  const rows = metricRowsOf(report.metrics.phase_rank ?? null, log).filter(
    (row) => row("layer") === layer && row("phase") === phase,
  );
  if (rows.length === 0) return null;
  const ranks = rows.map((row) => numberOr(row("rank"), 0));
  const longest = rows.reduce((most, row) =>
    numberOr(row("longest_s"), 0) > numberOr(most("longest_s"), 0) ? row : most,
  );
  return {
    title: text.phases.ranksOf(phase),
    summary:
      `Time in ${layerName(layer)} calls of each rank, and how long its longest call took. The longest, ` +
      `${formatSeconds(numberOf(longest("longest_s")))}, was made by rank ${textOf(longest("rank"))}.`,
    x: axis("rank", "rank"),
    y: axis("time in calls", "s"),
    series: [
      {
        name: "in calls",
        colour: seriesHex(theme, 0),
        shape: "dots",
        x: ranks,
        y: rows.map((row) => numberOf(row("io_s"))),
      },
      {
        name: "longest call",
        colour: seriesHex(theme, 1),
        shape: "dots",
        x: ranks,
        y: rows.map((row) => numberOf(row("longest_s"))),
      },
    ],
    is_stacked: false,
  };
}

/** A mark of a phase selects its time. */
const pickPhase =
  (phases: readonly { readonly at: number; readonly phase: Phase }[]) =>
  (place: number): Pick | null => {
    const found = phases.find(({ at }) => at === place)?.phase;
    return found
      ? {
          selection: { time: { start: found.start, end: found.end } },
          options: { "phases.phase": String(found.phase) },
        }
      : null;
  };

/** What the others waited in each phase. */
export function waitedChart(report: Report, layer: string, log: number | null, theme: Theme): Chart | null {
  const rows = metricRowsOf(report.metrics.phase_straggler ?? null, log).filter((row) => row("layer") === layer);
  if (rows.length === 0) return null;
  const x = rows.map((row) => numberOr(row("phase"), 0));
  const series = (name: string, column: string, colour: string) => ({
    name,
    colour,
    shape: "bar" as const,
    x,
    y: rows.map((row) => numberOf(row(column))),
  });
  const total = rows.reduce((sum, row) => sum + numberOr(row("waited_s"), 0), 0);
  return {
    title: text.phases.waited,
    summary: `Time from the median end of the ranks to the end of the phase: ${formatSeconds(total)} over all phases.`,
    x: axis("phase", "index"),
    y: axis("time", "s"),
    pick: pickPhase(phasesOf(report, layer, log).map((phase) => ({ at: phase.phase, phase }))),
    series: [
      series("slowest rank in calls", "slowest_io_s", seriesHex(theme, 1)),
      series("median rank in calls", "median_io_s", seriesHex(theme, 0)),
      series("waited for the last", "waited_s", seriesHex(theme, 2)),
    ],
    is_stacked: false,
  };
}

/** The phase in which the others waited longest; without that table the longest one. */
export function costliestPhase(report: Report, phases: readonly Phase[]): Phase | null {
  const rows = metricRowsOf(report.metrics.phase_straggler ?? null);
  const cost = (phase: Phase): number => {
    const row = rows.find(
      (one) => one("layer") === phase.layer && one("phase") === phase.phase && numberOr(one("log"), 0) === phase.log,
    );
    return numberOf(row?.("waited_s") ?? null) ?? 0;
  };
  const costs = phases.map((phase) => ({ phase, cost: cost(phase), length: phase.end - phase.start }));
  return costs.sort((a, b) => b.cost - a.cost || b.length - a.length)[0]?.phase ?? null;
}

/** Bandwidth of each phase, as long as it is wide. */
export function phaseChart(report: Report, layer: string, log: number | null, theme: Theme): Chart {
  const phases = phasesOf(report, layer, log);
  const of = (kind: "read" | "write") => ({
    name: text.kinds[kind],
    colour: KIND_HEX[theme][kind],
    shape: "bar" as const,
    x: phases.map((phase) => phase.start as number),
    x_end: phases.map((phase) => phase.end as number),
    y: phases.map(
      (phase) => (kind === "read" ? phase.bytes_read : phase.bytes_written) / Math.max(1e-9, phase.end - phase.start),
    ),
  });
  return {
    title: `${text.phases.timeline}: ${layerName(layer)}`,
    summary: phaseSummary(report, layer),
    x: axis("time", "s"),
    y: axis("bandwidth of the phase", "bytes/s"),
    series: [of("read"), of("write")],
    is_stacked: true,
    pick: pickPhase(phases.map((phase) => ({ at: phase.start, phase }))),
  };
}
