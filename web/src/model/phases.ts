/** Phases of the run, and in each the ranks that held it up. */

import type { Theme } from "../base/colours";
import { KIND_HEX, seriesHex } from "../base/colours";
import { formatRatio, formatSeconds } from "../base/format";
import { layerName, text } from "../base/text";
import type { Seconds } from "../base/units";
import { seconds } from "../base/units";
import type { Activity } from "../data/interface";
import type { MetricTable, Report } from "../data/report";
import type { Chart, Pick } from "./chart";
import { axis } from "./chart";
import { seriesOf } from "./activity";
import { metricRowsOf, numberOf, numberOr, textOf } from "./metric";
import type { TimeWindow } from "./time_axis";

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

/** When a phase reads and when it writes, in cells of the run. */
export interface PhasePart {
  readonly kind: "read" | "write";
  readonly phase: Phase;
  readonly start: Seconds;
  readonly end: Seconds;
}

/** From the first to the last cell of each phase in which bytes of a kind move. `activity` covers `window`. */
export function phaseParts(phases: readonly Phase[], activity: Activity, window: TimeWindow): PhasePart[] {
  const cell_s = (window.end - window.start) / activity.cells;
  const cellOf = (at: number): number => Math.floor((at - window.start) / cell_s);
  return phases.flatMap((phase) =>
    (["read", "write"] as const).flatMap((kind) => {
      const series = activity.layers.map((layer) => seriesOf(activity, activity.bytes_per_s, layer, kind));
      const [first, last] = [Math.max(0, cellOf(phase.start)), Math.min(activity.cells - 1, cellOf(phase.end))];
      let [from, to] = [-1, -1];
      for (let cell = first; cell <= last; cell += 1) {
        if (!series.some((values) => (values[cell] ?? 0) > 0)) continue;
        if (from < 0) from = cell;
        to = cell;
      }
      if (from < 0) return [];
      // Cells are coarser than phases: the ends of the phase are exact.
      const start = seconds(Math.max(phase.start, window.start + from * cell_s));
      const end = seconds(Math.min(phase.end, window.start + (to + 1) * cell_s));
      return [{ kind, phase, start, end }];
    }),
  );
}

/**
 * Bandwidth of each phase, as long as it is wide. `parts`: reads and writes where they happen; null: not known, both
 * over the whole phase.
 */
export function phaseChart(
  report: Report,
  layer: string,
  log: number | null,
  theme: Theme,
  window: TimeWindow | null = null,
  parts: readonly PhasePart[] | null = null,
): Chart {
  const phases = phasesOf(report, layer, log);
  const bytesOf = (phase: Phase, kind: "read" | "write"): number =>
    kind === "read" ? phase.bytes_read : phase.bytes_written;
  const spansOf = (kind: "read" | "write"): readonly Omit<PhasePart, "kind">[] =>
    parts === null
      ? phases.map((phase) => ({ phase, start: phase.start, end: phase.end }))
      : parts.filter((part) => part.kind === kind);
  const of = (kind: "read" | "write") => {
    const spans = spansOf(kind);
    return {
      name: text.kinds[kind],
      colour: KIND_HEX[theme][kind],
      shape: "bar" as const,
      x: spans.map(({ start }) => start as number),
      x_end: spans.map(({ end }) => end as number),
      y: spans.map(({ phase, start, end }) => bytesOf(phase, kind) / Math.max(1e-9, end - start)),
    };
  };
  const picked = [...phases.map((phase) => ({ at: phase.start, phase }))];
  for (const { start, phase } of parts ?? []) picked.push({ at: start, phase });
  return {
    title: `${text.phases.timeline}: ${layerName(layer)}`,
    summary: phaseSummary(report, layer),
    x: axis("time", "s", window === null ? {} : { covers: [window.start, window.end] }),
    y: axis(parts === null ? "bandwidth of the phase" : "bandwidth while it reads, while it writes", "bytes/s"),
    series: [of("read"), of("write")],
    is_stacked: parts === null,
    pick: pickPhase(picked),
  };
}
