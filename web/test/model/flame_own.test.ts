/** Time of stacks without the calls inside, and zooming down to the clock. */

import { describe, expect, it } from "vitest";
import { seconds } from "../../src/base/units";
import type { CallColumns } from "../../src/data/interface";
import { flameOf } from "../../src/model/flame";
import type { StackCost } from "../../src/model/flame_own";
import { innerTimes, ownRows, stackKey } from "../../src/model/flame_own";
import { SHORTEST_VIEW_S, zoomed } from "../../src/model/time_axis";

/** track, layer, start, end, stack */
function calls(rows: readonly (readonly [number, number, number, number, number])[]): CallColumns {
  const column = (at: number) => rows.map((row) => row[at] ?? 0);
  const none = rows.map(() => 0);
  return {
    count: rows.length,
    count_in_all: rows.length,
    index: Uint32Array.from(rows.keys()),
    track: Uint32Array.from(column(0)),
    layer: Uint8Array.from(column(1)),
    op: Uint8Array.from(none),
    file: Int32Array.from(none),
    function: Int32Array.from(none),
    offset_bytes: Float64Array.from(none),
    size_bytes: Float64Array.from(none),
    start_s: Float64Array.from(column(2)),
    end_s: Float64Array.from(column(3)),
    calls: Float64Array.from(rows, () => 1),
    parent: Int32Array.from(rows, () => -1),
    stack: Int32Array.from(column(4)),
    thread: Float64Array.from(rows, () => Number.NaN),
    is_collective: Uint8Array.from(none),
  };
}
const [MPIIO, POSIX] = [0, 1];

describe("what is inside of a call of a library", () => {
  it("is the time of the calls below, overlapping ones once", () => {
    const found = innerTimes(
      calls([
        [0, MPIIO, 0, 10, 5],
        [0, POSIX, 1, 4, 6],
        [0, POSIX, 3, 5, 6],
        [0, POSIX, 12, 13, 6],
      ]),
    );
    expect(found).toEqual([{ stack: 5, layer: MPIIO, op: 0, call: 0, inner_s: 4 }]);
  });
  it("is not a call of another track", () => {
    const found = innerTimes(
      calls([
        [0, MPIIO, 0, 10, 5],
        [1, POSIX, 1, 4, 6],
      ]),
    );
    expect(found).toEqual([]);
  });
  it("is taken off the stack of the library: all boxes together are the time of the run", () => {
    const row = (layer: string, time: number): StackCost => ({
      frames: ["save"],
      layer,
      kind: "write",
      calls: 1,
      bytes: 0 as StackCost["bytes"],
      time_s: seconds(time),
    });
    const rows = ownRows([row("mpiio", 10), row("posix", 4)], new Map([[stackKey(["save"], "mpiio", "write"), 4]]));
    expect(flameOf(rows, "time_s").total).toBe(10);
  });
});

it("a box of a graph of two runs has what the other run has there, whatever the line is", () => {
  const row = (frame: string, time: number): StackCost => ({
    frames: [frame],
    layer: "posix",
    kind: "read",
    calls: 1,
    bytes: 0 as StackCost["bytes"],
    time_s: seconds(time),
  });
  const flame = flameOf([row("a.c:7 load", 2)], "time_s", false, [], [row("a.c:9 load", 6), row("b.c:1 old", 1)]);
  expect(flame.boxes.map(({ name, value, before }) => [name, value, before])).toEqual([
    ["a.c load", 2, 6],
    ["POSIX read", 2, 6],
  ]);
  expect(flame.before).toBe(7);
});

it("zooming ends where a pixel is a nanosecond, and the moment under the pointer stays", () => {
  const whole = { start: seconds(0), end: seconds(100) };
  let view = whole;
  for (let press = 0; press < 200; press += 1) view = zoomed(view, seconds(30), 0.75, whole);
  expect(view.end - view.start).toBeCloseTo(SHORTEST_VIEW_S, 9);
  expect((30 - view.start) / (view.end - view.start)).toBeCloseTo(0.3, 2);
});
