/** A small chart for a finding, out of the numbers that prove it. */

import type { Theme } from "../base/colours";
import { KIND_HEX, seriesHex } from "../base/colours";
import { formatBytes } from "../base/format";
import { text } from "../base/text";
import type { Finding, Report } from "../data/report";
import type { Chart } from "./chart";
import { axis } from "./chart";
import { metricRowsOf, numberOf, textOf } from "./metric";
import type { SizeClass } from "./size_class";

/** Checks that are about request sizes are proved best by the sizes themselves. */
const ABOUT_SIZES = /small|unaligned|request|metadata|size/;
const OF_LIBRARIES = /^(hdf5|netcdf|pnetcdf)\//;
const ABOUT_RANKS = /rank|straggl|imbalance|held-up/;
const ABOUT_TARGETS = /lustre|target|stripe|ost/;

/** null where no picture says more than the sentence. */
export function evidenceChart(finding: Finding, report: Report, theme: Theme): Chart | null {
  if (ABOUT_RANKS.test(finding.id))
    return (
      rankChart(finding, report, theme) ?? (ABOUT_SIZES.test(finding.id) ? sizeChart(finding, report, theme) : null)
    );
  if (ABOUT_TARGETS.test(finding.id)) return targetChart(report, theme) ?? sizeChart(finding, report, theme);
  return ABOUT_SIZES.test(finding.id) ? sizeChart(finding, report, theme) : null;
}

function sizeChart(finding: Finding, report: Report, theme: Theme): Chart | null {
  const named = finding.evidence.map(({ values }) => ({
    layer: textOf(values.layer ?? null),
    op: textOf(values.op ?? null),
  }));
  // Requests below a library are others than its calls: their sizes would prove the opposite.
  const isOfLibrary = OF_LIBRARIES.test(finding.id);
  const layer =
    named.find((one) => one.layer !== "")?.layer ??
    (isOfLibrary ? null : finding.id.startsWith("mpiio") ? "mpiio" : "posix");
  if (layer === null) return null;
  const op = named.find((one) => one.op === "read" || one.op === "write")?.op ?? "read";
  const rows = metricRowsOf(report.metrics.size_time ?? null).filter(
    (row) => row("layer") === layer && row("op") === op,
  );
  if (rows.length < 2) return null;
  const lows = rows.map((row) => numberOf(row("size_lo_bytes")) ?? 0);
  const series = (name: string, column: string, colour: string) => ({
    name,
    colour,
    shape: "bar" as const,
    x: lows.map((_, at) => at),
    y: rows.map((row) => numberOf(row(column))),
  });
  return {
    title: `${layer === "posix" ? "POSIX" : layer} ${op}s by request size`,
    summary:
      "Share of the calls, bytes and time by request size. If a size has much time and few bytes, its " +
      "requests are too small.",
    pick: (place) => {
      const low = lows[place];
      return low === undefined
        ? null
        : {
            view: "calls",
            selection: {
              layers: [layer],
              kinds: [op === "write" ? "write" : "read"],
              sizes: { low_bytes: low, end_bytes: sizeClassEnd(low) },
            },
          };
    },
    x: axis("size of the request", "", { names: lows.map((low) => sizeName(low)) }),
    y: axis("share", "share"),
    series: [
      series("calls", "calls_ratio", seriesHex(theme, 0)),
      series("bytes", "bytes_ratio", seriesHex(theme, 2)),
      series("time", "time_ratio", seriesHex(theme, 1)),
    ],
    is_stacked: false,
  };
}

const EDGE_NAMES = ["0", "100 B", "1 K", "10 K", "100 K", "1 M", "4 M", "10 M", "100 M", "1 G"];
const EDGES = [0, 101, 1025, 10241, 102401, 1048577, 4194305, 10485761, 104857601, 1073741825];

/** Darshan's bins by the edges that its users know: `1 K–10 K` begins at 1025 bytes. */
export function sizeName(low_bytes: number): string {
  const at = EDGES.findIndex((edge) => Math.abs(edge - low_bytes) <= 1);
  if (at < 0) return String(low_bytes);
  return at === EDGES.length - 1 ? "> 1 G" : `${EDGE_NAMES[at]}–${EDGE_NAMES[at + 1]}`;
}

/** A class of sizes by its name, else by its ends. */
export function sizesText({ low_bytes, end_bytes }: SizeClass): string {
  if (EDGES.includes(low_bytes) && sizeClassEnd(low_bytes) === end_bytes) return sizeName(low_bytes);
  if (end_bytes === null) return `from ${formatBytes(low_bytes)}`;
  return low_bytes === 0 ? `below ${formatBytes(end_bytes)}` : `${formatBytes(low_bytes)} to ${formatBytes(end_bytes)}`;
}

/** Where the next class begins; null: this is the last one. */
export function sizeClassEnd(low_bytes: number): number | null {
  const at = EDGES.findIndex((edge) => Math.abs(edge - low_bytes) <= 1);
  return EDGES[at + 1] ?? null;
}

/** Ranks whose times differ by less are alike: a picture of them shows nothing. */
const UNLIKE = 1.2;

function rankChart(finding: Finding, report: Report, theme: Theme): Chart | null {
  const rows = metricRowsOf(report.metrics.rank_io ?? null).filter((row) => (numberOf(row("rank")) ?? -1) >= 0);
  const times = rows.map((row) => numberOf(row("io_s")) ?? 0);
  if (rows.length < 2 || Math.max(...times) < UNLIKE * Math.min(...times)) return null;
  const named = new Set(finding.ranks);
  const part = (isNamed: boolean) => rows.filter((row) => named.has(numberOf(row("rank")) ?? -1) === isNamed);
  const series = (name: string, isNamed: boolean, colour: string) => ({
    name,
    colour,
    shape: "dots" as const,
    x: part(isNamed).map((row) => numberOf(row("rank")) ?? 0),
    y: part(isNamed).map((row) => numberOf(row("io_s"))),
  });
  return {
    title: text.ranks.time,
    summary: "Time in I/O of each rank; the ranks of this finding stand out.",
    pick: (place) => ({ view: "ranks", selection: { ranks: [place] } }),
    x: axis("rank", "rank"),
    y: axis("time in I/O", "s"),
    series: [
      series("other ranks", false, seriesHex(theme, 0)),
      series("ranks of this finding", true, seriesHex(theme, 1)),
    ].filter((one) => one.x.length > 0),
    is_stacked: false,
  };
}

function targetChart(report: Report, theme: Theme): Chart | null {
  const rows = metricRowsOf(report.metrics.target_load ?? null);
  if (rows.length === 0) return null;
  const ids = [...new Set(rows.map((row) => numberOf(row("ost_id")) ?? -1))].sort((a, b) => a - b);
  const series = (op: "read" | "write") => ({
    name: op,
    colour: KIND_HEX[theme][op],
    shape: "bar" as const,
    x: ids.map((_, at) => at),
    y: ids.map((id) => numberOf(rows.find((row) => row("ost_id") === id && row("op") === op)?.("bytes") ?? null)),
  });
  return {
    title: text.targets.load,
    summary: "Bytes on each storage target.",
    pick: (place) => ({ view: "targets", selection: { targets: [ids[place] ?? -1] } }),
    x: axis("storage target", "", { names: ids.map(String) }),
    y: axis("bytes", "bytes"),
    series: [series("read"), series("write")],
    is_stacked: true,
  };
}
