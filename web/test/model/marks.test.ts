/** What a mark says and selects, by pointer and by keys. */

import { describe, expect, it } from "vitest";
import type { Tile } from "../../src/data/interface";
import type { Chart } from "../../src/model/chart";
import { axis, pickAt } from "../../src/model/chart";
import { placesOf, pointOf } from "../../src/model/chart_point";
import { toggledKinds } from "../../src/model/kind_filter";
import { cellText } from "../../src/model/map_cell";
import { readSizeClass, sizesOf, writeSizeClass } from "../../src/model/size_class";
import { pickSize } from "../../src/model/transfer";

const chart: Chart = {
  title: "t",
  summary: "s",
  x: axis("rank", "rank"),
  y: axis("time", "s"),
  is_stacked: false,
  series: [
    { name: "a", colour: "red", shape: "dots", x: [4, 2, 9], y: [1, 2, null] },
    { name: "b", colour: "red", shape: "dots", x: [7], y: [3] },
  ],
};

describe("keys in a chart", () => {
  it("go from mark to mark, not to what was not measured", () => expect(placesOf(chart)).toEqual([2, 4, 7]));
  it("say the same as the pointer", () =>
    expect(pointOf(chart, 600, 240, 7)?.lines).toEqual(["rank: 7", "b: 3.00\u202fs"]));
  it("select the rank", () => expect(pickAt(chart, 7)).toEqual({ selection: { ranks: [7] } }));
  it("select nothing where a place has no meaning", () =>
    expect(pickAt({ ...chart, x: axis("time", "s") }, 7)).toBeNull());
});

describe("a size class", () => {
  it("leads to its calls", () =>
    expect(pickSize("posix", [0, 101, 1025])(1)).toEqual({
      view: "calls",
      selection: { layers: ["posix"], kinds: ["read", "write"], sizes: { low_bytes: 101, end_bytes: 1025 } },
    }));
  it("has an open end where it is the last one", () =>
    expect(pickSize("posix", [1073741825])(0)?.selection.sizes).toEqual({ low_bytes: 1073741825, end_bytes: null }));
  it("is the same after the address was written and read", () => {
    const classes = [
      { low_bytes: 101, end_bytes: 1025 },
      { low_bytes: 1073741825, end_bytes: null },
    ];
    expect(classes.map((one) => readSizeClass(writeSizeClass(one)))).toEqual(classes);
  });
  it("is read out of what people type", () => {
    expect([sizesOf("> 1 MiB"), sizesOf("<4k"), sizesOf(">=100B")]).toEqual([
      { low_bytes: 1048576, end_bytes: null },
      { low_bytes: 0, end_bytes: 4096 },
      { low_bytes: 100, end_bytes: null },
    ]);
    expect([sizesOf("> 100 ms"), sizesOf("1 MiB"), sizesOf("> 0 B")]).toEqual([null, null, null]);
  });
  it("is not read out of a mangled address", () =>
    expect([readSizeClass("x..3"), readSizeClass(null), readSizeClass("3")]).toEqual([null, null, null]));
});

describe("kinds of calls", () => {
  const all = ["read", "write", "wait"] as const;
  it("narrow, widen, and narrow nothing when all are chosen", () => {
    expect(toggledKinds(null, "write", all)).toEqual(["write"]);
    expect(toggledKinds(["write"], "read", all)).toEqual(["read", "write"]);
    expect(toggledKinds(["read", "write"], "wait", all)).toBeNull();
    expect(toggledKinds(["write"], "write", all)).toBeNull();
  });
});

describe("a cell of a map", () => {
  const x = { of: "time" as const, from: 0, to: 4, is_log: false, label: "time", unit: "s", names: null };
  const y = { of: "track" as const, from: 0, to: 2, is_log: false, label: "rank", unit: "rank", names: ["8", "9"] };
  const tile = {
    width: 2,
    height: 2,
    is_exact: true,
    planes: new Map([
      ["busy_read", Float32Array.from([0, 0, 0, 0.5])],
      ["bytes", Float32Array.from([0, 2048, 0, 0])],
    ]),
  } as Tile;
  it("says which calls are in it, and where it lies", () =>
    expect(cellText(x, y, tile, { x: 0.75, y: 0.75 }, "kind", String, "idle")).toEqual([
      "read",
      "time: 3.00\u202fs",
      "rank: 9",
    ]));
  it("says its value where the colour is one", () =>
    expect(cellText(x, y, tile, { x: 0.75, y: 0 }, "bytes", (value) => `${value} B`, "idle")[0]).toBe("2048 B"));
  it("says that it is empty", () =>
    expect(cellText(x, y, tile, { x: 0, y: 0 }, "bytes", String, "idle")[0]).toBe("idle"));
});
