// Made from crates/diya-questions/src/lib.rs; to make it again:
// DIYA_BLESS=1 cargo test -p diya-questions

export type Question =
  | ({ method: "describe" } & DescribeQuestion)
  | ({ method: "report" } & ReportQuestion)
  | ({ method: "tile" } & TileQuestion)
  | ({ method: "activity" } & ActivityQuestion)
  | ({ method: "nearest_call" } & NearestCallQuestion)
  | ({ method: "call" } & CallQuestion)
  | ({ method: "calls" } & CallsQuestion)
  | ({ method: "area_statistics" } & AreaQuestion)
  | ({ method: "call_tree" } & TreeQuestion)
  | ({ method: "stack_costs" } & StackQuestion)
  | ({ method: "table" } & TableQuestion)
  | ({ method: "sql" } & SqlQuestion);

export type DescribeQuestion = {
  /**
   * The calls suffice: the diagnosis may follow.
   */
  is_early: boolean;
};

export type ReportQuestion = Record<symbol, never>;

export type ActivityQuestion = {
  /**
   * Which calls; its window must not be null.
   */
  filter: CallFilter;
  /**
   * Moments that the window is cut into.
   */
  cells: number;
};

export type NearestCallQuestion = {
  /**
   * Which calls.
   */
  filter: CallFilter;
  /**
   * Track.
   */
  track: number;
  /**
   * Moment.
   */
  at_s: number;
  /**
   * How far away it may be.
   */
  tolerance_s: number;
};

export type CallQuestion = {
  /**
   * Number of the call among those that are held.
   */
  index: number;
};

export type CallsQuestion = {
  /**
   * Which calls.
   */
  filter: CallFilter;
  /**
   * Their order.
   */
  by: OrderBy;
  /**
   * The most that are given.
   */
  limit: number;
};

export type AreaQuestion = {
  /**
   * Which calls.
   */
  filter: CallFilter;
  /**
   * The most files, tracks and targets that are given.
   */
  top: number;
};

export type TreeQuestion = {
  /**
   * Which calls.
   */
  filter: CallFilter;
  /**
   * As a tree of functions inside functions; else one row per function.
   */
  is_nested: boolean;
};

export type StackQuestion = {
  /**
   * Which calls.
   */
  filter: CallFilter;
};

export type SqlQuestion = {
  /**
   * One statement.
   */
  text: string;
  /**
   * The most rows that are given; null: as many as a page can take.
   */
  limit: number | null;
};

export type CallFilter = {
  /**
   * Number of the log.
   */
  log: number | null;
  /**
   * Calls that end after this.
   */
  start_s: number | null;
  /**
   * Calls that start before this.
   */
  end_s: number | null;
  /**
   * Indices in the list of tracks.
   */
  tracks: readonly number[] | null;
  /**
   * Indices in the list of files.
   */
  files: readonly number[] | null;
  /**
   * Kinds: read, write, metadata, wait.
   */
  kinds: readonly string[] | null;
  /**
   * Names of layers.
   */
  layers: readonly string[] | null;
  /**
   * Storage targets, by their number in the file system.
   */
  targets: readonly number[] | null;
  /**
   * Names of functions; of operations, where the log has no name of the function.
   */
  functions?: readonly string[] | null;
  /**
   * Names of errors, such as `ENOSPC`.
   */
  errors?: readonly string[] | null;
  /**
   * Names of regions of the program: calls in one of them, at any depth.
   */
  regions?: readonly string[] | null;
  /**
   * Numbers of steps of the program.
   */
  steps?: readonly number[] | null;
  /**
   * Calls that take longer than this.
   */
  longer_s?: number | null;
  /**
   * Calls that move at least so many bytes.
   */
  least_bytes?: number | null;
  /**
   * Calls that move fewer bytes than this.
   */
  below_bytes?: number | null;
  /**
   * A frame of the call stack, as recorded.
   */
  frame?: string | null;
};

export type TileQuestion = {
  /**
   * Which calls.
   */
  filter: CallFilter;
  /**
   * From left to right.
   */
  x: TileAxis;
  /**
   * From top to bottom.
   */
  y: TileAxis;
  /**
   * Only where an axis is `track`; null: all tracks, by log and rank.
   */
  order: TrackOrder | null;
  /**
   * What is summed.
   */
  planes: readonly Plane[];
  /**
   * Exact where sums would do; missing: sums.
   */
  refine?: boolean;
};

export type TileAxis = {
  /**
   * What it counts.
   */
  of: AxisOf;
  /**
   * Start of the first cell.
   */
  from: number;
  /**
   * End of the last cell.
   */
  to: number;
  /**
   * Number of cells.
   */
  cells: number;
  /**
   * Cells are equal in the logarithm.
   */
  log: boolean;
};

export type AxisOf = "time" | "track" | "offset" | "size" | "duration" | "target";

export type TrackOrder = {
  /**
   * Same id, same tracks: who answers may keep it.
   */
  id: string;
  /**
   * null: those that were sent with this id.
   */
  tracks: readonly number[] | null;
};

export type Plane =
  "busy_read" | "busy_write" | "busy_metadata" | "busy_wait" | "bytes" | "calls" | "longest" | "busy_library";

export type OrderBy = "start" | "duration" | "size";

export type TableQuestion = {
  /**
   * Name of the table.
   */
  name: string;
  /**
   * Number of the first row.
   */
  first: number;
  /**
   * The most rows that are given.
   */
  count: number;
  /**
   * null: the order of the table. Nulls last.
   */
  sort: TableSort | null;
  /**
   * Rows in which any text column holds this; empty: all.
   */
  search: string;
};

export type TableSort = {
  /**
   * Its name.
   */
  column: string;
  /**
   * Largest first.
   */
  is_descending: boolean;
};
