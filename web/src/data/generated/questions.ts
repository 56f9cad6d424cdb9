// Made from crates/diya-questions/src/lib.rs; to make it again:
// DIYA_BLESS=1 cargo test -p diya-questions

import type { Kind } from "../../base/kinds";
import type { FileIndex, Seconds, Track } from "../../base/units";

export type Question = { "method": "describe" } & DescribeQuestion | { "method": "report" } & ReportQuestion | { "method": "tile" } & TileQuestion | { "method": "activity" } & ActivityQuestion | { "method": "nearest_call" } & NearestCallQuestion | { "method": "call" } & CallQuestion | { "method": "calls" } & CallsQuestion | { "method": "area_statistics" } & AreaQuestion | { "method": "call_tree" } & TreeQuestion | { "method": "stack_costs" } & StackQuestion | { "method": "table" } & TableQuestion | { "method": "sql" } & SqlQuestion;

export type DescribeQuestion = { 
/**
 * The calls suffice: the diagnosis may follow.
 */
readonly is_early: boolean, };

export type ReportQuestion = Record<symbol, never>;

export type ActivityQuestion = { 
/**
 * Which calls; its window must not be null.
 */
readonly filter: CallFilter, 
/**
 * Moments that the window is cut into.
 */
readonly cells: number, };

export type NearestCallQuestion = { 
/**
 * Which calls.
 */
readonly filter: CallFilter, 
/**
 * Track.
 */
readonly track: number, 
/**
 * Moment.
 */
readonly at_s: number, 
/**
 * How far away it may be.
 */
readonly tolerance_s: number, };

export type CallQuestion = { 
/**
 * Number of the call among those that are held.
 */
readonly index: number, };

export type CallsQuestion = { 
/**
 * Which calls.
 */
readonly filter: CallFilter, 
/**
 * Their order.
 */
readonly by: OrderBy, 
/**
 * The most that are given.
 */
readonly limit: number, };

export type AreaQuestion = { 
/**
 * Which calls.
 */
readonly filter: CallFilter, 
/**
 * The most files, tracks and targets that are given.
 */
readonly top: number, };

export type TreeQuestion = { 
/**
 * Which calls.
 */
readonly filter: CallFilter, 
/**
 * As a tree of functions inside functions; else one row per function.
 */
readonly is_nested: boolean, };

export type StackQuestion = { 
/**
 * Which calls.
 */
readonly filter: CallFilter, };

export type SqlQuestion = { 
/**
 * One statement.
 */
readonly text: string, 
/**
 * The most rows that are given; null: as many as a page can take.
 */
readonly limit: number | null, };

export type CallFilter = { 
/**
 * Number of the log.
 */
readonly log: number | null, 
/**
 * Calls that end after this.
 */
readonly start_s: Seconds | null, 
/**
 * Calls that start before this.
 */
readonly end_s: Seconds | null, 
/**
 * Indices in the list of tracks.
 */
readonly tracks: readonly Track[] | null, 
/**
 * Indices in the list of files.
 */
readonly files: readonly FileIndex[] | null, 
/**
 * Kinds: read, write, metadata, wait.
 */
readonly kinds: readonly Kind[] | null, 
/**
 * Names of layers.
 */
readonly layers: readonly string[] | null, 
/**
 * Storage targets, by their number in the file system.
 */
readonly targets: readonly number[] | null, 
/**
 * Names of functions; of operations, where the log has no name of the function.
 */
readonly functions?: readonly string[] | null, 
/**
 * Names of errors, such as `ENOSPC`.
 */
readonly errors?: readonly string[] | null, 
/**
 * Names of regions of the program: calls in one of them, at any depth.
 */
readonly regions?: readonly string[] | null, 
/**
 * Numbers of steps of the program.
 */
readonly steps?: readonly number[] | null, 
/**
 * Calls that take longer than this.
 */
readonly longer_s?: Seconds | null, 
/**
 * Calls that move at least so many bytes.
 */
readonly least_bytes?: number | null, 
/**
 * Calls that move fewer bytes than this.
 */
readonly below_bytes?: number | null, 
/**
 * A frame of the call stack, as recorded.
 */
readonly frame?: string | null, };

export type TileQuestion = { 
/**
 * Which calls.
 */
readonly filter: CallFilter, 
/**
 * From left to right.
 */
readonly x: TileAxis, 
/**
 * From top to bottom.
 */
readonly y: TileAxis, 
/**
 * Only where an axis is `track`; null: all tracks, by log and rank.
 */
readonly order: TrackOrder | null, 
/**
 * What is summed.
 */
readonly planes: readonly Plane[], 
/**
 * Exact where sums would do; missing: sums.
 */
readonly refine?: boolean, };

export type TileAxis = { 
/**
 * What it counts.
 */
readonly of: AxisOf, 
/**
 * Start of the first cell.
 */
readonly from: number, 
/**
 * End of the last cell.
 */
readonly to: number, 
/**
 * Number of cells.
 */
readonly cells: number, 
/**
 * Cells are equal in the logarithm.
 */
readonly log: boolean, };

export type AxisOf = "time" | "track" | "offset" | "size" | "duration" | "target";

export type TrackOrder = { 
/**
 * Same id, same tracks: who answers may keep it.
 */
readonly id: string, 
/**
 * null: those that were sent with this id.
 */
readonly tracks: readonly number[] | null, };

export type Plane = "busy_read" | "busy_write" | "busy_metadata" | "busy_wait" | "bytes" | "calls" | "longest" | "busy_library";

export type OrderBy = "start" | "duration" | "size";

export type TableQuestion = { 
/**
 * Name of the table.
 */
readonly name: string, 
/**
 * Number of the first row.
 */
readonly first: number, 
/**
 * The most rows that are given.
 */
readonly count: number, 
/**
 * null: the order of the table. Nulls last.
 */
readonly sort: TableSort | null, 
/**
 * Rows in which any text column holds this; empty: all.
 */
readonly search: string, };

export type TableSort = { 
/**
 * Its name.
 */
readonly column: string, 
/**
 * Largest first.
 */
readonly is_descending: boolean, };
