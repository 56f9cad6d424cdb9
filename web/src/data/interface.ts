/**
 * The one way the page gets its data.
 *
 * These answer it: the decoder in a worker over an embedded pack (`wasm`), `diya
 * serve` over HTTP (`http`), and a report without calls. The first two share one wire
 * format, see `web/README.md`: every method here is one request of the same name.
 * Tests have one over text timelines.
 *
 * Calls never cross this border one object each: columns are typed arrays.
 */

import type { Kind } from "../base/kinds";
import type { Bytes, CallIndex, FileIndex, Seconds, Track } from "../base/units";
import type { AxisOf, OrderBy, Plane } from "./generated/questions";
import type { Report, Value } from "./report";

/** Version of this interface and of the wire format. */
export const INTERFACE_VERSION = 1;

export type { AxisOf } from "./generated/questions";
export type { Kind } from "../base/kinds";
export { KINDS } from "../base/kinds";

/** How many of the calls a source holds. */
export interface Holding {
  /** Rows of `call` in the logs. */
  readonly rows_in_all: number;
  /** Rows that can be asked for one by one. */
  readonly rows_held: number;
  /**
   * all: tiles and statistics are exact. grid: tiles come from sums over all calls, single calls are the worst and a
   * sample. none: counters only.
   */
  readonly kind: "all" | "grid" | "none";
  /** What the reader has to know, in words; null: nothing. */
  readonly note: string | null;
}

/** What there is to ask for. */
export interface Description {
  readonly interface_version: number;
  readonly source: "pack" | "server" | "browser" | "memory";
  readonly holding: Holding;
  /** From the first to the last moment of any job, seconds since its start. */
  readonly window: { readonly start_s: Seconds; readonly end_s: Seconds };
  readonly logs: readonly LogEntry[];
  /** Values of `call.layer` that occur, the layer nearest to the program first. */
  readonly layers: readonly string[];
  /** Values of `call.op`; `ops[i]` belongs to class `op_kinds[i]`. */
  readonly ops: readonly string[];
  readonly op_kinds: readonly Kind[];
  /** Values of `call.function`. */
  readonly functions: readonly string[];
  /** Names of errors of calls, such as `ENOSPC`. */
  readonly errors: readonly string[];
  /** Names of the regions of the program that calls are made in. */
  readonly regions: readonly string[];
  /** The first and the last step of the program that has calls; null: none was recorded. */
  readonly steps: readonly [number, number] | null;
  /** Values of `call.host`. */
  readonly hosts: readonly string[];
  /** One track for each log and rank with calls, by log, then rank. */
  readonly tracks: {
    readonly log: Int32Array;
    readonly rank: Int32Array;
    /** Index in `hosts`; -1: not recorded. */
    readonly host: Int32Array;
  };
  /** One entry per file or named object, those with calls and those without. */
  readonly files: readonly FileEntry[];
  /** Storage targets (OST ids) that calls can be split over; empty: layout not recorded. */
  readonly targets: readonly number[];
  readonly tables: readonly TableEntry[];
  /** Whether `sql` works. */
  readonly has_sql: boolean;
}

export interface LogEntry {
  readonly name: string;
  /** null: not recorded. */
  readonly run_s: Seconds | null;
}

export interface FileEntry {
  readonly log: number;
  /** `file_id` of the tables, in decimal: it needs all 64 bits. */
  readonly file_id: string;
  /** null: the log holds no name. Hostile text: show, never interpret. */
  readonly path: string | null;
  /** First component of the layout; null: not recorded. */
  readonly stripe_bytes: Bytes | null;
  readonly stripe_count: number | null;
}

export interface TableEntry {
  readonly name: string;
  readonly title: string;
  /** base: as read from the log. metric: derived. */
  readonly kind: "base" | "metric";
  readonly rows: number;
}

/**
 * Which calls count. Every field narrows; null does not.
 * A call counts when any part of it lies inside the window.
 */
export interface CallFilter {
  readonly log: number | null;
  readonly start_s: Seconds | null;
  readonly end_s: Seconds | null;
  /** Indices in `Description.tracks`. */
  readonly tracks: readonly Track[] | null;
  readonly files: readonly FileIndex[] | null;
  readonly kinds: readonly Kind[] | null;
  /** Names as in `Description.layers`. */
  readonly layers: readonly string[] | null;
  /** OST ids: calls with at least one byte on one of them. */
  readonly targets: readonly number[] | null;
  /** Names as in `Description.functions`; as in `ops` for calls without the name of a function. */
  readonly functions?: readonly string[] | null;
  /** Names as in `Description.errors`. */
  readonly errors?: readonly string[] | null;
  /** Names as in `Description.regions`: calls in one of them, at any depth. */
  readonly regions?: readonly string[] | null;
  /** Numbers of steps. */
  readonly steps?: readonly number[] | null;
  /** Calls that take longer than this. */
  readonly longer_s?: Seconds | null;
  /** Calls that move at least so many bytes, and fewer than that. */
  readonly least_bytes?: number | null;
  readonly below_bytes?: number | null;
  /** A frame of their call stack, as `CallDetail.stack` has it. */
  readonly frame?: string | null;
}

