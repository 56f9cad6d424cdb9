/** What ranks and nodes did, and who stands out. */

import type { Theme } from "../base/colours";
import { classHex, KIND_HEX, seriesHex } from "../base/colours";
import { formatBytes, formatRatio, formatSeconds } from "../base/format";
import { layerName, text } from "../base/text";
import { ABOVE_OTHERS, BOTTOM_UP } from "../base/generated/layers";
import type { Description } from "../data/interface";
import type { Report } from "../data/report";
import type { Chart } from "./chart";
import { axis } from "./chart";
import type { MetricRow } from "./metric";
import { medianOf, metricRowsOf, numberOf, numberOr, sumOf, textOf } from "./metric";
import { classesInOrder } from "./time_account";

/** Rows of single ranks; -1 stands for files of all ranks. */
export function rankRows(
  report: Report,
  log: number | null,
): { readonly own: MetricRow[]; readonly shared: MetricRow[] } {
  const rows = metricRowsOf(report.metrics.rank_io ?? null, log);
  return {
    own: rows.filter((row) => numberOr(row("rank"), -1) >= 0),
    shared: rows.filter((row) => numberOr(row("rank"), -1) < 0),
  };
}

/** What a process is called at the start of a sentence. */
type NameOf = (rank: number) => string;
const ofRank: NameOf = (rank) => `rank ${rank}`;

/** A chart in the words for the processes of a log; where they are no ranks, their numbers are an order. */
export const chartInWords = (chart: Chart, isRanks: boolean, inWords: (words: string) => string): Chart =>
  isRanks
    ? chart
    : {
        ...chart,
        title: inWords(chart.title),
        summary: inWords(chart.summary),
        x: { ...chart.x, label: chart.x.label === "rank" ? text.ranks.inOrder : chart.x.label },
        series: chart.series.map((one) => ({ ...one, name: inWords(one.name) })),
        ...(chart.lines === undefined
          ? {}
          : { lines: chart.lines.map((one) => ({ ...one, name: inWords(one.name) })) }),
      };

/** From here on a bar of each rank is thinner than a line. */
const MANY_RANKS = 300;

/** What each rank spends its time on, in the classes of the account; null: there are only counters. */
export function rankAccountChart(
  report: Report,
  log: number | null,
  theme: Theme,
  nameOf: NameOf = ofRank,
): Chart | null {
  const table = report.metrics.account_rank;
  const rows = metricRowsOf(table ?? null, log);
  if (table === undefined || rows.length === 0 || table.rows_in_all > table.rows.length) return null;
  const sums = new Map<number, Map<string, number>>();
  for (const row of rows) {
    const [rank, of] = [numberOr(row("rank"), -1), textOf(row("class"))];
    const classes = sums.get(rank) ?? new Map<string, number>();
    sums.set(rank, classes.set(of, (classes.get(of) ?? 0) + numberOr(row("time_s"), 0)));
  }
  const ranks = [...sums.keys()].sort((a, b) => a - b);
  const all = (rank: number): number => [...(sums.get(rank)?.values() ?? [])].reduce((sum, one) => sum + one, 0);
  const slowest = ranks.reduce((most, rank) => (all(rank) > all(most) ? rank : most), ranks[0] ?? 0);
  const median = medianOf(ranks.map(all));
  const areFew = ranks.length <= MANY_RANKS;
  return {
    title: text.ranks.account,
    summary: text.ranks.summary(formatSeconds(all(slowest)), formatSeconds(median), nameOf(slowest)),
    x: axis("rank", "rank"),
    y: axis("time in I/O", "s"),
    series: areFew
      ? classesInOrder(report, new Set([...sums.values()].flatMap((one) => [...one.keys()]))).map((of) => ({
          name: text.diagnosis.account[of] ?? of,
          colour: classHex(theme, of),
          shape: "bar" as const,
          x: ranks,
          y: ranks.map((rank) => sums.get(rank)?.get(of) ?? 0),
        }))
      : [{ name: "ranks", colour: seriesHex(theme, 0), shape: "dots" as const, x: ranks, y: ranks.map(all) }],
    is_stacked: areFew,
    ...(median === null ? {} : { lines: [{ at: median, on: "y" as const, name: "median rank" }] }),
  };
}

export function rankTimeChart(
  report: Report,
  log: number | null,
  selected: readonly number[] | null,
  theme: Theme,
  nameOf: NameOf = ofRank,
): Chart | null {
  const { own: all, shared } = rankRows(report, log);
  const own = all.filter((row) => row("io_s") !== null);
  if (own.length === 0) return null;
  const chosen = new Set(selected ?? []);
  const slowest = own.reduce((most, row) => (numberOr(row("io_s"), 0) > numberOr(most("io_s"), 0) ? row : most));
  const median = medianOf(own.map((row) => numberOr(row("io_s"), 0)));
  const words = [
    text.ranks.summary(
      formatSeconds(numberOf(slowest("io_s"))),
      formatSeconds(median),
      nameOf(numberOr(slowest("rank"), 0)),
    ),
  ];
  if (shared.length > 0) words.push(text.ranks.shared);
  if (own.length < all.length) words.push(text.ranks.untimed(all.length - own.length));
  const part = (isChosen: boolean, name: string, colour: string) => {
    const rows = own.filter((row) => chosen.has(numberOr(row("rank"), -1)) === isChosen);
    return {
      name,
      colour,
      shape: "dots" as const,
      x: rows.map((row) => numberOr(row("rank"), 0)),
      y: rows.map((row) => numberOf(row("io_s"))),
    };
  };
  const series = [
    part(false, chosen.size > 0 ? "other ranks" : "ranks", seriesHex(theme, 0)),
    part(true, "selected ranks", seriesHex(theme, 1)),
  ];
  return {
    title: text.ranks.time,
    summary: words.join(" "),
    x: axis("rank", "rank"),
    y: axis("time in I/O", "s"),
    series: series.filter((one) => one.x.length > 0),
    is_stacked: false,
    ...(median === null ? {} : { lines: [{ at: median, on: "y" as const, name: "median rank" }] }),
  };
}

