import { describe, expect, it } from "vitest";
import { track } from "../../src/base/units";
import { parseTimeline, storeOf } from "../../src/data/memory/timeline";
import { arrangeTracks, pannedTracks, trackName, zoomedTracks } from "../../src/model/tracks";

const { description } = storeOf(parseTimeline(`
  rank host start end
  0    b    0     1
  1    a    0     3
  2    b    0     2
  3    a    0     1
`));
const measures = { time_s: Float64Array.from([1, 3, 2, Number.NaN]), bytes: new Float64Array(4), first_s: Float64Array.from([4, 3, 2, 1]) };

describe("the order of ranks", () => {
  it("is that of the ranks", () => expect([...arrangeTracks(description, "rank", null, null).tracks]).toEqual([0, 1, 2, 3]));
  it("by time has the slowest on top, and those not measured last", () => expect([...arrangeTracks(description, "time", measures, null).tracks]).toEqual([1, 2, 0, 3]));
  it("by first call has the earliest on top", () => expect([...arrangeTracks(description, "first", measures, null).tracks]).toEqual([3, 2, 1, 0]));
  it("by node keeps nodes together and names the groups", () => {
    const order = arrangeTracks(description, "node", null, null);
    expect([...order.tracks]).toEqual([0, 2, 1, 3]);
    expect(order.groups.map((group) => [description.hosts[group.host], group.first, group.count])).toEqual([["b", 0, 2], ["a", 2, 2]]);
  });
  it("shows only those asked for, under another id", () => {
    const order = arrangeTracks(description, "rank", null, [track(3), track(1)]);
    expect([...order.tracks]).toEqual([1, 3]);
    expect(order.id).not.toBe(arrangeTracks(description, "rank", null, null).id);
  });
});

describe("the visible ranks", () => {
  it("never become fewer than two", () => expect(zoomedTracks({ from: 0, to: 4 }, 2, 0.001, 1000)).toEqual({ from: 1, to: 3 }));
  it("never leave the list", () => expect(zoomedTracks({ from: 0, to: 4 }, 0, 100, 10)).toEqual({ from: 0, to: 10 }));
  it("stop at the end", () => expect(pannedTracks({ from: 90, to: 98 }, 50, 100)).toEqual({ from: 92, to: 100 }));
});

it("a record of all ranks is called so", () => {
  const all = storeOf(parseTimeline("rank start end\n-1 0 1")).description;
  expect(trackName(all, track(0))).toBe("all ranks");
});
