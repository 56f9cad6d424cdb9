/**
 * The report of a job, as the page works with it: the generated types of its JSON, and what the
 * page adds to a table so that a large one need not become rows.
 */

import type * as json from "./generated/report";

export type {
  AccountRow,
  Action,
  CheckName,
  Evidence,
  Finding,
  Job,
  LatePart,
  LateRank,
  MainFile,
  Problem,
  Saving,
  SourceCost,
  Threshold,
  TimePart,
  UnknownCheck,
  Value,
  Verdict,
} from "./generated/report";

export type Severity = json.Finding["severity"];
export type Confidence = json.Verdict["confidence"];

export interface MetricTable extends json.Table {
  /** Rows that are here; missing: as many as `rows` has. Asking does not make the rows. */
  readonly count?: number;
  /** Values of a column by row, without making the rows; missing: `rows` are there. */
  readonly valuesOf?: (column: number) => (row: number) => json.Value;
}

export interface Report extends Omit<json.Report, "metrics"> {
  readonly metrics: Readonly<Record<string, MetricTable>>;
}
