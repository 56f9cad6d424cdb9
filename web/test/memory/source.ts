/** The source over calls in memory. */

import type { CallIndex, Seconds, Track } from "../../src/base/units";
import type {
  Activity, AreaStatistics, CallColumns, CallDetail, CallFilter, CallTree, Description, LogSource,
  StackCosts, TableRequest, TableRows, Tile, TileRequest,
} from "../../src/data/interface";
import { SourceError } from "../../src/data/interface";
import type { Report } from "../../src/data/report";
import { metricRows } from "../../src/data/report_tables";
import { matching, pick } from "./filter";
import { areaOf, detailOf, nearestOf, treeOf } from "./statistics";
import { activityOf, tileOf } from "./tile";
import type { Store } from "./timeline";

export class MemorySource implements LogSource {
  constructor(
    private readonly store: Store,
    private readonly made: Report,
  ) {}

  async describe(): Promise<Description> {
    const tables = Object.entries(this.made.metrics).map(([name, table]) => ({
      name, title: table.title, kind: "metric" as const, rows: table.rows_in_all,
    }));
    return { ...this.store.description, tables };
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

  async stackCosts(): Promise<StackCosts> {
    return { rows: [] };
  }

  async table(request: TableRequest): Promise<TableRows> {
    return metricRows(this.made, request);
  }

  sql(): Promise<TableRows> {
    return Promise.reject(new SourceError("This page has no SQL engine. `diya open LOG` shows the same page with one."));
  }

  close(): void {
    // Nothing is held outside of this object.
  }
}
