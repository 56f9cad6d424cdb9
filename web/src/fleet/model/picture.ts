/**
 * Pictures of answers, as the `picture:` line of a question says:
 *
 *   bars x=COLUMN y=COLUMN[,COLUMN] [by=COLUMN]     beside each other; with `by` one on the other
 *   stacked x=COLUMN y=COLUMN,COLUMN                one on the other: parts of a whole
 *   lines x=COLUMN y=COLUMN[,COLUMN]
 *   lorenz x=COLUMN y=COLUMN by=COLUMN
 *   matrix x=COLUMN y=COLUMN value=COLUMN
 *   table                                           none
 */

import type { Theme } from "../../base/colours";
import { SERIES_HEX } from "../../base/colours";
import { text } from "../../base/text_fleet";
import type { MetricTable } from "../../data/report";
import type { Chart, Colours, Series } from "../../model/chart";
import { axis, chartNodes } from "../../model/chart";
import type { SvgNode } from "../../model/svg";
import type { Groups } from "./bars";
import { lyingBars } from "./bars";
import { headingOf, labelsOf, orderOf } from "./labels";
import { matrixNodes } from "./matrix";

export interface PictureSpec {
  readonly kind: "bars" | "stacked" | "lines" | "lorenz" | "matrix";
  readonly x: string;
  readonly y: readonly string[];
  readonly by: string | null;
  readonly value: string | null;
}

/** null: a table is all there is. */
export function parsePicture(line: string): PictureSpec | null {
  const [kind, ...pairs] = line.trim().split(/\s+/);
  const values = new Map(pairs.map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]));
  const x = values.get("x");
  const y = values.get("y")?.split(",") ?? [];
  if (kind !== "bars" && kind !== "stacked" && kind !== "lines" && kind !== "lorenz" && kind !== "matrix") return null;
  if (x === undefined || y.length === 0) return null;
  return { kind, x, y, by: values.get("by") ?? null, value: values.get("value") ?? null };
}

export interface Picture {
  /** Its name among the pictures of the figure; empty: it is the only one. */
  readonly name: string;
  readonly legend: readonly { readonly name: string; readonly colour: string }[];
  readonly draw: (width: number, colours: Colours) => { readonly nodes: SvgNode[]; readonly height: number };
}

const HEIGHT = 240;
/** More would be too narrow to read. */
const MAX_PARTS = 6;
const MAX_PICTURES = 8;
/** So few bars lie: upright ones would be as broad as the page. */
const FEW = 4;

type Rows = readonly (readonly (number | string | boolean | null)[])[];

