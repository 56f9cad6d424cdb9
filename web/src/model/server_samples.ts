/** What the storage servers measured while the job ran: one picture per quantity. */

import type { Theme } from "../base/colours";
import { seriesHex } from "../base/colours";
import { text } from "../base/text";
import type { Tile } from "../data/interface";
import type { Report } from "../data/report";
import type { Chart } from "./chart";
import { axis } from "./chart";
import type { MapAxis } from "./map";
import type { MetricRow } from "./metric";
import { metricRowsOf, numberOf, numberOr, textOf } from "./metric";

/** More lines than colours cannot be distinguished: they become rows of a map. */
const MAX_LINES = 4;
const CELLS = 256;

export type ServerPicture =
  | { readonly key: string; readonly chart: Chart }
  | {
      readonly key: string;
      readonly title: string;
      readonly summary: string;
      readonly x: MapAxis;
      readonly y: MapAxis;
      readonly tile: Tile;
      readonly unit: string;
    };

interface Quantity {
  readonly name: string;
  readonly op: string;
  readonly unit: string;
  /** By series: what it is of, and its intervals. */
  readonly series: Map<number, { readonly name: string; readonly rows: MetricRow[] }>;
}

/** A rate where the quantity counts something, else its level; null: not known. */
const valueOf = (row: MetricRow): number | null => numberOf(row("per_s")) ?? numberOf(row("level"));

function quantities(report: Report, log: number | null): Quantity[] {
  const found = new Map<string, Quantity>();
  for (const row of metricRowsOf(report.metrics.server_interval ?? null, log)) {
    const [name, op, given] = [textOf(row("name")), textOf(row("op")), textOf(row("unit"))];
    const isRate = numberOf(row("per_s")) !== null;
    const unit = isRate && given !== "" && !given.endsWith("/s") ? `${given}/s` : given;
    const key = JSON.stringify([name, op, unit]);
    const quantity = found.get(key) ?? { name, op, unit, series: new Map() };
    const number = numberOr(row("series"), 0);
    const series = quantity.series.get(number) ?? {
      name: textOf(row("target")) || textOf(row("host")) || String(number),
      rows: [],
    };
    series.rows.push(row);
    quantity.series.set(number, series);
    found.set(key, quantity);
  }
  return [...found.values()].sort((a, b) => (a.name + a.op < b.name + b.op ? -1 : 1));
}

const middle = (row: MetricRow): number => (numberOr(row("start_s"), 0) + numberOr(row("end_s"), 0)) / 2;

function linesOf({ series, unit }: Quantity, title: string, theme: Theme): Chart {
  return {
    title,
    summary: text.targets.serverSummary(series.size, unit),
    x: axis("time since the start of the job", "s"),
    y: axis(unit === "" || unit === "1" ? "value" : unit, unit),
    is_stacked: false,
    series: [...series.values()].map(({ name, rows }, at) => ({
      name,
      colour: seriesHex(theme, at),
      shape: "line" as const,
      x: rows.map(middle),
      y: rows.map(valueOf),
    })),
  };
}

function mapOf({ series, unit }: Quantity, title: string): Omit<Extract<ServerPicture, { tile: Tile }>, "key"> {
  const all = [...series.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const from = Math.min(...all.flatMap(({ rows }) => rows.map((row) => numberOr(row("start_s"), 0))));
  const to = Math.max(from + 1e-9, ...all.flatMap(({ rows }) => rows.map((row) => numberOr(row("end_s"), 0))));
  const cell_s = (to - from) / CELLS;
  const values = new Float32Array(CELLS * all.length);
  all.forEach(({ rows }, line) => {
    for (const row of rows) {
      const first = Math.max(0, Math.floor((numberOr(row("start_s"), 0) - from) / cell_s));
      const end = Math.min(CELLS, Math.max(first + 1, Math.round((numberOr(row("end_s"), 0) - from) / cell_s)));
      values.fill(valueOf(row) ?? 0, line * CELLS + first, line * CELLS + end);
    }
  });
  return {
    title,
    unit,
    summary: text.targets.serverSummary(series.size, unit),
    x: { of: "time", from, to, is_log: false, label: "time since the start of the job", unit: "s", names: null },
    y: {
      of: "target",
      from: 0,
      to: all.length,
      is_log: false,
      label: "server or target",
      unit: "name",
      names: all.map(({ name }) => name),
    },
    tile: { width: CELLS, height: all.length, planes: new Map([["bytes", values]]), is_exact: true },
  };
}

/** Lines for a few series, a map of colours for many. */
export function serverPictures(report: Report, log: number | null, theme: Theme): ServerPicture[] {
  return quantities(report, log).map((quantity) => {
    const isNamed = quantity.op === "" || quantity.name.includes(quantity.op);
    const title = isNamed ? quantity.name : `${quantity.name} (${quantity.op})`;
    const key = `${title} ${quantity.unit}`;
    return quantity.series.size <= MAX_LINES
      ? { key, chart: linesOf(quantity, title, theme) }
      : { key, ...mapOf(quantity, title) };
  });
}
