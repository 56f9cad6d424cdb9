/** The jobs as columns: filtered, sorted and summed without making rows. */

import type { PackedTable, PackedTables } from "../../data/packed_tables";
import { summed } from "../../data/packed_tables";
import type { Value } from "../../data/report";

/** Numbers, NaN where not recorded. */
type Numbers = Float64Array | Int32Array;
/** Places in `words`, counted from 1; 0: not recorded. */
type Codes = Int32Array;

export interface Jobs {
  readonly count: number;
  readonly words: readonly Value[];
  readonly text: Readonly<Record<TextColumn, Codes>>;
  readonly number: Readonly<Record<NumberColumn, Numbers>>;
  readonly isPartial: Codes;
  /** Words in small letters by code, made when somebody searches. */
  readonly lower: (string | undefined)[];
}

export type TextColumn =
  | "system"
  | "user_name"
  | "project"
  | "program"
  | "interface"
  | "verdict"
  | "first_finding"
  | "path"
  | "name"
  | "verdict_text";
export type NumberColumn =
  | "start_s"
  | "nprocs"
  | "run_time_s"
  | "io_time_s"
  | "bytes"
  | "size_bytes"
  | "findings_high"
  | "findings_warn"
  | "recoverable_s"
  | "number"
  // Made of the others:
  | "throughput"
  | "io_share"
  | "core_hours"
  | "io_core_hours"
  | "saved_core_hours";
export type JobColumn = TextColumn | NumberColumn;

const TEXT: readonly TextColumn[] = [
  "system",
  "user_name",
  "project",
  "program",
  "interface",
  "verdict",
  "first_finding",
  "path",
  "name",
  "verdict_text",
];
const STORED = [
  "start_s",
  "nprocs",
  "run_time_s",
  "io_time_s",
  "bytes",
  "size_bytes",
  "findings_high",
  "findings_warn",
  "recoverable_s",
  "number",
] as const;

function numbersOf(table: PackedTable, name: string): Numbers {
  const column = table.data[table.columns.findIndex((one) => one.name === name)];
  if (column === undefined || "codes" in column) return new Float64Array(table.count).fill(Number.NaN);
  return "numbers" in column ? column.numbers : summed(column.steps);
}

function codesOf(table: PackedTable, name: string): Codes {
  const column = table.data[table.columns.findIndex((one) => one.name === name)];
  return column !== undefined && "codes" in column ? summed(column.codes) : new Int32Array(table.count);
}

export function jobsOf({ tables, words }: PackedTables): Jobs {
  const table = tables.jobs ?? { title: "", columns: [], count: 0, rows_in_all: 0, data: [] };
  const { count } = table;
  const text = Object.fromEntries(TEXT.map((name) => [name, codesOf(table, name)])) as Record<TextColumn, Codes>;
  const stored = Object.fromEntries(STORED.map((name) => [name, numbersOf(table, name)])) as Record<
    (typeof STORED)[number],
    Numbers
  >;
  const made = {
    throughput: new Float64Array(count),
    io_share: new Float64Array(count),
    core_hours: new Float64Array(count),
    io_core_hours: new Float64Array(count),
    saved_core_hours: new Float64Array(count),
  };
  const { nprocs, run_time_s, io_time_s, bytes, recoverable_s } = stored;
  for (let row = 0; row < count; row += 1) {
    const processes = nprocs[row] ?? Number.NaN;
    const [run, io] = [run_time_s[row] ?? Number.NaN, io_time_s[row] ?? Number.NaN];
    const moved = bytes[row] ?? Number.NaN;
    made.throughput[row] = io > 0 && moved > 0 ? moved / io : Number.NaN;
    made.io_share[row] = run > 0 ? Math.min(1, io / run) : Number.NaN;
    made.core_hours[row] = (processes * run) / 3600;
    // More I/O time than run time is time of files that were open at once.
    made.io_core_hours[row] = (processes * Math.min(Number.isNaN(io) ? 0 : io, run)) / 3600;
    made.saved_core_hours[row] = (processes * (recoverable_s[row] ?? Number.NaN)) / 3600;
  }
  return {
    count,
    words,
    text,
    number: { ...stored, ...made },
    isPartial: codesOf(table, "is_partial"),
    lower: Array.from({ length: words.length + 1 }),
  };
}

/** What is empty or null does not narrow. */
export interface JobFilter {
  readonly system: string;
  /** The name itself where there is one, otherwise a part of names. */
  readonly user: string;
  readonly program: string;
  readonly project: string;
  /** Start in seconds since 1970: from, and before. */
  readonly from_s: number | null;
  readonly before_s: number | null;
  /** In user, program, project or path. */
  readonly search: string;
}

