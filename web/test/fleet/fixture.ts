/** A small fleet with known answers, in the form that Rust packs. */

import type { PackedColumn, PackedTables } from "../../src/data/packed_tables";
import type { Value } from "../../src/data/report";

const steps = (values: readonly number[]): Int32Array =>
  Int32Array.from(values, (value, at) => value - (values[at - 1] ?? 0));

/** Tables by name: names of columns, `name:unit`, then rows. */
export function packed(
  tables: Readonly<Record<string, { readonly columns: string; readonly rows: readonly (readonly Value[])[] }>>,
): PackedTables {
  const words: Value[] = [];
  const codes = new Map<Value, number>();
  const code = (value: Value | undefined): number => {
    if (value === null || value === undefined) return 0;
    let known = codes.get(value);
    if (known === undefined) codes.set(value, (known = words.push(value)));
    return known;
  };
  const column = (values: readonly (Value | undefined)[]): PackedColumn =>
    values.every((value) => value === null || typeof value === "number")
      ? { numbers: Float64Array.from(values, (value) => (typeof value === "number" ? value : Number.NaN)) }
      : { codes: steps(values.map(code)) };
  const of = ([name, { columns, rows }]: [string, { columns: string; rows: readonly (readonly Value[])[] }]) => {
    const named = columns
      .split(" ")
      .map((one) => ({ name: one.split(":")[0] ?? "", type: "", unit: one.split(":")[1] ?? "", doc: "" }));
    return [
      name,
      {
        title: "",
        columns: named,
        count: rows.length,
        rows_in_all: rows.length,
        data: named.map((_, at) => column(rows.map((row) => row[at]))),
      },
    ] as const;
  };
  return { tables: Object.fromEntries(Object.entries(tables).map(of)), words };
}

/** So many jobs of 997 users and 311 programs. */
export const manyJobs = (count: number): typeof JOBS => ({
  columns: COLUMNS,
  rows: Array.from({ length: count }, (_, at) => [
    START_S + at,
    "alpha",
    `user${at % 997}`,
    `prog${at % 311}`,
    "posix",
    4,
    10 + (at % 7),
    1,
    at,
    "findings",
    at % 3,
    0,
    at % 5,
    false,
    `/logs/2026/3/1/user${at % 997}_prog${at % 311}_id${at}.darshan`,
  ]),
});

export const DAY_S = 86_400;
export const START_S = 1_772_323_200; // 2026-03-01

export const HOSTILE = "</script><img src=x onerror=alert(1)>\u202egpj.exe";

const COLUMNS =
  "start_s system user_name program interface nprocs run_time_s io_time_s bytes verdict findings_high " +
  "findings_warn recoverable_s is_partial path";

/** Four jobs: two of anna on alpha, one of bert on beta, one of which little is known. */
export const JOBS = {
  columns: COLUMNS,
  rows: [
    [
      START_S,
      "alpha",
      "anna",
      "sim",
      "mpiio",
      3600,
      100,
      50,
      1e12,
      "findings",
      1,
      2,
      20,
      false,
      "/logs/anna_sim_1.darshan",
    ],
    [
      START_S + DAY_S,
      "alpha",
      "anna",
      "sim2",
      "posix",
      36,
      1000,
      2000,
      5e9,
      "not_the_problem",
      0,
      0,
      null,
      true,
      "/logs/anna_sim2.darshan",
    ],
    [
      START_S + 2 * DAY_S,
      "beta",
      "bert",
      HOSTILE,
      "posix",
      36,
      100,
      0,
      0,
      null,
      null,
      null,
      null,
      false,
      "/logs/bert's.darshan",
    ],
    [null, "beta", null, null, null, null, null, null, null, "not_judged", 0, 0, null, false, "-odd"],
  ] as readonly (readonly Value[])[],
};
