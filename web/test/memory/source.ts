/** The source over calls in memory. */

import type { CallIndex, Seconds, Track } from "../../src/base/units";
import type {
  Activity,
  AreaStatistics,
  CallColumns,
  CallDetail,
  CallFilter,
  CallTree,
  Description,
  LogSource,
  StackCosts,
  TableRequest,
  TableRows,
  Tile,
  TileRequest,
} from "../../src/data/interface";
import { SourceError } from "../../src/data/interface";
import type { Report } from "../../src/data/report";
import { metricRows } from "../../src/data/report_tables";
import { matching, pick } from "./filter";
import { areaOf, detailOf, nearestOf, stackCostsOf, treeOf } from "./statistics";
import { activityOf, tileOf } from "./tile";
import type { Store } from "./timeline";

export class MemorySource implements LogSource {
  constructor(
    private readonly store: Store,
    private readonly made: Report,
  ) {}

  async describe(): Promise<Description> {
    const tables = Object.entries(this.made.metrics).map(([name, table]) => ({
      name,
      title: table.title,
      kind: "metric" as const,
      rows: table.rows_in_all,
    }));
    return { ...this.store.description, tables, has_sql: true };
  }

  async report(): Promise<Report> {
    return this.made;
  }

  async tile(request: TileRequest, signal?: AbortSignal): Promise<Tile> {
    await Promise.resolve();
    signal?.throwIfAborted();
    return tileOf(this.store, request);
  }

  async activity(filter: CallFilter, cells: number): Promise<Activity> {
    return activityOf(this.store, filter, cells);
  }

  async nearestCall(filter: CallFilter, at: Track, at_s: Seconds, tolerance_s: Seconds): Promise<CallDetail | null> {
    return nearestOf(this.store, filter, at, at_s, tolerance_s);
  }

  async call(index: CallIndex): Promise<CallDetail> {
    return detailOf(this.store, index);
  }

  async calls(filter: CallFilter, by: "start" | "duration" | "size", limit: number): Promise<CallColumns> {
    const { calls } = this.store;
    const duration = (at: number): number => (calls.end_s[at] ?? 0) - (calls.start_s[at] ?? 0);
    const key = {
      start: (at: number) => calls.start_s[at] ?? 0,
      duration: (at: number) => -duration(at),
      size: (at: number) => -(calls.size_bytes[at] || 0),
    }[by];
    const found = matching(this.store, filter).sort((a, b) => key(a) - key(b));
    return pick(calls, found.slice(0, limit), found.length);
  }

  async areaStatistics(filter: CallFilter, top: number): Promise<AreaStatistics> {
    return areaOf(this.store, filter, top);
  }

  async callTree(filter: CallFilter, is_nested: boolean): Promise<CallTree> {
    return treeOf(this.store, filter, is_nested);
  }

  async stackCosts(filter: CallFilter): Promise<StackCosts> {
    return stackCostsOf(this.store, filter);
  }

  async table(request: TableRequest): Promise<TableRows> {
    return metricRows(this.made, request);
  }

  /** The schema, and all rows of one table: what the page asks is under test, not an engine. */
  async sql(statement: string): Promise<TableRows> {
    const column = (name: string): TableRows["columns"][number] => ({ name, type: "utf8", unit: "", doc: "" });
    if (statement.includes("information_schema")) {
      const rows = Object.entries(this.made.metrics).flatMap(([name, { columns }]) =>
        columns.map((one) => [name, one.name, one.type]),
      );
      return { columns: ["table_name", "column_name", "data_type"].map(column), rows, rows_in_all: rows.length };
    }
    const [, name = ""] = /^select \* from (\w+)$/.exec(statement.trim()) ?? [];
    if (name === "")
      throw new SourceError("this is not valid SQL: Expected: end of statement, found: form at Line: 1, Column: 10");
    if (this.made.metrics[name] === undefined)
      throw new SourceError(`table '${name}' not found (\`diya tables\` lists all)`);
    return metricRows(this.made, { name, first: 0, count: 1000, sort: null, search: "" });
  }

  close(): void {
    // Nothing is held outside of this object.
  }
}