export const NO_FILTER: JobFilter = {
  system: "",
  user: "",
  program: "",
  project: "",
  from_s: null,
  before_s: null,
  search: "",
};
export const isFiltering = (filter: JobFilter): boolean =>
  filter.system !== "" ||
  filter.user !== "" ||
  filter.program !== "" ||
  filter.project !== "" ||
  filter.from_s !== null ||
  filter.before_s !== null ||
  filter.search.trim() !== "";

const wordOf = (jobs: Jobs, code: number): string => String(jobs.words[code - 1] ?? "");

export function textAt(jobs: Jobs, column: TextColumn, row: number): string | null {
  const code = jobs.text[column][row] ?? 0;
  return code === 0 ? null : wordOf(jobs, code);
}

export function numberAt(jobs: Jobs, column: NumberColumn, row: number): number | null {
  const value = jobs.number[column][row] ?? Number.NaN;
  return Number.isNaN(value) ? null : value;
}

/** Distinct names of a column with their jobs, the most frequent first. */
export function namesOf(jobs: Jobs, column: TextColumn): { readonly name: string; readonly jobs: number }[] {
  const counts = new Map<number, number>();
  for (const code of jobs.text[column]) if (code !== 0) counts.set(code, (counts.get(code) ?? 0) + 1);
  const names = [...counts].map(([code, count]) => ({ name: wordOf(jobs, code), jobs: count }));
  return names.sort((a, b) => b.jobs - a.jobs || (a.name < b.name ? -1 : 1));
}

const lowerOf = (jobs: Jobs, code: number): string =>
  (jobs.lower[code] ??= code === 0 ? "" : wordOf(jobs, code).toLowerCase());

/** Small letters of all paths: the first search is then as fast as the next. */
export function prepareSearch(jobs: Jobs): void {
  for (const code of jobs.text.path) lowerOf(jobs, code);
}

/** Whether a text column passes, asked once for each word: 1 yes, 2 no. */
function passing(jobs: Jobs, column: TextColumn, test: (lower: string) => boolean): (row: number) => boolean {
  const codes = jobs.text[column];
  const known = new Uint8Array(jobs.words.length + 1);
  return (row) => {
    const code = codes[row] ?? 0;
    if (known[code] === 0) {
      known[code] = test(lowerOf(jobs, code)) ? 1 : 2;
    }
    return known[code] === 1;
  };
}

function named(jobs: Jobs, column: TextColumn, wanted: string): (row: number) => boolean {
  const lower = wanted.trim().toLowerCase();
  const isName = namesOf(jobs, column).some(({ name }) => name.toLowerCase() === lower);
  return passing(jobs, column, isName ? (name) => name === lower : (name) => name.includes(lower));
}

/** Those rows of `order` that pass, in its order. */
export function filteredJobs(jobs: Jobs, order: Uint32Array, filter: JobFilter): Uint32Array {
  const tests: ((row: number) => boolean)[] = [];
  if (filter.system !== "") tests.push(named(jobs, "system", filter.system));
  const { start_s } = jobs.number;
  const { from_s, before_s } = filter;
  if (from_s !== null) tests.push((row) => (start_s[row] ?? Number.NaN) >= from_s);
  if (before_s !== null) tests.push((row) => (start_s[row] ?? Number.NaN) < before_s);
  if (filter.user.trim() !== "") tests.push(named(jobs, "user_name", filter.user));
  if (filter.program.trim() !== "") tests.push(named(jobs, "program", filter.program));
  if (filter.project.trim() !== "") tests.push(named(jobs, "project", filter.project));
  const search = filter.search.trim().toLowerCase();
  if (search !== "") {
    const within = (["user_name", "program", "project", "path"] as const).map((column) =>
      passing(jobs, column, (name) => name.includes(search)),
    );
    tests.push((row) => within.some((test) => test(row)));
  }
  if (tests.length === 0) return order;
  return order.filter((row) => tests.every((test) => test(row)));
}

/** All rows in the order asked for; what is not recorded comes last in both directions. */
export function sortedJobs(jobs: Jobs, column: JobColumn, isDescending: boolean): Uint32Array {
  const rows = Uint32Array.from({ length: jobs.count }, (_, row) => row);
  let key: Numbers;
  if (column in jobs.text) {
    const codes = jobs.text[column as TextColumn];
    const distinct = [...new Set(codes)].filter((code) => code !== 0);
    const pairs = distinct
      .map((code) => [wordOf(jobs, code), code] as const)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    const places = new Float64Array(jobs.words.length + 1).fill(Number.NaN);
    pairs.forEach(([, code], place) => (places[code] = place));
    key = Float64Array.from(codes, (code) => places[code] ?? Number.NaN);
  } else key = jobs.number[column as NumberColumn];
  const sign = isDescending ? -1 : 1;
  return rows.sort((a, b) => {
    const [left, right] = [key[a] ?? 0, key[b] ?? 0];
    if (left === right) return a - b;
    if (left !== left) return right !== right ? a - b : 1;
    return right !== right ? -1 : sign * (left - right);
  });
}
