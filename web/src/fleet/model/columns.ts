/** Columns of the table of jobs: heading, width, and how a cell reads. */

import { checkTitle } from "./labels";
import { exactText, formatByUnit, formatRatio } from "../../base/format";
import { text } from "../../base/text_fleet";
import { visible } from "../../base/visible";
import type { Value } from "../../data/report";
import type { Head } from "./head";
import { timeOf } from "./headline";
import type { JobColumn, Jobs, NumberColumn, TextColumn } from "./jobs";
import { namesOf, numberAt, textAt } from "./jobs";

export interface ShownColumn {
  readonly name: JobColumn;
  readonly label: string;
  readonly unit: string;
  /** In characters; the last column takes what is left. */
  readonly width: number;
  readonly doc: string;
}

const of = (name: JobColumn, label: string, unit: string, width: number, doc: string): ShownColumn => ({
  name,
  label,
  unit,
  width,
  doc,
});

/** Of a dataset. */
const OF_FLEET: readonly ShownColumn[] = [
  of("start_s", "start (UTC)", "time", 14, "start of the job"),
  of("system", "system", "", 7, "system that the log comes from"),
  of("user_name", "user", "", 8, "user, or user id"),
  of("project", "project", "", 8, "project or account, of the batch system"),
  of("program", "program", "", 11.5, "program"),
  of("nprocs", "procs", "processes", 5.5, "MPI processes"),
  of("run_time_s", "run time", "s", 11.5, "end minus start"),
  of("io_time_s", "I/O time", "s", 10, "time in I/O by the slowest rank"),
  of("io_share", "I/O share", "1", 8, "I/O time over run time"),
  of("bytes", "bytes", "bytes", 8.5, "bytes read and written"),
  of("first_finding", "first finding", "", 26, "the finding whose fix saves most"),
  of("saved_core_hours", "saving", "core-hours", 7.5, "estimated saving of all fixes, core-hours"),
  of("findings_high", "high", "findings", 5, "findings of severity high"),
  of("findings_warn", "warn", "findings", 5, "findings of severity warn"),
  of("throughput", "throughput", "bytes/s", 9.5, "bytes over I/O time"),
  of("verdict", "verdict", "", 8, "verdict of the report of this job"),
  of("path", "log", "", 14, "path of the log"),
];

/** Of a folder whose jobs are being judged. */
const OF_FOLDER: readonly ShownColumn[] = [
  of("name", "log", "", 24, "path of the log in this folder"),
  ...OF_FLEET.filter(({ name }) =>
    ["start_s", "user_name", "program", "nprocs", "run_time_s", "io_share", "bytes"].includes(name),
  ),
  of("size_bytes", "log size", "bytes", 8.5, "size of the log as stored"),
  of("verdict", "verdict", "", 10, "verdict of the report of this job"),
  of("first_finding", "first finding", "", 30, "the finding to look at first"),
];

/** Which columns a table has: none of a name that only one system or no project has. */
export function columnsOf(kind: Head["kind"], jobs: Jobs): readonly ShownColumn[] {
  if (kind === "folder") return OF_FOLDER;
  const isShown = ({ name }: ShownColumn): boolean =>
    name === "system"
      ? namesOf(jobs, "system").length > 1
      : name === "project"
        ? namesOf(jobs, "project").length > 0
        : true;
  return OF_FLEET.filter(isShown);
}

export const isText = (jobs: Jobs, name: JobColumn): name is TextColumn => name in jobs.text;

/** null: not recorded. */
export function cellOf(jobs: Jobs, column: ShownColumn, row: number): string | null {
  if (isText(jobs, column.name)) {
    const value = textAt(jobs, column.name, row);
    return value === null
      ? null
      : column.name === "verdict"
        ? (text.verdicts[value] ?? visible(value))
        : visible(column.name === "first_finding" ? checkTitle(value) : value);
  }
  const value = numberAt(jobs, column.name as NumberColumn, row);
  if (value === null) return null;
  if (column.unit === "time") return timeOf(value);
  if (column.name === "io_share") return formatRatio(value);
  return formatByUnit(column.unit === "core-hours" ? Number(value.toPrecision(3)) : value, column.unit);
}

/** All of a cell that is cut or rounded. */
export function titleOf(jobs: Jobs, column: ShownColumn, row: number): string | undefined {
  if (isText(jobs, column.name)) return cellOf(jobs, column, row) ?? undefined;
  const value = numberAt(jobs, column.name as NumberColumn, row);
  return value === null ? undefined : (exactText(value, column.unit) ?? undefined);
}

/** Rows for a file: as the dataset has them. */
export function* csvRows(jobs: Jobs, rows: Uint32Array, columns: readonly ShownColumn[]): Generator<Value[]> {
  for (const row of rows) {
    yield columns.map(({ name }) => {
      if (isText(jobs, name)) return textAt(jobs, name, row);
      const value = numberAt(jobs, name as NumberColumn, row);
      return name === "start_s" && value !== null ? new Date(value * 1000).toISOString() : value;
    });
  }
}
