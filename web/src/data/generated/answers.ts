// Made from crates/diya-questions/src/answers; to make it again:
// DIYA_BLESS=1 cargo test -p diya-questions

import type { Kind } from "../../base/kinds";
import type { Bytes, CallIndex, FileIndex, Seconds, Track } from "../../base/units";
import type { Plane } from "./questions";
import type { Value } from "./report";

/** How many of the calls are held. */
export interface Holding {
  /** Rows of `call` in the logs. */
  readonly rows_in_all: number;
  /** Rows that can be asked for one by one. */
  readonly rows_held: number;
  /** all: tiles and statistics are exact. grid: tiles come from sums over all calls, single calls are the worst and a sample. none: counters only. */
  readonly kind: "all" | "grid" | "none";
  /** What the reader has to know, in words; null: nothing. */
  readonly note: string | null;
}

/** From the first to the last moment, seconds since the start of the job. */
export interface TimeRange {
  /** First moment. */
  readonly start_s: Seconds;
  /** Last moment. */
  readonly end_s: Seconds;
}

/** A log. */
export interface LogEntry {
  /** Its name, as given. */
  readonly name: string;
  /** Run time; null: not recorded. */
  readonly run_s: Seconds | null;
}

/** One track for each log and rank with calls, by log, then rank. */
export interface TrackColumns {
  /** Number of the log. */
  readonly log: Int32Array;
  /** Rank. */
  readonly rank: Int32Array;
  /** Index in `hosts`; -1: not recorded. */
  readonly host: Int32Array;
}

/** A file or named object, with calls or without. */
export interface FileEntry {
  /** Number of the log. */
  readonly log: number;
  /** `file_id` of the tables, in decimal: it needs all 64 bits. */
  readonly file_id: string;
  /** null: the log holds no name. Hostile text: show, never interpret. */
  readonly path: string | null;
  /** First component of the layout; null: not recorded. */
  readonly stripe_bytes: Bytes | null;
  /** Its targets; null: not recorded. */
  readonly stripe_count: number | null;
}

/** A table. */
export interface TableEntry {
  /** Its name in SQL. */
  readonly name: string;
  /** What it holds. */
  readonly title: string;
  /** base: as read from the log. metric: derived. */
  readonly kind: "base" | "metric";
  /** Its rows. */
  readonly rows: number;
}

/** What there is to ask for. */
export interface Description {
  /** Version of the questions and answers. */
  readonly interface_version: number;
  /** Who answers. */
  readonly source: "pack" | "server" | "browser" | "memory";
  /** How many of the calls are held. */
  readonly holding: Holding;
  /** From the first to the last moment of any job. */
  readonly window: TimeRange;
  /** The logs. */
  readonly logs: readonly LogEntry[];
  /** Values of `call.layer` that occur, the layer nearest to the program first. */
  readonly layers: readonly string[];
  /** Values of `call.op`; `ops[i]` belongs to class `op_kinds[i]`. */
  readonly ops: readonly string[];
  /** Colours of `ops`. */
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
  /** The tracks. */
  readonly tracks: TrackColumns;
  /** The files. */
  readonly files: readonly FileEntry[];
  /** Storage targets (OST ids) that calls can be split over; empty: layout not recorded. */
  readonly targets: readonly number[];
  /** The tables. */
  readonly tables: readonly TableEntry[];
  /** Whether the question `sql` is answered. */
  readonly has_sql: boolean;
}

/** A column of a table. */
export interface TableColumn {
  /** Its name. */
  readonly name: string;
  /** bool, i32, i64, u64, f64, str or timestamp_ns. */
  readonly type: string;
  /** Its unit. */
  readonly unit: string;
  /** What it holds, and what null means. */
  readonly doc: string;
}

/** Row-wise: tables are for reading, not for drawing. */
export interface TableRows {
  /** The columns. */
  readonly columns: readonly TableColumn[];
  /** The rows. */
  readonly rows: readonly (readonly Value[])[];
  /** Rows of the whole table. */
  readonly rows_in_all: number;
}

/** Cells row by row, the first row first; 0 where nothing is. */
export interface TileAnswer {
  /** Cells from left to right. */
  readonly width: number;
  /** Cells from top to bottom. */
  readonly height: number;
  /** False: drawn from sums, or still coarse. */
  readonly is_exact: boolean;
  /** The planes that were asked for. */
  readonly planes: Readonly<Partial<Record<Plane, Float32Array>>>;
}

/** How many tracks are in which kind of call, moment by moment. */
export interface Activity {
  /** The layers. */
  readonly layers: readonly string[];
  /** Moments that the window is cut into. */
  readonly cells: number;
  /** For `layers[l]`, kind k and cell c at `(l * 4 + k) * cells + c`: mean number of tracks inside such a call. */
  readonly busy_tracks: Float32Array;
  /** Likewise, bytes per second moved. */
  readonly bytes_per_s: Float32Array;
  /** Longest call per layer and cell, `l * cells + c`, seconds. */
  readonly longest_s: Float32Array;
}

