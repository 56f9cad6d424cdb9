/** Charts as shapes and as tables. */

import { describe, expect, it } from "vitest";
import { kindRgb, pixelWord } from "../../src/base/colours";
import { bandsOf, movedFigures, paintBands, partedActivity, peakOf, topOf } from "../../src/model/activity";
import { axis, chartNodes, chartTable } from "../../src/model/chart";
import { roundTicks, tickText } from "../../src/model/ticks";

describe("charts", () => {
  const chart = {
    title: "t",
    summary: "s",
    x: axis("rank", "rank"),
    y: axis("time", "s"),
    is_stacked: true,
    series: [
      { name: "read", colour: "red", shape: "bar" as const, x: [0, 1], y: [1, null] },
      { name: "write", colour: "blue", shape: "bar" as const, x: [0, 1], y: [2, 3] },
    ],
  };
  const colours = { ink: "#000", faint: "#eee", ground: "#fff" };
  it("draw no bar for what was not measured", () => {
    const bars = chartNodes({ ...chart, is_stacked: false }, 400, 200, colours).filter((one) => one.tag === "rect");
    expect(bars).toHaveLength(3);
  });
  it("have the same numbers as their table", () =>
    expect(chartTable(chart).rows).toEqual([
      [0, 1, 2],
      [1, null, 3],
    ]));
  it("have no numbers beyond the picture", () => {
    for (const one of chartNodes(chart, 400, 200, colours))
      for (const value of Object.values(one.attributes))
        if (typeof value === "number") expect(Number.isFinite(value)).toBe(true);
  });
  it("have round ticks in the unit that is written", () => {
    expect(roundTicks(0, 5e6, 4, "bytes")).toEqual([0, 2 ** 21, 2 ** 22]);
    expect(roundTicks(0, 3000, 5, "s")).toEqual([0, 600, 1200, 1800, 2400, 3000]);
  });
  it("keep to one unit of time", () => {
    expect([0, 300, 900].map((value) => tickText(value, 1200, "s").replace("\u202f", " "))).toEqual([
      "0 s",
      "5 min",
      "15 min",
    ]);
    expect(tickText(0.5, 2, "s").replace("\u202f", " ")).toBe("500 ms");
  });
  it("stack areas of activity", () => {
    const activity = {
      layers: ["posix"],
      cells: 2,
      busy_tracks: Float32Array.from([1, 0, 1, 2, 0, 0, 0, 0]),
      bytes_per_s: new Float32Array(8),
      longest_s: new Float32Array(2),
    };
    expect(bandsOf(activity, activity.busy_tracks, ["posix"], 10, 10, 2).map((band) => [band.kind, band.path])).toEqual(
      [
        ["read", "M0 10.0V5.0H5.0V10.0H10.0V10.0H5.0V10.0H0.0Z"],
        ["write", "M0 5.0V0.0H5.0V0.0H10.0V10.0H5.0V5.0H0.0Z"],
      ],
    );
  });
  it("have one scale at every width: whole ranks, of one process the share of the time", () => {
    expect([0, 0.09, 0.94, 1, 1.2, 612.3].map((peak) => topOf(peak, "tracks"))).toEqual([0, 1, 1, 1, 2, 613]);
    expect(topOf(0.3, "bytes")).toBe(0.3);
  });
  it("show time in a library apart, as its lane does", () => {
    const tile = {
      width: 2,
      height: 1,
      is_exact: true,
      planes: new Map([
        ["busy_write", Float32Array.from([0.25, 0])],
        ["busy_library", Float32Array.from([0.5, 1])],
      ] as const),
    };
    const made = partedActivity(tile, "netcdf", 4);
    expect(bandsOf(made, made.busy_tracks, ["netcdf"], 2, 4, 4).map((band) => band.kind)).toEqual(["write", "library"]);
    expect(peakOf(made, made.busy_tracks, ["netcdf"])).toBe(4);
  });
  it("a headline says read only, where nothing is written", () => {
    const layer_op = {
      title: "",
      rows_in_all: 2,
      columns: ["layer", "op", "bytes"].map((name) => ({ name, type: "", unit: "", doc: "" })),
      rows: [
        ["posix", "read", 1000],
        ["hdf5_dataset", "write", 5],
      ],
    };
    expect(movedFigures(1000, layer_op)).toEqual([{ of: "read", bytes: 1000 }]);
    expect(movedFigures(1010, { ...layer_op, rows: [...layer_op.rows, ["stdio", "write", 10]] })).toEqual([
      { of: "read", bytes: 1000 },
      { of: "written", bytes: 10 },
    ]);
    expect(movedFigures(9000, layer_op)).toEqual([{ of: "moved", bytes: 9000 }]);
  });
  it("paint the same as pixels, a column per cell, nothing where nothing was", () => {
    const activity = {
      layers: ["posix"],
      cells: 3,
      busy_tracks: Float32Array.from([1, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0]),
      bytes_per_s: new Float32Array(12),
      longest_s: new Float32Array(3),
    };
    const words = new Uint32Array(paintBands(activity, activity.busy_tracks, ["posix"], 2, 2, "light").buffer);
    const [read, write] = [pixelWord(kindRgb("light", "read")), pixelWord(kindRgb("light", "write"))];
    expect([...words]).toEqual([write, write, 0, read, write, 0]);
  });
});
