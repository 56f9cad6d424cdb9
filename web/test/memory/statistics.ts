/** Sums over calls: areas, functions, and what happened inside one call. */

import type { CallIndex, FileIndex, Track } from "../../src/base/units";
import { bytes, callIndex, fileIndex, seconds, track } from "../../src/base/units";
import type {
  KindRow,
  AreaStatistics,
  CallDetail,
  CallFilter,
  CallTree,
  Kind,
  StackCosts,
} from "../../src/data/interface";
import { kindOf, matching, pick, splitAtStripes } from "./filter";
import type { Store } from "./timeline";

interface Sum {
  calls: number;
  size_bytes: number;
  time_s: number;
}

function add<Key>(sums: Map<Key, Sum>, key: Key, calls: number, size_bytes: number, time_s: number): void {
  const sum = sums.get(key) ?? { calls: 0, size_bytes: 0, time_s: 0 };
  sum.calls += calls;
  sum.size_bytes += size_bytes;
  sum.time_s += time_s;
  sums.set(key, sum);
}

/** What the rows of all totals have in common. */
type AreaTotal = Pick<KindRow, "calls" | "bytes" | "time_s">;

const total = (sum: Sum): AreaTotal => ({
  calls: sum.calls,
  bytes: bytes(sum.size_bytes),
  time_s: seconds(sum.time_s),
});

function topOf<Key>(sums: Map<Key, Sum>, top: number): [Key, AreaTotal][] {
  const sorted = [...sums].sort(([, a], [, b]) => b.time_s - a.time_s).slice(0, top);
  return sorted.map(([key, sum]) => [key, total(sum)]);
}

export function areaOf(store: Store, filter: CallFilter, top: number): AreaStatistics {
  const { calls, description } = store;
  const rows = new Map<
    string,
    Sum & { layer: string; kind: Kind; tracks: Set<number>; shortest: number; longest: number; call: number }
  >();
  const found = matching(store, filter);
  const lowest = new Map<number, number>(); // of each file: layers above would count the same bytes again
  for (const call of found) {
    const file = calls.file[call] ?? -1;
    lowest.set(file, Math.max(lowest.get(file) ?? 0, calls.layer[call] ?? 0));
  }
  const files = new Map<FileIndex, Sum>();
  const tracks = new Map<Track, Sum>();
  const targets = new Map<number, Sum>();
  const functions = new Map<string, Sum>();
  for (const call of found) {
    const from = Math.max(calls.start_s[call] ?? 0, filter.start_s ?? Number.NEGATIVE_INFINITY);
    const to = Math.min(calls.end_s[call] ?? 0, filter.end_s ?? Number.POSITIVE_INFINITY);
    const duration = ((calls.end_s[call] ?? 0) - (calls.start_s[call] ?? 0)) / (calls.calls[call] ?? 1);
    const time = Math.max(0, to - from);
    const count = calls.calls[call] ?? 1;
    const size = calls.size_bytes[call] || 0;
    const layer = description.layers[calls.layer[call] ?? 0] ?? "";
    const kind = kindOf(store, call);
    const key = `${layer} ${kind}`;
    const row = rows.get(key) ?? {
      calls: 0,
      size_bytes: 0,
      time_s: 0,
      layer,
      kind,
      tracks: new Set<number>(),
      shortest: Infinity,
      longest: -1,
      call,
    };
    row.calls += count;
    row.size_bytes += size;
    row.time_s += time;
    row.tracks.add(calls.track[call] ?? 0);
    row.shortest = Math.min(row.shortest, duration);
    if (duration > row.longest) [row.longest, row.call] = [duration, call];
    rows.set(key, row);
    add(
      functions,
      JSON.stringify([
        layer,
        description.functions[calls.function[call] ?? -1] ?? description.ops[calls.op[call] ?? 0],
        kind,
      ]),
      count,
      size,
      time,
    );
    const file = calls.file[call] ?? -1;
    if (lowest.get(file) !== calls.layer[call]) continue;
    if (file >= 0) add(files, fileIndex(file), count, size, time);
    add(tracks, track(calls.track[call] ?? 0), count, size, time);
    for (const [target, part] of splitAtStripes(store, call)) add(targets, target, 1, part, (time * part) / size);
  }
  const order = (row: KindRow): number =>
    description.layers.indexOf(row.layer) * 10 + ["read", "write", "metadata", "wait"].indexOf(row.kind);
  const kinds: KindRow[] = [...rows.values()].map((row) => ({
    ...total(row),
    layer: row.layer,
    kind: row.kind,
    tracks: row.tracks.size,
    shortest_s: seconds(row.shortest),
    longest_s: seconds(row.longest),
    longest_call: callIndex(row.call),
  }));
  return {
    kinds: kinds.sort((a, b) => order(a) - order(b)),
    files: topOf(files, top).map(([file, sum]) => ({ ...sum, file })),
    tracks: topOf(tracks, top).map(([at, sum]) => ({ ...sum, track: at })),
    targets: topOf(targets, top).map(([target, sum]) => ({ ...sum, target })),
    functions: topOf(functions, top).map(([key, sum]) => {
      const [layer, name, kind] = JSON.parse(key) as [string, string, Kind];
      return { ...sum, layer, name, kind };
    }),
  };
}

