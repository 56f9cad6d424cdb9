/** Files with alike names as one row: the steps of a run, the files of all ranks. */

import { text } from "../base/text";
import type { Value } from "../data/report";
import { FILE_COLUMNS } from "./files";

/** Rows of `FILE_COLUMNS`, and the rows that each stands for. */
export interface FileGroups {
  readonly rows: readonly (readonly Value[])[];
  readonly members: readonly (readonly number[])[];
}

const place = (name: string): number => FILE_COLUMNS.findIndex((column) => column.name === name);
const [TIME, METADATA, SLOWEST, RANKS, READ, WRITTEN, CALLS, MEAN, OPENS] = [
  "time",
  "metadata",
  "slowest",
  "ranks",
  "read",
  "written",
  "calls",
  "mean size",
  "opens",
].map(place) as [number, number, number, number, number, number, number, number, number];
const SUMS: readonly number[] = [TIME, READ, WRITTEN, CALLS, OPENS];
const MOST: readonly number[] = [SLOWEST, RANKS];

/** A name in which numbers differ from file to file: `/out/step_#.dat`. */
export const alikeName = (path: string): string => path.replace(/\d+/g, "#");

/** Groups in the order of their first file. */
export function fileGroups(rows: readonly (readonly Value[])[]): FileGroups {
  const groups = new Map<string, number[]>();
  rows.forEach((row, at) => {
    const name = alikeName(String(row[0] ?? ""));
    const known = groups.get(name);
    if (known) known.push(at);
    else groups.set(name, [at]);
  });
  const members = [...groups.values()];
  return {
    rows: [...groups].map(([name, of]) =>
      groupRow(
        name,
        of.map((at) => rows[at] ?? []),
      ),
    ),
    members,
  };
}

const numbers = (rows: readonly (readonly Value[])[], at: number): number[] =>
  rows.flatMap((row) => (typeof row[at] === "number" ? row[at] : []));
const total = (all: readonly number[]): number | null =>
  all.length === 0 ? null : all.reduce((sum, one) => sum + one, 0);

function groupRow(name: string, rows: readonly (readonly Value[])[]): readonly Value[] {
  const [first] = rows;
  if (first === undefined || rows.length === 1) return first ?? [];
  const row = first.map((value, at): Value => {
    if (at === 0) return `${name} (${text.selection.filesCount(rows.length)})`;
    const all = numbers(rows, at);
    if (SUMS.includes(at) || at >= FILE_COLUMNS.length) return total(all);
    if (MOST.includes(at)) return all.length === 0 ? null : all.reduce((most, one) => Math.max(most, one));
    return rows.every((one) => one[at] === value) ? value : null;
  });
  const [time, calls] = [row[TIME], row[CALLS]];
  row[METADATA] =
    typeof time === "number" && time > 0
      ? rows.reduce((sum, one) => sum + Number(one[METADATA] ?? 0) * Number(one[TIME] ?? 0), 0) / time
      : null;
  row[MEAN] =
    typeof calls === "number" && calls > 0 ? (Number(row[READ] ?? 0) + Number(row[WRITTEN] ?? 0)) / calls : null;
  return row;
}
