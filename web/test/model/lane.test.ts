/** Places in a lane: pixels become tracks, moments and areas. */

import { expect, it } from "vitest";
import { cssPixels, seconds } from "../../src/base/units";
import type { CallFilter } from "../../src/data/interface";
import type { Lane } from "../../src/model/lane";
import { areaOf, callQuestion, tracksAt } from "../../src/model/lane";
import { rowLayout } from "../../src/model/rows";

const WHOLE = { start: seconds(0), end: seconds(100) };
const at = (x: number, y: number) => ({ x: cssPixels(x), y: cssPixels(y) });
/** Six tracks in two groups, 10 s in 100 pixels; rows are 10 pixels high. */
function lane(folded: readonly number[]): Lane {
  const order = {
    id: "six",
    tracks: Int32Array.from([5, 4, 3, 2, 1, 0]),
    groups: [
      { name: "a", first: 0, count: 3 },
      { name: "b", first: 3, count: 3 },
    ],
  };
  const layout = rowLayout(order, new Set(folded));
  const view = { start: seconds(50), end: seconds(60) };
  const rows = { from: 0, to: layout.rows };
  return { order, layout, rows, view, width: cssPixels(100), height: cssPixels(layout.rows * 10) };
}
const FILTER = { layers: ["posix"] } as unknown as CallFilter;

it("a row is one track, or all of a folded group", () => {
  expect([...tracksAt(lane([]), 25)]).toEqual([4]);
  expect([...tracksAt(lane([0]), 5)]).toEqual([5, 4, 3]);
  expect([...tracksAt(lane([]), 85)]).toEqual([]);
});

it("a drag selects a time, and ranks only where it is tall", () => {
  expect(areaOf(lane([]), at(80, 12), at(20, 14), WHOLE)).toEqual({ time: { start: 52, end: 58 }, tracks: null });
  const tall = areaOf(lane([]), at(20, 65), at(80, 25), WHOLE);
  expect(tall.tracks && [...tall.tracks]).toEqual([4, 3, 2, 1]);
});

it("a drag that leaves the lane ends at its border", () => {
  const { time, tracks } = areaOf(lane([1]), at(-30, -5), at(500, 900), WHOLE);
  expect(time).toEqual({ start: 50, end: 60 });
  expect(tracks && [...tracks]).toEqual([5, 4, 3, 2, 1, 0]);
});

it("one track is asked for its nearest call, a folded group for its longest", () => {
  expect(callQuestion(lane([]), at(50, 15), FILTER)).toEqual({ of: "track", track: 5, at: 55, near: 0.4 });
  expect(callQuestion(lane([0]), at(50, 5), FILTER)).toEqual({
    of: "group",
    filter: { layers: ["posix"], tracks: [5, 4, 3], start_s: 54.9, end_s: 55.1 },
  });
  expect(callQuestion(lane([]), at(50, 99), FILTER)).toBeNull();
});