/**
 * One axis of a tile, cut into equal cells.
 *
 * time: seconds. track: positions in `order` (not track numbers), may be
 * fractions. offset: bytes. size: bytes. duration: seconds. target: positions
 * in `Description.targets`. With `log` the cells are equal in the logarithm
 * and `from` is above 0; a size of 0 goes to the first cell.
 * Combinations asked for: time x {track, offset, size, duration, target},
 * offset x track, size x track, duration x track.
 */
export interface Axis {
  readonly of: AxisOf;
  readonly from: number;
  readonly to: number;
  readonly cells: number;
  readonly log: boolean;
}

/** Tracks from top to bottom; those that are missing are hidden. */
export interface TrackOrder {
  /** Same id, same tracks: the other side may keep it. */
  readonly id: string;
  readonly tracks: Int32Array;
}

/**
 * What a cell holds.
 *
 * busy_*: seconds in calls of that kind, summed over the tracks of the cell,
 * over the length of the cell times its tracks: 1 means all were busy all the
 * time. On axes without time: seconds. Overlapping calls of one track count once.
 * bytes, calls: sums (a call counts in the cell where it starts; bytes are
 * spread evenly over its time). longest: duration of the longest call that
 * touches the cell, seconds: outliers survive aggregation.
 */
export type { Plane } from "./generated/questions";

export interface TileRequest {
  readonly filter: CallFilter;
  readonly x: Axis;
  readonly y: Axis;
  /** Only where an axis is `track`; null: all tracks, by log and rank. */
  readonly order: TrackOrder | null;
  readonly planes: readonly Plane[];
}

/** Cells row by row, the first row first; 0 where nothing is. */
export interface Tile {
  readonly width: number;
  readonly height: number;
  readonly planes: ReadonlyMap<Plane, Float32Array>;
  /** False: drawn from sums, or still coarse. */
  readonly is_exact: boolean;
}

/** How many tracks are in which kind of call, moment by moment. */
export interface Activity {
  readonly layers: readonly string[];
  readonly cells: number;
  /**
   * For `layers[l]`, kind k and cell c at `(l * 4 + k) * cells + c`:
   * mean number of tracks inside such a call.
   */
  readonly busy_tracks: Float32Array;
  /** Likewise, bytes per second moved. */
  readonly bytes_per_s: Float32Array;
  /** Longest call per layer and cell, `l * cells + c`, seconds. */
  readonly longest_s: Float32Array;
}

/** Calls as columns. NaN, and -1 in a column of indices: not recorded. */
export interface CallColumns {
  readonly count: number;
  /** Calls that fit, also those left out by `limit`. */
  readonly count_in_all: number;
  readonly index: Uint32Array;
  readonly track: Uint32Array;
  /** Index in `Description.layers`. */
  readonly layer: Uint8Array;
  /** Index in `Description.ops`. */
  readonly op: Uint8Array;
  /** Index in `Description.files`. */
  readonly file: Int32Array;
  /** Index in `Description.functions`. */
  readonly function: Int32Array;
  readonly offset_bytes: Float64Array;
  readonly size_bytes: Float64Array;
  readonly start_s: Float64Array;
  readonly end_s: Float64Array;
  /** Calls in this row; more than 1 in a run of tiny calls. */
  readonly calls: Float64Array;
  /** Call inside which this one was made. */
  readonly parent: Int32Array;
  readonly stack: Int32Array;
  /** 1: a collective call; 0: none, or not recorded. */
  /** Id of the thread; NaN: its process has one, or it was not recorded. */
  readonly thread: Float64Array;
  readonly is_collective: Uint8Array;
}

/** Everything about one call. */
export interface CallDetail {
  /** The call itself in row 0, then the calls made inside it (all depths, by start). */
  readonly calls: CallColumns;
  /** Calls around it, innermost first. */
  readonly around: CallColumns;
  /** True where nesting follows from times of one rank and file, not from the log. */
  readonly is_nesting_inferred: boolean;
  /** Targets that hold its bytes; empty: none, or layout not recorded. */
  readonly targets: readonly number[];
  /** True, false, or not recorded. */
  readonly is_collective: boolean | null;
  /** errno name. */
  readonly error: string | null;
  /** Innermost frame first, such as `main.c:12 write_all`; empty: not recorded. */
  readonly stack: readonly string[];
  /** Regions of the program around it, innermost first; empty: in none. */
  readonly regions: readonly string[];
  /** Step of the program; null: in none. */
  readonly step: number | null;
}