/** Rows by the values of a column, in the order of their first one. */
function groupsOf(rows: Rows, at: number): Map<string, Rows> {
  const groups = new Map<string, Rows[number][]>();
  for (const row of rows) {
    const key = String(row[at] ?? text.picture.none);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

const number = (value: unknown): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);

/** Sum of a column over rows; null: nothing is measured. */
function sumOf(rows: Rows, at: number): number | null {
  let sum: number | null = null;
  for (const row of rows) {
    const value = number(row[at]);
    if (value !== null) sum = (sum ?? 0) + value;
  }
  return sum;
}

/** Parts of a whole read best in percent. */
export function shownUnit(table: MetricTable, at: number): string {
  const column = table.columns[at];
  if (column?.unit !== "1" || !/(^|_)ratio$/.test(column.name)) return column?.unit ?? "";
  return table.rows.every((row) => typeof row[at] !== "number" || (row[at] >= 0 && row[at] <= 1)) ? "share" : "1";
}

/** Pictures of an answer: one for each system, and for each quantity that has a unit of its own. */
export function picturesOf(line: string, table: MetricTable, theme: Theme): Picture[] {
  const spec = parsePicture(line);
  const place = (name: string | null): number => table.columns.findIndex((column) => column.name === name);
  if (spec === null || table.rows.length === 0) return [];
  const named = [spec.x, ...spec.y, ...(spec.by ? [spec.by] : []), ...(spec.value ? [spec.value] : [])];
  if (named.some((name) => place(name) < 0)) return [];
  const system = named.includes("system") ? -1 : place("system");
  const bySystem = system < 0 ? new Map([["", table.rows as Rows]]) : groupsOf(table.rows, system);
  return [...bySystem]
    .flatMap(([name, rows]) => picturesOfSystem(spec, table, rows, bySystem.size > 1 ? name : "", theme))
    .slice(0, MAX_PICTURES);
}

/** The same ones in all pictures of a figure, so that a colour stands for one name. */
function largestParts(rows: Rows, by: number, ys: readonly number[]): string[] {
  const all = [...groupsOf(rows, by)].map(([name, part]) => ({
    name,
    sum: ys.reduce((sum, y) => sum + (sumOf(part, y) ?? 0), 0),
  }));
  const names = all.sort((a, b) => b.sum - a.sum || (a.name < b.name ? -1 : 1)).map(({ name }) => name);
  return names.length > MAX_PARTS ? names.slice(0, MAX_PARTS - 1) : names;
}

function picturesOfSystem(spec: PictureSpec, table: MetricTable, rows: Rows, name: string, theme: Theme): Picture[] {
  if (spec.kind === "matrix") return [matrixPicture(spec, table, rows, name, theme)];
  if (spec.kind === "lorenz") return [lorenzPicture(spec, table, rows, name, theme)];
  const place = (of: string): number => table.columns.findIndex((column) => column.name === of);
  const unit = (of: string): string => shownUnit(table, place(of));
  const joined = (...parts: string[]): string => parts.filter((part) => part !== "").join(": ");
  const order = orderOf(table.columns, rows, spec.x, spec.kind === "lines");
  if (spec.by !== null) {
    const { by } = spec;
    const kept = largestParts(table.rows, place(by), spec.y.map(place));
    return spec.y.map((y) => {
      const groups = groupsOf(rows, place(by));
      const rest = [...groups].flatMap(([of, part]) => (kept.includes(of) ? [] : part));
      const parts = [
        ...kept.map((of) => ({ name: of, rows: groups.get(of) ?? [] })),
        ...(rest.length > 0 ? [{ name: text.picture.others, rows: rest }] : []),
      ];
      const series = parts.map(({ name: of, rows: part }) => ({ name: of, values: order.sums(part, place(y)) }));
      return barPicture(
        joined(name, spec.y.length > 1 ? headingOf(y) : ""),
        headingOf(y),
        unit(y),
        series,
        order,
        true,
        theme,
        spec,
      );
    });
  }
  const units = [...new Set(spec.y.map(unit))];
  return units.map((of) => {
    const ys = spec.y.filter((y) => unit(y) === of);
    const series = ys.map((y) => ({ name: headingOf(y), values: order.sums(rows, place(y)) }));
    const label = ys.length === 1 ? headingOf(ys[0] ?? "") : of === "1" || of === "share" ? text.picture.ratio : of;
    return barPicture(
      joined(name, units.length > 1 ? label : ""),
      label,
      of,
      series,
      order,
      spec.kind === "stacked",
      theme,
      spec,
    );
  });
}

function barPicture(
  name: string,
  label: string,
  unit: string,
  all: readonly { readonly name: string; readonly values: (number | null)[] }[],
  order: ReturnType<typeof orderOf>,
  isStacked: boolean,
  theme: Theme,
  spec: PictureSpec,
): Picture {
  const palette = SERIES_HEX[theme];
  const colour = (at: number, of: string): string =>
    (of === text.picture.others ? palette.at(-1) : palette[at % (palette.length - 1)]) ?? "";
  const series = all.map((one, at) => ({ ...one, colour: colour(at, one.name) }));
  const legend =
    series.length > 1 || spec.by !== null ? series.map((one) => ({ name: one.name, colour: one.colour })) : [];
  // ticks have the unit of sizes and times
  const isNamed = label.replaceAll(" ", "-").endsWith(unit) || ["1", "share", "bytes", "s"].includes(unit);
  const yLabel = isNamed ? label : `${label} (${unit})`;
  if (spec.kind !== "lines" && (order.isText || order.labels.length < FEW)) {
    const groups: Groups = { labels: order.labels, series, unit, isStacked, axis: yLabel };
    return { name, legend, draw: (width, colours) => lyingBars(groups, width, colours) };
  }
  const shape = spec.kind === "lines" ? "line" : "bar";
  /** Without those where nothing is known: a bar of nothing still has an edge. */
  const places = order.labels.map((_, at) => at).filter((at) => series.some(({ values }) => values[at] != null));
  const chart: Chart = {
    title: name,
    summary: "",
    x: axis(order.axis, "", { names: order.labels }),
    y: axis(yLabel, unit),
    is_stacked: isStacked,
    series: series.map((one): Series => ({
      name: one.name,
      colour: one.colour,
      shape,
      x: places,
      y: places.map((at) => one.values[at] ?? null),
    })),
  };
  return {
    name,
    legend,
    draw: (width, colours) => ({ nodes: chartNodes(chart, width, HEIGHT, colours), height: HEIGHT }),
  };
}

/** How much of all the first ones take. */
function lorenzPicture(spec: PictureSpec, table: MetricTable, rows: Rows, name: string, theme: Theme): Picture {
  const place = (of: string | null): number => table.columns.findIndex((column) => column.name === of);
  const groups = spec.by === null ? new Map([["", rows]]) : groupsOf(rows, place(spec.by));
  const series = [...groups].map(([of, part], at): Series => {
    const points = part
      .map((row) => [number(row[place(spec.x)]) ?? 0, number(row[place(spec.y[0] ?? "")])] as const)
      .sort(([a], [b]) => a - b);
    return {
      name: of,
      colour: SERIES_HEX[theme][at] ?? "",
      shape: "line",
      x: points.map(([x]) => x),
      y: points.map(([, y]) => y),
    };
  });
  const chart: Chart = {
    title: name,
    summary: "",
    is_stacked: false,
    series,
    x: axis(text.picture.first([...groups.keys()]), "index", { is_log: true }),
    y: axis(text.picture.shareOfAll, "share"),
  };
  return {
    name,
    legend: series.map((one) => ({ name: one.name, colour: one.colour })),
    draw: (width, colours) => ({ nodes: chartNodes(chart, Math.min(width, 720), 280, colours), height: 280 }),
  };
}

function matrixPicture(spec: PictureSpec, table: MetricTable, rows: Rows, name: string, theme: Theme): Picture {
  const column = (of: string): number => table.columns.findIndex((one) => one.name === of);
  const [x, y] = [labelsOf(table.columns, rows, spec.x), labelsOf(table.columns, rows, spec.y[0] ?? "")];
  const value = column(spec.value ?? "");
  const cells = new Map<string, number>();
  for (const row of rows) {
    const key = `${x.index(row)} ${y.index(row)}`;
    cells.set(key, (cells.get(key) ?? 0) + (number(row[value]) ?? 0));
  }
  const cell = (column: number, row: number): number | null => cells.get(`${column} ${row}`) ?? null;
  const unit = table.columns[value]?.unit ?? "";
  return { name, legend: [], draw: (width, colours) => matrixNodes({ x, y, cell, unit }, width, colours, theme) };
}
