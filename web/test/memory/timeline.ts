/**
 * Timelines as text, for tests that a person can read.
 *
 *     rank layer op    file start end offset size
 *     0    posix write /out 1.0   1.5 0      4096
 *
 * The first line names the columns, in any order; `-` is not recorded. Columns
 * beyond these eight: log, host, function, error, calls, id, parent, stack, thread. A line
 * `#stack 1 save.c:9|main.c:2` has the frames of a stack, the innermost first.
 */

import { kindOfOp } from "../../src/base/kinds";
import { bytes, seconds } from "../../src/base/units";
import type { CallColumns, Description, FileEntry, Holding } from "../../src/data/interface";
import { INTERFACE_VERSION } from "../../src/data/interface";

/** Calls with everything that names them. */
export interface Store {
  readonly description: Description;
  /** Sorted by track, then start. */
  readonly calls: CallColumns;
  /** Index in `Description.errors` of each call; -1: it worked. */
  readonly errors: Int32Array;
  /** Frames by number of the stack. */
  readonly stacks: Stacks;
}

export type Stacks = ReadonlyMap<number, readonly string[]>;

export const parseStacks = (text: string): Stacks =>
  new Map(
    [...text.matchAll(/^\s*#stack (\d+) (.+)$/gm)].map(([, number, frames]) => [
      Number(number),
      (frames ?? "").trim().split("|"),
    ]),
  );

/** One call as a test or a generator gives it. */
export interface CallRow {
  readonly log?: number;
  readonly rank: number;
  readonly host?: string;
  readonly layer: string;
  readonly op: string;
  readonly file: string | null;
  readonly function?: string;
  readonly error?: string;
  readonly start: number;
  readonly end: number;
  readonly offset: number | null;
  readonly size: number | null;
  readonly calls?: number;
  readonly id?: number;
  readonly parent?: number;
  readonly stack?: number;
  readonly thread?: number;
}

const DEPTH: Readonly<Record<string, number>> = {
  netcdf: 0,
  pnetcdf_file: 1,
  pnetcdf_var: 1,
  hdf5_file: 2,
  hdf5_dataset: 2,
  hdf5_other: 2,
  mpiio: 3,
  stdio: 4,
  daos: 4,
  dfs: 5,
  posix: 5,
};

const optional = (word: string | undefined): number | null =>
  word === undefined || word === "-" ? null : Number(word);

/** @throws Error naming the line when a line has another number of words than the first. */
export function parseTimeline(text: string): CallRow[] {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const names = (lines[0] ?? "").split(/\s+/);
  return lines.slice(1).map((line, at) => {
    const words = line.split(/\s+/);
    if (words.length !== names.length)
      throw new Error(`line ${at + 2}: ${words.length} words for ${names.length} columns: ${line}`);
    const word = (name: string): string | undefined => words[names.indexOf(name)];
    const row: Record<string, unknown> = {
      rank: Number(word("rank") ?? 0),
      layer: word("layer") ?? "posix",
      op: word("op") ?? "write",
      file: word("file") === "-" ? null : (word("file") ?? "/file"),
      start: Number(word("start")),
      end: Number(word("end")),
      offset: optional(word("offset")),
      size: optional(word("size")),
    };
    for (const name of ["log", "calls", "id", "parent", "stack", "thread"]) {
      const value = optional(word(name));
      if (value !== null) row[name] = value;
    }
    for (const name of ["host", "function", "error"]) {
      const value = word(name);
      if (value !== undefined && value !== "-") row[name] = value;
    }
    return row as unknown as CallRow;
  });
}

const distinct = <T>(values: Iterable<T>): T[] => [...new Set(values)];