/** Totals of the calls that a filter leaves, cut at the window. */
export interface AreaStatistics {
  /** One row per layer and kind with calls. */
  readonly kinds: readonly AreaRow[];
  /** Most time first, at most `top` rows each, summed over kinds of the lowest layer of each file or rank. */
  readonly files: readonly (AreaTotal & { readonly file: FileIndex })[];
  readonly tracks: readonly (AreaTotal & { readonly track: Track })[];
  /** Bytes split at stripe edges; empty where the layout is not recorded. */
  readonly targets: readonly (AreaTotal & { readonly target: number })[];
  /** Functions, or operations where the log has no function; each layer by itself. */
  readonly functions: readonly (AreaTotal & { readonly name: string; readonly layer: string; readonly kind: Kind })[];
}

export interface AreaTotal {
  readonly calls: number;
  readonly bytes: Bytes;
  /** Time in calls, summed over tracks. */
  readonly time_s: Seconds;
}

export interface AreaRow extends AreaTotal {
  readonly layer: string;
  readonly kind: Kind;
  readonly tracks: number;
  readonly shortest_s: Seconds;
  readonly longest_s: Seconds;
  readonly longest_call: CallIndex;
}

/**
 * Functions, or the tree of functions inside functions, as rows.
 * A log without function names gives one row per layer and op.
 */
export interface CallTree {
  /** Row of the caller; -1: the program itself. Rows come after their callers. */
  readonly parent: Int32Array;
  readonly layer: readonly string[];
  readonly name: readonly string[];
  readonly kind: readonly Kind[];
  readonly calls: Float64Array;
  readonly bytes: Float64Array;
  /** Time in the calls, summed over tracks. */
  readonly inclusive_s: Float64Array;
  /** Part of it in no call made inside. */
  readonly exclusive_s: Float64Array;
  /** Inclusive time of the tracks that make such calls: least, mean, most, and who. */
  readonly min_track_s: Float64Array;
  readonly mean_track_s: Float64Array;
  readonly max_track_s: Float64Array;
  readonly max_track: Int32Array;
  readonly tracks: Float64Array;
  readonly longest_s: Float64Array;
}

/** Cost by call stack; empty where no stack was recorded. */
export interface StackCosts {
  readonly rows: readonly (AreaTotal & {
    /** Innermost frame first. */
    readonly frames: readonly string[];
    readonly layer: string;
    readonly kind: Kind;
  })[];
}

/** Row-wise: tables are for reading, not for drawing. */
export interface TableRows {
  readonly columns: readonly TableColumn[];
  readonly rows: readonly (readonly Value[])[];
  readonly rows_in_all: number;
}

export interface TableColumn {
  readonly name: string;
  /** bool, i32, i64, u64, f64, str or timestamp_ns. */
  readonly type: string;
  readonly unit: string;
  readonly doc: string;
}

export interface TableRequest {
  readonly name: string;
  readonly first: number;
  readonly count: number;
  /** Column to sort by; null: the order of the table. Nulls last. */
  readonly sort: { readonly column: string; readonly is_descending: boolean } | null;
  /** Rows in which any text column holds this, upper and lower case alike; empty: all. */
  readonly search: string;
}

export { SourceError } from "../base/errors";

export interface LogSource {
  describe(): Promise<Description>;
  report(): Promise<Report>;
  /** `signal` gives up: the promise rejects with an AbortError. The latest request wins. */
  tile(request: TileRequest, signal?: AbortSignal): Promise<Tile>;
  /** Over `filter`'s window, which must not be null. */
  activity(filter: CallFilter, cells: number, signal?: AbortSignal): Promise<Activity>;
  /**
   * The call of a track that is at a moment, or nearest to it within
   * `tolerance_s`; of several the one that started last (the innermost).
   */
  nearestCall(filter: CallFilter, at: Track, at_s: Seconds, tolerance_s: Seconds): Promise<CallDetail | null>;
  call(index: CallIndex): Promise<CallDetail>;
  /** `by`: order of the result. */
  calls(filter: CallFilter, by: OrderBy, limit: number, signal?: AbortSignal): Promise<CallColumns>;
  areaStatistics(filter: CallFilter, top: number, signal?: AbortSignal): Promise<AreaStatistics>;
  /** `is_nested`: the tree; else one row per function. */
  callTree(filter: CallFilter, is_nested: boolean, signal?: AbortSignal): Promise<CallTree>;
  stackCosts(filter: CallFilter, signal?: AbortSignal): Promise<StackCosts>;
  table(request: TableRequest, signal?: AbortSignal): Promise<TableRows>;
  /** Rejects with a SourceError where `has_sql` is false. */
  sql(text: string, limit: number, signal?: AbortSignal): Promise<TableRows>;
  close(): void;
}
