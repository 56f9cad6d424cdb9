/** The source of a page that has a report and no calls. */

import { seconds } from "../base/units";
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
} from "./interface";
import { INTERFACE_VERSION, SourceError } from "./interface";
import type { Report } from "./report";
import { metricRows } from "./report_tables";

const NO_CALLS: CallColumns = {
  count: 0,
  count_in_all: 0,
  index: new Uint32Array(),
  track: new Uint32Array(),
  layer: new Uint8Array(),
  op: new Uint8Array(),
  file: new Int32Array(),
  function: new Int32Array(),
  offset_bytes: new Float64Array(),
  size_bytes: new Float64Array(),
  start_s: new Float64Array(),
  end_s: new Float64Array(),
  calls: new Float64Array(),
  thread: new Float64Array(),
  parent: new Int32Array(),
  stack: new Int32Array(),
  is_collective: new Uint8Array(),
};

/** Files and ranks as far as the report alone names them: no paths, no calls. */
function descriptionOf(report: Report): Description {
  const ids = new Set<string>();
  for (const table of Object.values(report.metrics)) {
    const at = table.columns.findIndex((column) => column.name === "file_id");
    if (at >= 0) for (const row of table.rows) if (row[at] !== null) ids.add(String(row[at]));
  }
  return {
    interface_version: INTERFACE_VERSION,
    source: "pack",
    holding: { rows_in_all: 0, rows_held: 0, kind: "none", note: null },
    window: { start_s: seconds(0), end_s: seconds(report.verdict.run_s ?? report.job.run_s ?? 1) },
    logs: report.logs.map((name) => ({ name, run_s: report.job.run_s === null ? null : seconds(report.job.run_s) })),
    layers: [],
    ops: [],
    op_kinds: [],
    functions: [],
    errors: [],
    regions: [],
    steps: null,
    hosts: [],
    tracks: { log: new Int32Array(), rank: new Int32Array(), host: new Int32Array() },
    files: [...ids].map((file_id) => ({ log: 0, file_id, path: null, stripe_bytes: null, stripe_count: null })),
    targets: [],
    tables: Object.entries(report.metrics).map(([name, table]) => ({
      name,
      title: table.title,
      kind: "metric",
      rows: table.rows_in_all,
    })),
    has_sql: false,
  };
}

export class ReportOnlySource implements LogSource {
  readonly description: Description;

  constructor(private readonly made: Report) {
    this.description = descriptionOf(made);
  }

  describe = async (): Promise<Description> => this.description;
  report = async (): Promise<Report> => this.made;

  async tile({ x, y, planes }: TileRequest): Promise<Tile> {
    const empty = planes.map((plane) => [plane, new Float32Array(x.cells * y.cells)] as const);
    return { width: x.cells, height: y.cells, planes: new Map(empty), is_exact: true };
  }

  async activity(_: CallFilter, cells: number): Promise<Activity> {
    const none = new Float32Array();
    return { layers: [], cells, busy_tracks: none, bytes_per_s: none, longest_s: none };
  }

  nearestCall = async (): Promise<CallDetail | null> => null;
  call = (): Promise<CallDetail> => Promise.reject(new SourceError("This page has no calls."));
  calls = async (): Promise<CallColumns> => NO_CALLS;
  areaStatistics = async (): Promise<AreaStatistics> => ({
    kinds: [],
    files: [],
    tracks: [],
    targets: [],
    functions: [],
  });
  stackCosts = async (): Promise<StackCosts> => ({ rows: [] });

  async callTree(): Promise<CallTree> {
    const none = new Float64Array();
    return {
      parent: new Int32Array(),
      layer: [],
      name: [],
      kind: [],
      calls: none,
      bytes: none,
      inclusive_s: none,
      exclusive_s: none,
      min_track_s: none,
      mean_track_s: none,
      max_track_s: none,
      max_track: new Int32Array(),
      tracks: none,
      longest_s: none,
    };
  }

  table = async (request: TableRequest): Promise<TableRows> => metricRows(this.made, request);

  sql(): Promise<TableRows> {
    return Promise.reject(
      new SourceError("This page has no SQL engine. `diya open LOG` shows the same page with one."),
    );
  }

  close(): void {
    // Nothing is held outside of this object.
  }
}
