/** Sorting, searching and column widths of tables with tens of thousands of rows. */

import { formatByUnit } from "../base/format";
import type { Value } from "../data/report";

export interface Column {
  readonly name: string;
  readonly label: string;
  /** As units of tables; empty: text. */
  readonly unit: string;
  readonly doc: string;
  /** How a text reads for people, such as the name of a layer; as it is without. */
  readonly words?: (value: string) => string;
  /** What a number names, such as a process by its rank. */
  readonly nameOf?: (value: number) => string;
  /** Where there is no room for all columns, those of the lowest number stay; 1 without. */
  readonly importance?: number;
}

export interface SortBy {
  readonly column: number;
  readonly is_descending: boolean;
}

/** Units of numbers that name things: they are not drawn. */
export const NAMES_OF_THINGS: ReadonlySet<string> = new Set(["id", "file_id", "rank", "log", "index", "line"]);

export const isNumeric = (rows: readonly (readonly Value[])[], column: number): boolean =>
  rows.slice(0, 200).some((row) => typeof row[column] === "number");

/** Indices of the rows that hold the text, in the order asked for; nulls last in both directions. */
export function arrangedRows(rows: readonly (readonly Value[])[], search: string, sort: SortBy | null): Uint32Array {
  const wanted = search.trim().toLowerCase();
  const places = Uint32Array.from({ length: rows.length }, (_, at) => at);
  const holds = (at: number): boolean =>
    rows[at]?.some((value) => value !== null && String(value).toLowerCase().includes(wanted)) ?? false;
  const found = wanted === "" ? places : places.filter(holds);
  if (sort === null) return found;
  const { column } = sort;
  const sign = sort.is_descending ? -1 : 1;
  if (rows.every((row) => typeof row[column] === "number" || (row[column] ?? null) === null)) {
    // Numbers alone are compared as numbers: a hundred thousand rows in a few frames.
    const keys = Float64Array.from(rows, (row) => {
      const value = row[column];
      return typeof value === "number" ? sign * value : Number.POSITIVE_INFINITY;
    });
    return found.sort((a, b) => {
      const [left, right] = [keys[a] ?? 0, keys[b] ?? 0];
      return left < right ? -1 : left > right ? 1 : a - b;
    });
  }
  return found.sort((a, b) => {
    const left = rows[a]?.[column] ?? null;
    const right = rows[b]?.[column] ?? null;
    if (left === null || right === null) return left === right ? a - b : left === null ? 1 : -1;
    if (typeof left === "number" && typeof right === "number") return sign * (left - right) || a - b;
    const [leftText, rightText] = [String(left), String(right)];
    return leftText === rightText ? a - b : sign * (leftText < rightText ? -1 : 1);
  });
}

/** Visible rows of a scrolled list, with a few more on both ends. */
export function visibleRows(
  scroll: number,
  height: number,
  row: number,
  count: number,
): { readonly first: number; readonly end: number } {
  const first = Math.max(0, Math.min(count - 1, Math.floor(scroll / row) - 6));
  return { first: Math.max(0, first), end: Math.min(count, Math.ceil((scroll + height) / row) + 6) };
}

const NARROWEST = 6;
const WIDEST = 64;

/** Width of a heading in characters: its words may take two lines. */
export function headingWidth(label: string): number {
  const words = label.split(" ");
  const cuts = words.map((_, at) => Math.max(words.slice(0, at).join(" ").length, words.slice(at).join(" ").length));
  return Math.min(...cuts);
}

/** A cell as text. */
export const cellText = (value: Value, column: Column): string =>
  typeof value === "string" && column.words
    ? column.words(value)
    : typeof value === "number" && column.nameOf
      ? column.nameOf(value)
      : formatByUnit(value, column.unit);

/** Widths in characters: of the longest cell among the first rows, within reason. */
export function columnWidths(columns: readonly Column[], rows: readonly (readonly Value[])[]): number[] {
  return columns.map((column, at) => {
    let most = headingWidth(column.label) + 2; // the arrow of the order
    for (const row of rows.slice(0, 100)) most = Math.max(most, cellText(row[at] ?? null, column).length + 1);
    return Math.min(WIDEST, Math.max(NARROWEST, most));
  });
}

/** Columns in which any row says something. */
export const knownColumns = (columns: readonly Column[], rows: readonly (readonly Value[])[]): number[] =>
  columns
    .map((_, at) => at)
    .filter((at) => rows.length === 0 || rows.some((row) => row[at] !== null && row[at] !== undefined));

/**
 * The columns that stand beside each other in the room there is, in their order.
 *
 * `widths`: what each takes, gaps included, in the unit of `room`. The first column says
 * what a row is, and `always` what it is sorted by: both stay. Of the others the less
 * important go first, and among equals the last.
 */
export function fittingColumns(
  columns: readonly Column[],
  candidates: readonly number[],
  widths: readonly number[],
  room: number,
  always: number | null,
): number[] {
  const kept = new Set(candidates.filter((at) => at === candidates[0] || at === always));
  let taken = [...kept].reduce((sum, at) => sum + (widths[at] ?? 0), 0);
  const others = candidates
    .filter((at) => !kept.has(at))
    .sort((a, b) => (columns[a]?.importance ?? 1) - (columns[b]?.importance ?? 1) || a - b);
  for (const at of others) {
    if (taken + (widths[at] ?? 0) > room) continue; // a narrower one may still fit
    taken += widths[at] ?? 0;
    kept.add(at);
  }
  return candidates.filter((at) => kept.has(at));
}

/** `bytes_read` reads better as `bytes read`; the unit stands in the cells. */
export function columnLabel(name: string): string {
  if (name === "file_id") return "file"; // tables show its path
  const isBare = /^(bytes|calls)$/.test(name);
  return (
    isBare
      ? name
      : name
          .replace(/_bytes_per_s$/, "")
          .replace(/_s$/, "")
          .replace(/_ratio$/, " ratio")
  ).replaceAll("_", " ");
}

/** Place of the first chosen row; null: none is chosen, or one is in sight. Pixels. */
export function chosenOutOfSight(
  arranged: ArrayLike<number>,
  chosen: ReadonlySet<number> | null,
  scroll: number,
  height: number,
  row: number,
): number | null {
  if (chosen === null || chosen.size === 0) return null;
  const places = Array.from(arranged).flatMap((at, place) => (chosen.has(at) ? [place * row] : []));
  return places.some((place) => place >= scroll && place + 2 * row <= scroll + height) ? null : (places[0] ?? null);
}