/** Calls as columns. NaN, and -1 in a column of indices: not recorded. */
export interface CallColumns {
  /** Calls that are here. */
  readonly count: number;
  /** Calls that fit, also those left out by `limit`. */
  readonly count_in_all: number;
  /** Number of the call among those that are held. */
  readonly index: Uint32Array;
  /** Track. */
  readonly track: Uint32Array;
  /** Index in `Description.layers`. */
  readonly layer: Uint8Array;
  /** Index in `Description.ops`. */
  readonly op: Uint8Array;
  /** Index in `Description.files`. */
  readonly file: Int32Array;
  /** Index in `Description.functions`. */
  readonly function: Int32Array;
  /** Offset in the file. */
  readonly offset_bytes: Float64Array;
  /** Bytes moved. */
  readonly size_bytes: Float64Array;
  /** Start, seconds since the start of the job. */
  readonly start_s: Float64Array;
  /** End. */
  readonly end_s: Float64Array;
  /** Calls in this row; more than 1 in a run of tiny calls. */
  readonly calls: Float64Array;
  /** Call inside which this one was made. */
  readonly parent: Int32Array;
  /** Number of its call stack. */
  readonly stack: Int32Array;
  /** Id of the thread; NaN: its process has one, or it was not recorded. */
  readonly thread: Float64Array;
  /** 1: a collective call; 0: none, or not recorded. */
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

/** One call, where there is one. */
export interface CallAnswer {
  /** null: no call is there. */
  readonly detail: CallDetail | null;
}

/** Totals of one layer and kind. */
export interface KindRow {
  /** Layer. */
  readonly layer: string;
  /** Kind. */
  readonly kind: Kind;
  /** Calls. */
  readonly calls: number;
  /** Bytes moved. */
  readonly bytes: Bytes;
  /** Time in calls, summed over tracks. */
  readonly time_s: Seconds;
  /** Tracks with such calls. */
  readonly tracks: number;
  /** Shortest call. */
  readonly shortest_s: Seconds;
  /** Longest call. */
  readonly longest_s: Seconds;
  /** The longest call. */
  readonly longest_call: CallIndex;
}

/** Totals of one file. */
export interface FileTotal {
  /** Index in `Description.files`. */
  readonly file: FileIndex;
  /** Calls. */
  readonly calls: number;
  /** Bytes moved. */
  readonly bytes: Bytes;
  /** Time in calls, summed over tracks. */
  readonly time_s: Seconds;
}

/** Totals of one track. */
export interface TrackTotal {
  /** Track. */
  readonly track: Track;
  /** Calls. */
  readonly calls: number;
  /** Bytes moved. */
  readonly bytes: Bytes;
  /** Time in calls, summed over tracks. */
  readonly time_s: Seconds;
}

/** Totals of one storage target. */
export interface TargetTotal {
  /** OST id. */
  readonly target: number;
  /** Calls. */
  readonly calls: number;
  /** Bytes moved. */
  readonly bytes: Bytes;
  /** Time in calls, summed over tracks. */
  readonly time_s: Seconds;
}

/** Totals of one function, or operation where the log has no function. */
export interface FunctionRow {
  /** Its name. */
  readonly name: string;
  /** Layer. */
  readonly layer: string;
  /** Kind. */
  readonly kind: Kind;
  /** Calls. */
  readonly calls: number;
  /** Bytes moved. */
  readonly bytes: Bytes;
  /** Time in calls, summed over tracks. */
  readonly time_s: Seconds;
}

/** Totals of the calls that a filter leaves, cut at the window. */
export interface AreaStatistics {
  /** One row per layer and kind with calls. */
  readonly kinds: readonly KindRow[];
  /** Most time first, at most `top` rows, summed over kinds of the lowest layer of each file. */
  readonly files: readonly FileTotal[];
  /** Likewise of each rank. */
  readonly tracks: readonly TrackTotal[];
  /** Bytes split at stripe edges; empty where the layout is not recorded. */
  readonly targets: readonly TargetTotal[];
  /** Functions; each layer by itself. */
  readonly functions: readonly FunctionRow[];
}

/** Functions, or the tree of functions inside functions, as rows. A log without function names gives one row per layer and op. */
export interface CallTree {
  /** Row of the caller; -1: the program itself. Rows come after their callers. */
  readonly parent: Int32Array;
  /** Layers. */
  readonly layer: readonly string[];
  /** Functions. */
  readonly name: readonly string[];
  /** Kinds. */
  readonly kind: readonly Kind[];
  /** Calls. */
  readonly calls: Float64Array;
  /** Bytes moved. */
  readonly bytes: Float64Array;
  /** Time in the calls, summed over tracks. */
  readonly inclusive_s: Float64Array;
  /** Part of it in no call made inside. */
  readonly exclusive_s: Float64Array;
  /** Inclusive time of the track of those that make such calls that has least of it. */
  readonly min_track_s: Float64Array;
  /** Their mean. */
  readonly mean_track_s: Float64Array;
  /** That of the track with most. */
  readonly max_track_s: Float64Array;
  /** This track. */
  readonly max_track: Int32Array;
  /** Tracks that make such calls. */
  readonly tracks: Float64Array;
  /** Longest call. */
  readonly longest_s: Float64Array;
}

/** Cost of one call stack. */
export interface StackRow {
  /** Innermost frame first. */
  readonly frames: readonly string[];
  /** Layer. */
  readonly layer: string;
  /** Kind. */
  readonly kind: Kind;
  /** Calls. */
  readonly calls: number;
  /** Bytes moved. */
  readonly bytes: Bytes;
  /** Time in calls, summed over tracks. */
  readonly time_s: Seconds;
}

/** Cost by call stack; empty where no stack was recorded. */
export interface StackCosts {
  /** The stacks. */
  readonly rows: readonly StackRow[];
}
