/** Metric tables out of the report in the page: sorted, searched and cut as the server would. */

import type { TableRequest, TableRows } from "./interface";
import { SourceError } from "./interface";
import type { Report, Value } from "./report";

/** Nulls last, numbers by size, text by its characters. */
function compare(a: Value, b: Value): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}

/** @throws SourceError when the report has no such table. */
export function metricRows(report: Report, { name, first, count, sort, search }: TableRequest): TableRows {
  const table = report.metrics[name];
  if (table === undefined) throw new SourceError(`The report has no table named ${name}.`);
  const wanted = search.toLowerCase();
  let rows =
    wanted === ""
      ? [...table.rows]
      : table.rows.filter((row) =>
          row.some((value) => typeof value === "string" && value.toLowerCase().includes(wanted)),
        );
  const found = wanted === "" ? table.rows_in_all : rows.length;
  const at = table.columns.findIndex((column) => column.name === sort?.column);
  if (sort && at >= 0) {
    rows = rows.sort((a, b) => {
      const [left, right] = [a[at] ?? null, b[at] ?? null];
      const isNull = left === null || right === null;
      return isNull || !sort.is_descending ? compare(left, right) : compare(right, left);
    });
  }
  return { columns: table.columns, rows: rows.slice(first, first + count), rows_in_all: found };
}
