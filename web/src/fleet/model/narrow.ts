/** Answers in a file, for the jobs of the filter: only rows can be left out, as nothing is there to count anew. */

import type { MetricTable } from "../../data/report";
import type { JobFilter, Jobs, TextColumn } from "./jobs";
import { textAt } from "./jobs";

/** Columns of an answer whose rows are about one of these alone. */
const OF_FILTER: readonly (readonly [field: "system" | "user" | "program" | "project", column: TextColumn])[] = [
  ["system", "system"],
  ["user", "user_name"],
  ["program", "program"],
  ["project", "project"],
];

/**
 * The rows that the filter leaves; null: rows count jobs that the filter leaves together with others, so that the
 * answer is one of all jobs. `rows`: jobs of the filter.
 */
export function narrowedAnswer(
  table: MetricTable,
  jobs: Jobs,
  rows: Uint32Array,
  filter: JobFilter,
): MetricTable | null {
  const columnOf = (name: string): number => table.columns.findIndex((column) => column.name === name);
  const keep = (column: TextColumn): ((row: MetricTable["rows"][number]) => boolean) => {
    const at = columnOf(column);
    const names = new Set(Array.from(rows, (row) => textAt(jobs, column, row)));
    return (row) => names.has(typeof row[at] === "string" ? row[at] : null);
  };
  const kept = (tests: readonly ((row: MetricTable["rows"][number]) => boolean)[]): MetricTable => ({
    ...table,
    rows: table.rows.filter((row) => tests.every((test) => test(row))),
  });
  if (columnOf("path") >= 0) return kept([keep("path")]);
  const isOther = filter.from_s !== null || filter.before_s !== null || filter.search.trim() !== "";
  const asked = OF_FILTER.filter(([field]) => filter[field].trim() !== "");
  return isOther || asked.some(([, column]) => columnOf(column) < 0) ? null : kept(asked.map(([, name]) => keep(name)));
}