/** `layout`: stripes by path, as (size, count), all targets counted from 0. */
export function storeOf(
  rows: readonly CallRow[],
  layout: Readonly<Record<string, readonly [number, number]>> = {},
  stacks: Stacks = new Map(),
): Store {
  const layers = distinct(rows.map((row) => row.layer)).sort((a, b) => (DEPTH[a] ?? 9) - (DEPTH[b] ?? 9));
  const ops = distinct(rows.map((row) => row.op));
  const functions = distinct(rows.flatMap((row) => row.function ?? []));
  const errors = distinct(rows.flatMap((row) => row.error ?? []));
  const hosts = distinct(rows.flatMap((row) => row.host ?? []));
  const trackKey = (row: CallRow): number => (row.log ?? 0) * 2 ** 32 + row.rank;
  const trackKeys = distinct(rows.map(trackKey)).sort((a, b) => a - b);
  const trackOf = new Map(trackKeys.map((key, at) => [key, at]));
  const hostOf = new Map(rows.map((row) => [trackKey(row), row.host === undefined ? -1 : hosts.indexOf(row.host)]));
  const fileKey = (row: CallRow): string => `${row.log ?? 0}\n${row.file}`;
  const named = rows.filter((row) => row.file !== null);
  const fileKeys = distinct(named.map(fileKey));
  const fileOf = new Map(fileKeys.map((key, at) => [key, at]));
  const files: FileEntry[] = fileKeys.map((key, at) => {
    const [log, ...path] = key.split("\n");
    const stripes = layout[path.join("\n")];
    return {
      log: Number(log),
      file_id: String(1000 + at),
      path: path.join("\n"),
      stripe_bytes: stripes ? bytes(stripes[0]) : null,
      stripe_count: stripes?.[1] ?? null,
    };
  });
  const order = rows
    .map((_, at) => at)
    .sort((a, b) => {
      const [left, right] = [rows[a] as CallRow, rows[b] as CallRow];
      return trackKey(left) - trackKey(right) || left.start - right.start || right.end - left.end;
    });
  const sorted = order.map((at) => rows[at] as CallRow);
  const byId = new Map(sorted.flatMap((row, at) => (row.id === undefined ? [] : [[row.id, at]])));
  const column = (value: (row: CallRow) => number): number[] => sorted.map(value);
  const calls: CallColumns = {
    count: sorted.length,
    count_in_all: sorted.length,
    index: Uint32Array.from(sorted, (_, at) => at),
    track: Uint32Array.from(column((row) => trackOf.get(trackKey(row)) ?? 0)),
    layer: Uint8Array.from(column((row) => layers.indexOf(row.layer))),
    op: Uint8Array.from(column((row) => ops.indexOf(row.op))),
    file: Int32Array.from(column((row) => (row.file === null ? -1 : (fileOf.get(fileKey(row)) ?? -1)))),
    function: Int32Array.from(column((row) => (row.function === undefined ? -1 : functions.indexOf(row.function)))),
    offset_bytes: Float64Array.from(column((row) => row.offset ?? Number.NaN)),
    size_bytes: Float64Array.from(column((row) => row.size ?? Number.NaN)),
    start_s: Float64Array.from(column((row) => row.start)),
    end_s: Float64Array.from(column((row) => row.end)),
    calls: Float64Array.from(column((row) => row.calls ?? 1)),
    parent: Int32Array.from(column((row) => (row.parent === undefined ? -1 : (byId.get(row.parent) ?? -1)))),
    stack: Int32Array.from(column((row) => row.stack ?? -1)),
    thread: Float64Array.from(column((row) => row.thread ?? Number.NaN)),
    is_collective: Uint8Array.from(column((row) => Number(/_(all|ordered)(_|$)/.test(row.function ?? "")))),
  };
  const holding: Holding = {
    rows_in_all: rows.length,
    rows_held: rows.length,
    kind: rows.length > 0 ? "all" : "none",
    note: null,
  };
  let end = 0;
  for (const row of rows) end = Math.max(end, row.end);
  const targets = Math.max(0, ...Object.values(layout).map(([, count]) => count));
  const logs = distinct(rows.map((row) => row.log ?? 0));
  const description: Description = {
    interface_version: INTERFACE_VERSION,
    source: "memory",
    holding,
    window: { start_s: seconds(0), end_s: seconds(end) },
    logs: Array.from({ length: Math.max(0, ...logs) + 1 }, (_, at) => ({ name: `log ${at}`, run_s: seconds(end) })),
    layers,
    ops,
    op_kinds: ops.map(kindOfOp),
    functions,
    errors,
    regions: [],
    steps: null,
    hosts,
    tracks: {
      log: Int32Array.from(trackKeys, (key) => Math.floor(key / 2 ** 32)),
      rank: Int32Array.from(trackKeys, (key) => key % 2 ** 32),
      host: Int32Array.from(trackKeys, (key) => hostOf.get(key) ?? -1),
    },
    files,
    targets: Array.from({ length: targets }, (_, at) => at),
    tables: [],
    has_sql: false,
  };
  return {
    description,
    calls,
    stacks,
    errors: Int32Array.from(sorted, (row) => (row.error === undefined ? -1 : errors.indexOf(row.error))),
  };
}