/** Caller of a call: as recorded, else the call of a higher layer of the same track that lasts all of its time. */
export function parentOf(store: Store, call: number): number {
  const { calls } = store;
  const recorded = calls.parent[call] ?? -1;
  if (recorded >= 0) return recorded;
  let best = -1;
  for (let at = 0; at < calls.count; at += 1) {
    const isAround =
      calls.track[at] === calls.track[call] &&
      (calls.layer[at] ?? 0) < (calls.layer[call] ?? 0) &&
      (calls.start_s[at] ?? 0) <= (calls.start_s[call] ?? 0) &&
      (calls.end_s[at] ?? 0) >= (calls.end_s[call] ?? 0);
    if (isAround && (best < 0 || (calls.layer[at] ?? 0) > (calls.layer[best] ?? 0))) best = at;
  }
  return best;
}

export function detailOf(store: Store, index: CallIndex): CallDetail {
  const { calls } = store;
  const around: number[] = [];
  for (let at = parentOf(store, index); at >= 0; at = parentOf(store, at)) around.push(at);
  const inside: number[] = [];
  for (let at = 0; at < calls.count; at += 1) {
    if (calls.track[at] !== calls.track[index]) continue;
    for (let up = parentOf(store, at); up >= 0; up = parentOf(store, up)) if (up === index) inside.push(at);
  }
  return {
    calls: pick(calls, [index, ...inside], inside.length + 1),
    around: pick(calls, around, around.length),
    is_nesting_inferred: !calls.parent.some((parent) => parent >= 0),
    targets: [...splitAtStripes(store, index).keys()],
    is_collective: null,
    error: null,
    stack: store.stacks.get(calls.stack[index] ?? -1) ?? [],
    regions: [],
    step: null,
  };
}

export function nearestOf(
  store: Store,
  filter: CallFilter,
  at: Track,
  at_s: number,
  tolerance_s: number,
): CallDetail | null {
  const { calls } = store;
  let best = -1;
  let bestDistance = tolerance_s;
  for (const call of matching(store, { ...filter, start_s: null, end_s: null, tracks: [at] })) {
    const distance = Math.max(0, (calls.start_s[call] ?? 0) - at_s, at_s - (calls.end_s[call] ?? 0));
    const isBetter =
      distance < bestDistance ||
      (distance === bestDistance && (best < 0 || (calls.start_s[call] ?? 0) >= (calls.start_s[best] ?? 0)));
    if (isBetter) [best, bestDistance] = [call, distance];
  }
  return best < 0 ? null : detailOf(store, callIndex(best));
}