/** Layers below which there is none: none of them counts the bytes of another one again. */
// objects of DAOS are what DFS files are made of
const LOWEST = BOTTOM_UP.filter((layer) => !ABOVE_OTHERS.includes(layer) && layer !== "daos");

export function rankBytesChart(
  report: Report,
  log: number | null,
  theme: Theme,
  nameOf: NameOf = ofRank,
): Chart | null {
  const rows = metricRowsOf(report.metrics.rank_layer ?? null, log).filter((row) => numberOr(row("rank"), -1) >= 0);
  const lowest = LOWEST.find((layer) => rows.some((row) => row("layer") === layer));
  const shown = rows.filter((row) => row("layer") === lowest);
  if (shown.length === 0) return null;
  const x = shown.map((row) => numberOr(row("rank"), 0));
  const most = shown.reduce((a, b) => (total(b) > total(a) ? b : a));
  const sum = sumOf(shown.map(total)) ?? 0;
  const isLowest = (row: MetricRow): boolean => LOWEST.some((layer) => row("layer") === layer);
  const together =
    sumOf(
      metricRowsOf(report.metrics.rank_layer ?? null, log)
        .filter((row) => isLowest(row) && numberOr(row("rank"), -1) < 0)
        .map(total),
    ) ?? 0;
  return {
    title: text.ranks.bytes,
    summary: [
      sum === 0
        ? text.ranks.noBytes
        : text.ranks.mostBytes(
            nameOf(numberOr(most("rank"), 0)),
            formatRatio(total(most) / sum),
            layerName(lowest ?? ""),
            together > 0,
          ),
      ...(together > 0 ? [text.ranks.sharedBytes(formatBytes(together))] : []),
    ].join(" "),
    x: axis("rank", "rank"),
    y: axis("bytes", "bytes"),
    series: (["read", "write"] as const).map((op) => ({
      name: op,
      colour: KIND_HEX[theme][op],
      shape: shown.length > 300 ? "dots" : "bar",
      x,
      y: shown.map((row) => numberOf(row(op === "read" ? "bytes_read" : "bytes_written"))),
    })),
    is_stacked: shown.length <= 300,
  };
}

const total = (row: MetricRow): number => numberOr(row("bytes_read"), 0) + numberOr(row("bytes_written"), 0);

/** Time in I/O per node: middle, least and most of its ranks. */
export function nodeChart(description: Description, report: Report, log: number | null, theme: Theme): Chart | null {
  if (description.hosts.length < 2) return null;
  const hostOf = new Map(Array.from(description.tracks.rank, (rank, at) => [rank, description.tracks.host[at] ?? -1]));
  const byHost = new Map<number, number[]>();
  for (const row of rankRows(report, log).own) {
    const host = hostOf.get(numberOr(row("rank"), -1)) ?? -1;
    const time = numberOf(row("io_s"));
    if (host < 0 || time === null) continue;
    const times = byHost.get(host);
    if (times) times.push(time);
    else byHost.set(host, [time]);
  }
  const hosts = [...byHost].sort(([a], [b]) => a - b);
  if (hosts.length < 2) return null;
  const x = hosts.map((_, at) => at);
  const slowest = hosts.reduce((a, b) => ((medianOf(b[1]) ?? 0) > (medianOf(a[1]) ?? 0) ? b : a));
  return {
    title: text.ranks.nodes,
    summary:
      "The fastest, the median and the slowest rank of each node. Slowest node: " +
      `${description.hosts[slowest[0]] ?? ""}, ${formatSeconds(medianOf(slowest[1]))}.`,
    x: axis("node", "", { names: hosts.map(([host]) => description.hosts[host] ?? "") }),
    y: axis("time in I/O", "s"),
    series: [
      {
        name: "fastest to slowest rank",
        colour: seriesHex(theme, 2),
        shape: "range",
        x,
        y: hosts.map(([, times]) => Math.max(...times)),
        low: hosts.map(([, times]) => Math.min(...times)),
      },
      {
        name: "median rank",
        colour: seriesHex(theme, 0),
        shape: "dots",
        x,
        y: hosts.map(([, times]) => medianOf(times)),
      },
    ],
    is_stacked: false,
    pick: (place) => ({
      selection: {
        ranks: Array.from(description.tracks.rank).filter((_, at) => description.tracks.host[at] === hosts[place]?.[0]),
      },
    }),
  };
}
