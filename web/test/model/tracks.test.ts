import { describe, expect, it } from "vitest";
import { track } from "../../src/base/units";
import { parseTimeline, storeOf } from "../memory/timeline";
import { clusterOf } from "../../src/model/cluster";
import { groupChoices, groupingOf, groupLevels } from "../../src/model/groups";
import type { MetricRow } from "../../src/model/metric";
import { groupPlaces, positionsOfRow, rowLayout, rowOfPosition, visibleParts } from "../../src/model/rows";
import { arrangeTracks, pannedTracks, zoomedTracks } from "../../src/model/tracks";

const { description } = storeOf(
  parseTimeline(`
  rank host start end
  0    b    0     1
  1    a    0     3
  2    b    0     2
  3    a    0     1
`),
);
const measures = {
  time_s: Float64Array.from([1, 3, 2, Number.NaN]),
  bytes: new Float64Array(4),
  first_s: Float64Array.from([4, 3, 2, 1]),
};

describe("the order of ranks", () => {
  it("is that of the ranks", () =>
    expect([...arrangeTracks(description, "rank", null, null).tracks]).toEqual([0, 1, 2, 3]));
  it("by time has the slowest on top, and those not measured last", () =>
    expect([...arrangeTracks(description, "time", measures, null).tracks]).toEqual([1, 2, 0, 3]));
  it("by first call has the earliest on top", () =>
    expect([...arrangeTracks(description, "first", measures, null).tracks]).toEqual([3, 2, 1, 0]));
  it("in groups keeps nodes together, in the order of their names", () => {
    const order = arrangeTracks(description, "rank", null, null, groupLevels(description, "node", [], null));
    expect([...order.tracks]).toEqual([1, 3, 0, 2]);
    expect(order.groups.map((group) => [group.name, group.first, group.count])).toEqual([
      ["a", 0, 2],
      ["b", 2, 2],
    ]);
  });
  it("inside a group is the one asked for", () => {
    expect([
      ...arrangeTracks(description, "first", measures, null, groupLevels(description, "node", [], null)).tracks,
    ]).toEqual([3, 1, 2, 0]);
  });
  it("shows only those asked for, under another id", () => {
    const order = arrangeTracks(description, "rank", null, [track(3), track(1)]);
    expect([...order.tracks]).toEqual([1, 3]);
    expect(order.id).not.toBe(arrangeTracks(description, "rank", null, null).id);
  });
});

describe("the visible ranks", () => {
  it("never become fewer than two", () =>
    expect(zoomedTracks({ from: 0, to: 4 }, 2, 0.001, 1000)).toEqual({ from: 1, to: 3 }));
  it("never leave the list", () => expect(zoomedTracks({ from: 0, to: 4 }, 0, 100, 10)).toEqual({ from: 0, to: 10 }));
  it("stop at the end", () => expect(pannedTracks({ from: 90, to: 98 }, 50, 100)).toEqual({ from: 92, to: 100 }));
});

describe("groups", () => {
  const place =
    (cells: Record<string, string>): MetricRow =>
    (name) =>
      cells[name] ?? null;
  it("of switches come from the table of nodes; what it does not know is a group of its own", () => {
    const grouping = groupingOf(description, "switch", [place({ host: "b", switch: "s1" })], null);
    expect([grouping?.names, [...(grouping?.of ?? [])]]).toEqual([
      ["s1", "switch not known"],
      [0, 1, 0, 1],
    ]);
  });
  it("are offered where there is more than one", () => {
    expect(groupChoices(description, [])).toEqual(["none", "node", "cluster"]);
    expect(
      groupChoices(description, [place({ host: "a", switch: "s1" }), place({ host: "b", switch: "s2" })]),
    ).toContain("switch");
  });
});

