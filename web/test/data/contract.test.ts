/** One set of questions for every source: what the interface promises, each must keep. */

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callIndex, seconds, track } from "../../src/base/units";
import type { CallFilter, Description, LogSource, Plane, Tile } from "../../src/data/interface";
import type { Opened } from "./sources";
import { openHttp, openMemory, openWasm } from "./sources";

const ALL: CallFilter = {
  log: null,
  start_s: null,
  end_s: null,
  tracks: null,
  files: null,
  kinds: null,
  layers: null,
  targets: null,
};
const posix: CallFilter = { ...ALL, layers: ["posix"] };

const sources: readonly (readonly [string, () => Promise<Opened>])[] = [
  ["memory", openMemory],
  ["wasm", openWasm],
  ["http", openHttp],
];

describe.each(sources)("the %s source", (_, open) => {
  let opened: Opened;
  let source: LogSource;
  let description: Description;
  beforeAll(async () => {
    opened = await open();
    source = opened.source;
    description = await source.describe();
  });
  afterAll(() => opened.close());

  const near = (values: Iterable<number>): number[] => [...values].map((value) => Math.round(value * 1000) / 1000);
  const plane = (tile: Tile, name: Plane): number[] => near(tile.planes.get(name) ?? []);

  it("describes what is there", () => {
    expect(description.layers).toEqual(["mpiio", "posix"]);
    expect([...description.tracks.rank]).toEqual([0, 1]);
    expect([...description.tracks.host].map((host) => description.hosts[host])).toEqual(["n0", "n1"]);
    expect(description.files.map((file) => [file.path, file.stripe_bytes, file.stripe_count])).toEqual([
      ["/out", 1000, 2],
      ["/in", null, null],
    ]);
    expect(description.holding).toMatchObject({ kind: "all", rows_in_all: 8, rows_held: 8 });
    expect(description.window.end_s).toBeCloseTo(6);
    const kinds = Object.fromEntries(description.ops.map((op, at) => [op, description.op_kinds[at]]));
    expect(kinds).toEqual({ write: "write", open: "metadata", read: "read", sync: "wait" });
    expect(description.targets).toEqual([0, 1]);
  });

  it("narrows to functions, errors and long calls", async () => {
    const count = async (part: Partial<CallFilter>) =>
      (await source.calls({ ...ALL, ...part }, "start", 0)).count_in_all;
    expect(description.errors).toEqual([]);
    expect(await count({ functions: ["pwrite64", "fsync"] })).toBe(3);
    expect(await count({ functions: [] })).toBe(0);
    expect(await count({ functions: ["write"] })).toBe(0); // an operation: these calls have functions
    expect(await count({ errors: ["ENOSPC"] })).toBe(0);
    expect([description.regions, description.steps]).toEqual([[], null]);
    expect(await count({ regions: ["solve"] })).toBe(0);
    expect(await count({ steps: [1, 2] })).toBe(0);
    expect(await count({ longer_s: seconds(0.9) })).toBe(4);
    expect(await count({ longer_s: seconds(0.9), functions: ["fsync"], layers: ["posix"] })).toBe(1);
  });

  it("narrows to sizes and to frames of call stacks", async () => {
    const count = async (part: Partial<CallFilter>) =>
      (await source.calls({ ...ALL, ...part }, "start", 0)).count_in_all;
    expect(await count({ least_bytes: 1500 })).toBe(4);
    expect(await count({ below_bytes: 1500 })).toBe(2); // what moves no bytes has no size
    expect(await count({ least_bytes: 1500, below_bytes: 2000, layers: ["posix"] })).toBe(1);
    expect(await count({ frame: "main.c:1 main" })).toBe(0);
  });

  it("sums functions, each layer by itself", async () => {
    const { functions } = await source.areaStatistics(ALL, 2);
    expect(functions.map(({ name, layer, calls }) => [name, layer, calls])).toEqual([
      ["MPI_File_write_all", "mpiio", 2],
      ["pwrite64", "posix", 2],
    ]);
    expect(functions[0]?.time_s).toBeCloseTo(3.9);
  });

  it("gives the busy share of ranks over time", async () => {
    const tile = await source.tile({
      filter: posix,
      order: null,
      planes: ["busy_read", "busy_write", "busy_wait", "longest"],
      x: { of: "time", from: 0, to: 6, cells: 6, log: false },
      y: { of: "track", from: 0, to: 2, cells: 2, log: false },
    });
    expect([tile.width, tile.height, tile.is_exact]).toEqual([6, 2, true]);
    expect(plane(tile, "busy_write")).toEqual([0, 0.7, 0.9, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(plane(tile, "busy_read")).toEqual([0, 0, 0, 0, 0.5, 0, 0, 0, 0, 0, 0.5, 0]);
    expect(plane(tile, "busy_wait")).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    expect(plane(tile, "longest").slice(0, 6)).toEqual([0, 1.4, 1.4, 0.05, 0.5, 0]);
  });

  it("parts the time of a library from that of the calls below it", async () => {
    const asked = (planes: readonly Plane[]) =>
      source.tile({
        filter: { ...ALL, layers: ["mpiio"] },
        order: null,
        planes,
        x: { of: "time", from: 0, to: 6, cells: 6, log: false },
        y: { of: "track", from: 0, to: 2, cells: 2, log: false },
      });
    const waits = [0, 0.3, 0.1, 0, 0, 0, 0, 0.9, 1, 0, 0, 0];
    const parted = await asked(["busy_write", "busy_wait", "busy_library"]);
    expect(plane(parted, "busy_write")).toEqual([0, 0.7, 0.9, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    expect(plane(parted, "busy_wait")).toEqual(waits); // the calls are collective
    expect(plane(parted, "busy_library")).toEqual(waits.map(() => 0));
    expect(plane(await asked(["busy_write", "busy_library"]), "busy_library")).toEqual(waits);
  });

  it("joins ranks in a row without losing the longest call", async () => {
    const tile = await source.tile({
      filter: posix,
      order: null,
      planes: ["busy_write", "longest"],
      x: { of: "time", from: 0, to: 6, cells: 2, log: false },
      y: { of: "track", from: 0, to: 2, cells: 1, log: false },
    });
    expect(plane(tile, "busy_write")).toEqual([0.267, 0]); // 1.6 s of 3 s x 2 ranks
    expect(plane(tile, "longest")).toEqual([1.4, 1]);
  });

  it("shows tracks in the order asked for, and knows an order it was sent before", async () => {
    const request = {
      filter: posix,
      order: { id: "turned", tracks: Int32Array.from([1, 0]) },
      planes: ["busy_write"] as const,
      x: { of: "time", from: 0, to: 6, cells: 1, log: false } as const,
      y: { of: "track", from: 0, to: 2, cells: 2, log: false } as const,
    };
    expect(plane(await source.tile(request), "busy_write")).toEqual([0, 0.267]);
    expect(plane(await source.tile(request), "busy_write")).toEqual([0, 0.267]);
  });

  it("maps offsets over ranks", async () => {
    const tile = await source.tile({
      filter: { ...posix, kinds: ["write"] },
      order: null,
      planes: ["busy_write", "calls"],
      x: { of: "track", from: 0, to: 2, cells: 2, log: false },
      y: { of: "offset", from: 0, to: 4000, cells: 2, log: false },
    });
    expect(plane(tile, "busy_write").map((value) => value > 0)).toEqual([true, false, true, false]);
  });

  it("counts ranks inside calls, moment by moment", async () => {
    const activity = await source.activity({ ...ALL, start_s: seconds(0), end_s: seconds(6) }, 6);
    const [mpiioWrite, posixRead] = [activity.layers.indexOf("mpiio") * 4 + 1, activity.layers.indexOf("posix") * 4];
    const row = (at: number): number[] => near(activity.busy_tracks.subarray(at * 6, at * 6 + 6));
    expect(row(mpiioWrite)).toEqual([0, 1.9, 2, 0, 0, 0]);
    expect(row(posixRead)).toEqual([0, 0, 0, 0, 1, 0]);
  });

  it("finds the call under a moment, and the innermost of several", async () => {
    const detail = await source.nearestCall(posix, track(0), seconds(2), seconds(0.1));
    expect([detail?.calls.start_s[0], detail?.calls.size_bytes[0]]).toEqual([1.5, 2500]);
    expect(await source.nearestCall(posix, track(0), seconds(3.6), seconds(0.1))).toBeNull();
    const later = await source.nearestCall(posix, track(0), seconds(3.9), seconds(0.2));
    expect(later?.calls.start_s[0]).toBe(4);
  });

  it("tells what a call became, and inside which it was made", async () => {
    const outer = await source.nearestCall({ ...ALL, layers: ["mpiio"] }, track(0), seconds(1.1), seconds(0));
    expect(outer?.calls.count).toBe(3);
    expect([...(outer?.calls.size_bytes ?? [])]).toEqual([2000, 1500, 2500]);
    const inner = await source.call(callIndex(outer?.calls.index[1] ?? 0));
    expect([inner.around.count, inner.around.start_s[0]]).toEqual([1, 1]);
    expect(inner.is_nesting_inferred).toBe(false);
    expect([...inner.targets].sort()).toEqual([0, 1]);
  });

  it("lists calls by duration, and says how many there are", async () => {
    const calls = await source.calls(posix, "duration", 2);
    expect([calls.count, calls.count_in_all]).toEqual([2, 6]);
    expect(near(Array.from(calls.end_s, (end, at) => end - (calls.start_s[at] ?? 0)))).toEqual([1.4, 1]);
    expect(Number.isNaN(calls.size_bytes[1] ?? 0)).toBe(true);
  });

  it("narrows by kind, file, track and target", async () => {
    const count = async (filter: Partial<CallFilter>): Promise<number> =>
      (await source.calls({ ...ALL, ...filter }, "start", 100)).count_in_all;
    const inFile = description.files.findIndex((file) => file.path === "/in");
    expect(await count({ kinds: ["read", "wait"] })).toBe(3);
    expect(await count({ files: [inFile as never] })).toBe(3);
    expect(await count({ tracks: [track(1)] })).toBe(3);
    expect(await count({ start_s: seconds(4.6), end_s: seconds(5) })).toBe(1);
    expect(await count({ targets: [1], layers: ["posix"] })).toBe(2);
    expect(await count({ targets: [7] })).toBe(0);
  });

  it("sums an area, cut at the edges of its window", async () => {
    const area = await source.areaStatistics({ ...posix, start_s: seconds(1.5), end_s: seconds(2) }, 5);
    const write = area.kinds.find((row) => row.kind === "write");
    expect(write).toMatchObject({ layer: "posix", calls: 1, tracks: 1 });
    expect(write?.time_s).toBeCloseTo(0.5);
    expect(write?.longest_s).toBeCloseTo(1.4);
    const top = await source.areaStatistics(posix, 1);
    expect([top.tracks.map((row) => row.track), top.files.length, top.targets.length]).toEqual([[0], 1, 1]);
    const all = await source.areaStatistics(posix, 5);
    expect(Object.fromEntries(all.targets.map((row) => [row.target, row.bytes]))).toEqual({ 0: 2000, 1: 2000 });
  });

  it("knows what calls cost with and without the calls inside", async () => {
    const tree = await source.callTree({ ...ALL, kinds: ["write"] }, true);
    const outer = tree.name.findIndex((name) => name.includes("MPI_File_write_all"));
    const inner = tree.name.findIndex((name) => name.includes("pwrite64"));
    expect(tree.parent[inner]).toBe(outer);
    expect([tree.calls[outer], tree.calls[inner]]).toEqual([2, 2]);
    expect(tree.inclusive_s[outer]).toBeCloseTo(3.9);
    expect(tree.exclusive_s[outer]).toBeCloseTo(2.3);
    expect(tree.max_track_s[outer]).toBeCloseTo(2);
    expect(tree.max_track[outer]).toBe(0);
  });

  it("gives up when asked to", async () => {
    const controller = new AbortController();
    controller.abort();
    const request = {
      filter: ALL,
      order: null,
      planes: ["calls"] as const,
      x: { of: "time", from: 0, to: 6, cells: 1, log: false } as const,
      y: { of: "track", from: 0, to: 2, cells: 1, log: false } as const,
    };
    await expect(source.tile(request, controller.signal)).rejects.toThrow();
  });

  it("hands out the report", async () => {
    expect((await source.report()).verdict.run_s).toBe(6);
  });
});
