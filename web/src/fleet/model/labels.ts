/** Places of the values of a column on an axis, and their names. */

import { text } from "../../base/text_fleet";
import type { MetricTable, Value } from "../../data/report";
import { columnLabel } from "../../model/table";
import { secondsOf } from "./headline";

type Column = MetricTable["columns"][number];
type Row = readonly Value[];

/** Of the checks that come with diya: the build reads their pages (vite.fleet.config.ts); tests have none. */
declare const __CHECK_TITLES__: Readonly<Record<string, string>>;
const TITLES: Readonly<Record<string, string>> = typeof __CHECK_TITLES__ === "undefined" ? {} : __CHECK_TITLES__;

/** The title of a check by its id; of a check of the facility itself the id. */
export const checkTitle = (id: string): string => TITLES[id] ?? id;

/** Columns of questions that hold ids of checks. */
export const isCheck = (name: string): boolean => name === "check_id";

export interface Labels {
  readonly labels: readonly string[];
  /** Name of the axis, with its unit. */
  readonly axis: string;
  /** Names that have no order of their own. */
  readonly isText: boolean;
  readonly index: (row: Row) => number;
}

/** As `columnLabel`, with the words of the field. */
export const headingOf = (name: string): string =>
  (name === "bytes_per_s" ? "bytes per second" : columnLabel(name))
    .replace(/\bio\b/, "I/O")
    .replace(/\bost\b/, "OST")
    .replace("core hours", "core-hours")
    .replace(/^check id$/, "finding");

/** Whether a column holds times, as SQL writes them. */
export function isTime(rows: readonly Row[], at: number): boolean {
  const first = rows.find((row) => row[at] !== null)?.[at];
  return typeof first === "string" && /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d|$)/.test(first);
}

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
export const powerText = (power: number): string =>
  `10${power < 0 ? "⁻" : ""}${[...String(Math.abs(power))].map((digit) => RAISED[Number(digit)] ?? digit).join("")}`;

/** So many powers of ten apart, those between are shown, too. */
const MAX_POWERS = 40;
const MAX_STEPS = 100_000;
const HOUR_S = 3600;

const whole = (row: Row, at: number): number => (typeof row[at] === "number" ? (row[at] as number) : Number.NaN);
const range = (least: number, most: number): number[] =>
  Array.from({ length: most - least + 1 }, (_, at) => least + at);

/** `10^class to 10^(class+1) bytes/s`: what the powers are of. `-1: none`: a value that stands for a word. */
function powers(column: Column, at: number, rows: readonly Row[]): Labels {
  const values = [...new Set(rows.map((row) => whole(row, at)).filter(Number.isInteger))].sort((a, b) => a - b);
  const [word, meaning] = /(-?\d+): (\w+)/.exec(column.doc)?.slice(1) ?? [];
  const [least, most] = [values.find((value) => String(value) !== word) ?? 0, values.at(-1) ?? 0];
  const shown =
    most - least <= MAX_POWERS && most >= least
      ? [...values.filter((value) => value < least), ...range(least, most)]
      : values;
  const unit = /10\^\(\w+\+1\) ([\w/]+)/.exec(column.doc)?.[1] ?? "";
  const label = (value: number): string => (String(value) === word && meaning ? meaning : powerText(value));
  return {
    labels: shown.map(label),
    axis: text.picture.power(unit === "" ? headingOf(column.name) : unit),
    isText: false,
    index: (row) => shown.indexOf(whole(row, at)),
  };
}

/** `2026-03`; 0 stands for a job without a start. */
function months(year: number, at: number, rows: readonly Row[]): Labels {
  const numberOf = (row: Row): number => whole(row, year) * 12 + whole(row, at) - 1;
  const all = [...new Set(rows.map(numberOf))].filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const dated = all.filter((value) => value >= 12);
  const isShort = dated.length > 0 && (dated.at(-1) ?? 0) - (dated[0] ?? 0) < 600;
  const shown = [...all.filter((value) => value < 12), ...(isShort ? range(dated[0] ?? 0, dated.at(-1) ?? 0) : dated)];
  const label = (value: number): string =>
    value < 12 ? text.picture.noDate : `${Math.floor(value / 12)}-${String((value % 12) + 1).padStart(2, "0")}`;
  const places = new Map(shown.map((value, place) => [value, place]));
  return {
    labels: shown.map(label),
    axis: text.picture.month,
    isText: false,
    index: (row) => places.get(numberOf(row)) ?? -1,
  };
}

/** Equal steps of an hour or a day: what is missing between has its place. */
function times(column: Column, at: number, rows: readonly Row[]): Labels {
  const secondsAt = (row: Row): number =>
    typeof row[at] === "string" ? (secondsOf(row[at]) ?? Number.NaN) : Number.NaN;
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of rows) {
    const value = secondsAt(row);
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (least > most) return names(column, at, rows);
  const step_s = (most - least) / HOUR_S > MAX_STEPS ? 24 * HOUR_S : HOUR_S;
  const count = Math.min(MAX_STEPS, Math.floor((most - least) / step_s) + 1);
  const length = count > 96 ? 10 : 16;
  const label = (place: number): string =>
    new Date((least + place * step_s) * 1000).toISOString().slice(0, length).replace("T", " ");
  return {
    labels: Array.from({ length: count }, (_, place) => label(place)),
    axis: text.picture.time,
    isText: false,
    index: (row) => Math.floor((secondsAt(row) - least) / step_s),
  };
}

function names(column: Column, at: number, rows: readonly Row[]): Labels {
  const isNumber = rows.every((row) => row[at] === null || typeof row[at] === "number");
  const label = (row: Row): string => {
    const value = String(row[at] ?? text.picture.none);
    return isCheck(column.name) ? checkTitle(value) : value;
  };
  const values = [...new Set(rows.map(label))];
  if (isNumber) values.sort((a, b) => Number(a) - Number(b));
  const places = new Map(values.map((value, place) => [value, place]));
  return {
    labels: values,
    axis: headingOf(column.name),
    isText: !isNumber,
    index: (row) => places.get(label(row)) ?? -1,
  };
}

export function labelsOf(columns: readonly Column[], rows: readonly Row[], name: string): Labels {
  const at = columns.findIndex((column) => column.name === name);
  const column = columns[at];
  const year = columns.findIndex((one) => one.name === "year");
  if (column === undefined) return { labels: [], axis: "", isText: true, index: () => -1 };
  if (name === "month" && year >= 0) return months(year, at, rows);
  if (column.unit === "power") return powers(column, at, rows);
  if (isTime(rows, at)) return times(column, at, rows);
  return names(column, at, rows);
}

/** The same, with sums of a column at each place; `fills`: nothing there is a measured zero. */
export function orderOf(
  columns: readonly Column[],
  rows: readonly Row[],
  name: string,
  fills: boolean,
): Labels & { readonly sums: (part: readonly Row[], at: number) => (number | null)[] } {
  const labels = labelsOf(columns, rows, name);
  return {
    ...labels,
    sums(part, at) {
      const sums: (number | null)[] = Array.from({ length: labels.labels.length }, () => (fills ? 0 : null));
      for (const row of part) {
        const place = labels.index(row);
        const value = row[at];
        if (place >= 0 && typeof value === "number" && Number.isFinite(value)) sums[place] = (sums[place] ?? 0) + value;
      }
      return sums;
    },
  };
}