describe("rows", () => {
  const order = {
    id: "x",
    tracks: Int32Array.from([0, 1, 2, 3, 4, 5, 6]),
    groups: [
      { name: "a", first: 0, count: 2 },
      { name: "b", first: 2, count: 2 },
      { name: "c", first: 4, count: 3 },
    ],
  };
  const layout = rowLayout(order, new Set([0, 1]));
  it("of folded groups of one size are one run", () => {
    expect(layout.runs).toEqual([
      { row: 0, rows: 2, high: 1, first: 0, perRow: 2, isSummary: true },
      { row: 2, rows: 1, high: 1, first: 4, perRow: 3, isSummary: true },
      { row: 3, rows: 3, high: 1, first: 4, perRow: 1, isSummary: false },
    ]);
    expect(layout.rows).toBe(6);
  });
  it("know their positions, and positions their row", () => {
    expect(positionsOfRow(layout, 1)).toEqual({ first: 2, count: 2, isSummary: true });
    expect(positionsOfRow(layout, 4)).toEqual({ first: 5, count: 1, isSummary: false });
    expect([0, 1, 2, 3, 4, 6].map((position) => rowOfPosition(layout, position).from)).toEqual([0, 0, 1, 1, 3, 5]);
    expect(positionsOfRow(layout, 6)).toBeNull();
  });
  it("of a folded group are never less than a cell", () => {
    expect(visibleParts(layout, { from: 0, to: 6 }, 2)).toEqual([
      { from: 0, to: 2, first: 0, last: 4, cells: 2, isSummary: true },
      { from: 2, to: 3, first: 4, last: 7, cells: 1, isSummary: true },
      { from: 3, to: 6, first: 4, last: 7, cells: 1, isSummary: false },
    ]);
  });
  it("without groups are the ranks, cut where they are seen", () => {
    const plain = rowLayout({ ...order, groups: [] }, new Set());
    expect(visibleParts(plain, { from: 1.5, to: 3.5 }, 100)).toEqual([
      { from: 1.5, to: 3.5, first: 1.5, last: 3.5, cells: 2, isSummary: false },
    ]);
  });
  it("say where each group stands", () => {
    expect(groupPlaces(layout, { from: 1, to: 6 }).map(({ index, from, head, to }) => [index, from, head, to])).toEqual(
      [
        [1, 1, 2, 2],
        [2, 2, 3, 6],
      ],
    );
  });
  it("of groups inside of groups open level by level, and many neighbours are blocks", () => {
    const hosts = Array.from({ length: 100_000 }, (_, rank) => Math.floor(rank / 100));
    const job = {
      tracks: { log: new Int32Array(1e5), rank: Int32Array.from(hosts.keys()), host: Int32Array.from(hosts) },
      hosts: Array.from({ length: 1000 }, (_, at) => `node${at}`),
      logs: [],
    } as unknown as typeof description;
    const nodes = arrangeTracks(job, "rank", null, null, groupLevels(job, "node", [], null));
    const folded = new Set(nodes.groups.keys());
    expect(
      rowLayout(nodes, folded)
        .places.map(({ group }) => group.name)
        .slice(0, 2),
    ).toEqual(["node0–49", "node50–99"]);
    folded.delete(0); // the first block of nodes, then its first node
    folded.delete(1);
    const open = rowLayout(nodes, folded);
    const [block, node] = open.places;
    expect([block?.group.count, node?.group.name, node?.group.count]).toEqual([5000, "node0", 100]);
    expect([open.high, open.rows]).toEqual([2, 70 * 2 + 100]); // 20 blocks, 50 nodes, and the ranks of one
    expect(rowOfPosition(open, 4)).toEqual({ from: 8, to: 9 });
    const blocks = arrangeTracks(job, "rank", null, null, groupLevels(job, "block", [], null));
    expect(blocks.groups.slice(0, 2).map(({ name, count, depth }) => [name, count, depth])).toEqual([
      ["0–4999", 5000, 0],
      ["0–199", 200, 1],
    ]);
  });
});

describe("clusters", () => {
  it("put ranks together that were busy at the same time, the many first", () => {
    const values = Float32Array.from([0, 0, 9, 1, 1, 0, 1, 0.9, 0, 0, 0, 8, 1, 1, 0]);
    expect([...clusterOf({ values, width: 3 })]).toEqual([1, 0, 0, 1, 0]);
  });
  it("of ranks that did nothing are one", () =>
    expect([...clusterOf({ values: new Float32Array(6), width: 2 })]).toEqual([0, 0, 0]));
});