export function treeOf(store: Store, filter: CallFilter, isNested: boolean): CallTree {
  const { calls, description } = store;
  const found = matching(store, filter);
  const parents = new Map(found.map((call) => [call, parentOf(store, call)]));
  const own_s = new Map(found.map((call) => [call, (calls.end_s[call] ?? 0) - (calls.start_s[call] ?? 0)]));
  for (const [call, parent] of parents) {
    const time = (calls.end_s[call] ?? 0) - (calls.start_s[call] ?? 0);
    if (own_s.has(parent)) own_s.set(parent, (own_s.get(parent) ?? 0) - time);
  }
  const nameOf = (call: number): string =>
    description.functions[calls.function[call] ?? -1] ??
    `${description.layers[calls.layer[call] ?? 0]} ${description.ops[calls.op[call] ?? 0]}`;
  const ids = new Map<string, number>();
  const rows: {
    parent: number;
    call: number;
    calls: number;
    bytes: number;
    inclusive: number;
    exclusive: number;
    longest: number;
    tracks: Map<number, number>;
  }[] = [];
  const pathOf = (call: number): string => {
    const parent = parents.get(call) ?? -1;
    return `${isNested && parents.has(parent) ? pathOf(parent) : ""}/${calls.layer[call]} ${nameOf(call)}`;
  };
  for (const call of [...found].sort((a, b) => pathOf(a).length - pathOf(b).length)) {
    const path = pathOf(call);
    const parentPath = path.slice(0, path.lastIndexOf("/"));
    if (!ids.has(path)) {
      ids.set(path, rows.length);
      rows.push({
        parent: ids.get(parentPath) ?? -1,
        call,
        calls: 0,
        bytes: 0,
        inclusive: 0,
        exclusive: 0,
        longest: 0,
        tracks: new Map(),
      });
    }
    const row = rows[ids.get(path) ?? 0];
    if (row === undefined) continue;
    const time = (calls.end_s[call] ?? 0) - (calls.start_s[call] ?? 0);
    row.calls += calls.calls[call] ?? 1;
    row.bytes += calls.size_bytes[call] || 0;
    row.inclusive += time;
    row.exclusive += own_s.get(call) ?? 0;
    row.longest = Math.max(row.longest, time / (calls.calls[call] ?? 1));
    row.tracks.set(calls.track[call] ?? 0, (row.tracks.get(calls.track[call] ?? 0) ?? 0) + time);
  }
  const extreme =
    (pickOne: (a: number, b: number) => number) =>
    (row: (typeof rows)[number]): number =>
      [...row.tracks.values()].reduce((a, b) => pickOne(a, b));
  const column = (value: (row: (typeof rows)[number]) => number): Float64Array => Float64Array.from(rows, value);
  return {
    parent: Int32Array.from(rows, (row) => row.parent),
    layer: rows.map((row) => description.layers[calls.layer[row.call] ?? 0] ?? ""),
    name: rows.map((row) => nameOf(row.call)),
    kind: rows.map((row) => kindOf(store, row.call)),
    calls: column((row) => row.calls),
    bytes: column((row) => row.bytes),
    inclusive_s: column((row) => row.inclusive),
    exclusive_s: column((row) => row.exclusive),
    min_track_s: column(extreme(Math.min)),
    mean_track_s: column((row) => row.inclusive / row.tracks.size),
    max_track_s: column(extreme(Math.max)),
    max_track: Int32Array.from(rows, (row) => [...row.tracks].reduce((a, b) => (b[1] > a[1] ? b : a))[0]),
    tracks: column((row) => row.tracks.size),
    longest_s: column((row) => row.longest),
  };
}

/** Calls by stack, layer and kind. */
export function stackCostsOf(store: Store, filter: CallFilter): StackCosts {
  const { calls, description, stacks } = store;
  const sums = new Map<string, Sum & { frames: readonly string[]; layer: string; kind: Kind }>();
  for (const call of matching(store, filter)) {
    const frames = stacks.get(calls.stack[call] ?? -1);
    if (frames === undefined) continue;
    const [layer, kind] = [description.layers[calls.layer[call] ?? 0] ?? "", kindOf(store, call)];
    const key = `${calls.stack[call]} ${layer} ${kind}`;
    const sum = sums.get(key) ?? { calls: 0, size_bytes: 0, time_s: 0, frames, layer, kind };
    sum.calls += calls.calls[call] ?? 1;
    sum.size_bytes += calls.size_bytes[call] || 0;
    sum.time_s += (calls.end_s[call] ?? 0) - (calls.start_s[call] ?? 0);
    sums.set(key, sum);
  }
  return {
    rows: [...sums.values()].map((sum) => ({ ...total(sum), frames: sum.frames, layer: sum.layer, kind: sum.kind })),
  };
}
