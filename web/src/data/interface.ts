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

import type { CallIndex, Seconds, Track } from "../base/units";
import type {
  Activity,
  AreaStatistics,
  CallColumns,
  CallDetail,
  CallTree,
  Description,
  StackCosts,
  TableRows,
} from "./generated/answers";
import type {
  CallFilter,
  OrderBy,
  Plane,
  TableQuestion as TableRequest,
  TileAxis as Axis,
} from "./generated/questions";
import type { Report } from "./report";

/** Version of this interface and of the wire format. */
export const INTERFACE_VERSION = 1;

export type { AxisOf } from "./generated/questions";
export type { Kind } from "../base/kinds";
export { KINDS } from "../base/kinds";

export type {
  Activity,
  AreaStatistics,
  CallColumns,
  CallDetail,
  CallTree,
  Description,
  FileEntry,
  Holding,
  KindRow,
  LogEntry,
  StackCosts,
  TableColumn,
  TableEntry,
  TableRows,
} from "./generated/answers";
/** Which calls count. Every field narrows; null does not. A call counts when any part of it lies inside the window. */
export type { CallFilter } from "./generated/questions";

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
export type { TileAxis as Axis } from "./generated/questions";

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

/** A part of a table. Text is searched in upper and lower case alike. */
export type { TableQuestion as TableRequest } from "./generated/questions";

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
