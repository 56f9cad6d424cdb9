/** Metric tables of the report by the names of their columns. */

import { layerName } from "../base/text";
import type { MetricTable, Value } from "../data/report";
import type { Column } from "./table";
import { columnLabel } from "./table";

/** One row under the names of its columns; a column that is not there reads as null. */
export type MetricRow = (name: string) => Value;

/** `log`: rows of one log only, where the table has a column for the log; null: all. */
export function metricRowsOf(table: MetricTable | null, log: number | null = null): MetricRow[] {
  if (table === null) return [];
  const places = new Map(table.columns.map((column, at) => [column.name, at]));
  const logAt = places.get("log");
  const { valuesOf, count } = table;
  if (valuesOf !== undefined && count !== undefined) {
    // A hundred thousand rows are not made to read a few columns of them.
    const columns = new Map([...places].map(([name, at]) => [name, valuesOf(at)]));
    const logOf = log === null || logAt === undefined ? null : valuesOf(logAt);
    const rows: MetricRow[] = [];
    for (let at = 0; at < count; at += 1)
      if (logOf === null || logOf(at) === log) rows.push((name) => columns.get(name)?.(at) ?? null);
    return rows;
  }
  const rows = log === null || logAt === undefined ? table.rows : table.rows.filter((row) => row[logAt] === log);
  return rows.map((row) => (name) => row[places.get(name) ?? -1] ?? null);
}

/** The rows of a table in which a column has this text: others are not made. */
export function rowsAbout(table: MetricTable | null, column: string, value: string): MetricTable | null {
  const at = table?.columns.findIndex(({ name }) => name === column) ?? -1;
  if (table === null || at < 0) return null;
  const { title, columns, rows_in_all, valuesOf, count } = table;
  if (valuesOf === undefined || count === undefined)
    return { title, columns, rows_in_all, rows: table.rows.filter((row) => textOf(row[at] ?? null) === value) };
  const here = valuesOf(at);
  const cells = columns.map((_, place) => valuesOf(place));
  const rows: (readonly Value[])[] = [];
  for (let row = 0; row < count; row += 1) if (textOf(here(row)) === value) rows.push(cells.map((cell) => cell(row)));
  return { title, columns, rows_in_all, rows };
}

/** Rows of a table, without making them. */
export const rowCount = (table: MetricTable | null | undefined): number => table?.count ?? table?.rows.length ?? 0;

/** null where it is not a number: not measured. */
export const numberOf = (value: Value): number | null => (typeof value === "number" ? value : null);

/** Shown as zero would be a lie, so callers say what null means to them. */
export const numberOr = (value: Value, otherwise: number): number => numberOf(value) ?? otherwise;

export const textOf = (value: Value): string => (value === null ? "" : String(value));

const OF_LAYERS = new Set(["layer", "upper", "lower"]);

/** Columns of a table as they are shown; `first`: those that matter most where there is no room for all. */
export function columnsOf(table: MetricTable, first: readonly string[] = []): Column[] {
  return table.columns.map((column) => ({
    name: column.name,
    label: columnLabel(column.name),
    unit: column.unit,
    doc: column.doc,
    importance: first.includes(column.name) ? 0 : 1,
    ...(OF_LAYERS.has(column.name) ? { words: layerName } : {}),
  }));
}

/** Sum of what was measured; null when nothing was. */
export function sumOf(values: readonly (number | null)[]): number | null {
  let sum: number | null = null;
  for (const value of values) if (value !== null) sum = (sum ?? 0) + value;
  return sum;
}

/** Middle value; of an even number the lower one, which occurs. null: there is none. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

/** Title of a table as a heading: without the full stop of a sentence. */
export const headingOf = (table: MetricTable): string => table.title.replace(/\.$/, "");
