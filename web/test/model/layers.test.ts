/** Which layers the run is seen in, and names that do not lie over each other. */

import { describe, expect, it } from "vitest";
import { parseReport } from "../../src/data/parse_report";
import type { Description } from "../../src/data/interface";
import type { Finding, MetricTable } from "../../src/data/report";
import { dataLayers } from "../../src/model/activity";
import { fileIndex } from "../../src/base/units";
import { firstFile, heaviestFile } from "../../src/model/files";
import { placedLabels } from "../../src/model/labels";

const layerOp = (...rows: [string, string, number, number][]): MetricTable | null => {
  const columns = ["layer", "op", "calls", "process_s"].map((name) => ({ name, type: "f64", unit: "", doc: "" }));
  return (
    parseReport({ schema_version: 1, metrics: { layer_op: { title: "", columns, rows, rows_in_all: rows.length } } })
      .metrics.layer_op ?? null
  );
};

describe("the layers of a glance", () => {
  it("are the highest one with data", () => {
    expect(
      dataLayers(
        ["hdf5_dataset", "mpiio", "posix"],
        layerOp(["hdf5_dataset", "write", 4, 2], ["mpiio", "write", 4, 1.9], ["posix", "write", 4, 1]),
      ),
    ).toEqual(["hdf5_dataset"]);
  });
  it("do not follow MPI_Init up", () => {
    expect(
      dataLayers(["mpiio", "posix", "stdio"], layerOp(["mpiio", "metadata", 8, 5], ["posix", "write", 4, 1])),
    ).toEqual(["posix", "stdio"]);
  });
  it("do not follow a header that few calls wrote", () => {
    expect(dataLayers(["mpiio", "posix"], layerOp(["mpiio", "write", 1, 0.01], ["posix", "write", 4, 1]))).toEqual([
      "posix",
    ]);
  });
  it("are those that the account knows alone, such as NetCDF", () => {
    const account = [
      ["netcdf", "library", 1.1],
      ["hdf5_dataset", "library", 0.2],
      ["program", "computing", 9],
    ].map(([layer, of, time_s]) => ({
      layer: String(layer),
      class: String(of),
      op: null,
      function: null,
      time_s: Number(time_s),
      calls: null,
      bytes: null,
      files: null,
      is_at_speed: false,
      late_s: null,
      awaited: null,
    }));
    expect(
      dataLayers(["netcdf", "hdf5_dataset", "posix"], layerOp(["hdf5_dataset", "write", 4, 0.2]), account),
    ).toEqual(["netcdf"]);
  });
  it("are the lowest ones where nothing is known", () =>
    expect(dataLayers(["mpiio", "posix"], null)).toEqual(["posix"]));
});

describe("names beside marks", () => {
  it("stand right of the mark, or left of it at the edge", () => {
    expect(
      placedLabels(
        [
          { left: 10, right: 20, y: 5, text: "1 s" },
          { left: 190, right: 198, y: 40, text: "2 s" },
        ],
        200,
      ).map((one) => one.anchor),
    ).toEqual(["start", "end"]);
  });
  it("are left out where there is no room", () => {
    const marks = [10, 14, 18].map((left) => ({ left, right: left + 2, y: 5, text: "500 ms" }));
    expect(placedLabels(marks, 60)).toHaveLength(1);
  });
});

it("without a choice the file with the most time and data is shown", () => {
  const row = (time: number | null, written: number) => [
    "/f",
    "posix",
    "unique",
    1,
    time,
    0,
    null,
    0,
    written,
    1,
    1,
    1,
    null,
  ];
  expect(
    heaviestFile({ rows: [row(1, 5), row(9, 0), row(2, 5), row(null, 5)], files: [0, 1, 2, 3].map(fileIndex) }),
  ).toBe(2);
  expect(heaviestFile({ rows: [row(9, 0)], files: [fileIndex(0)] })).toBeNull();
  const description = { files: ["/a", "/b", "/c"].map((path) => ({ path })) } as unknown as Description;
  const table = { rows: [row(1, 5), row(2, 5), row(3, 0)], files: [0, 1, 2].map(fileIndex) };
  // another row takes more time, without data
  expect(firstFile(table, description, [])).toEqual({ file: 1, why: "data" });
  expect(firstFile({ rows: table.rows.slice(0, 2), files: table.files.slice(0, 2) }, description, [])).toEqual({
    file: 1,
    why: "most",
  });
  const finding = { severity: "high", files: ["/c", "/a"] } as unknown as Finding;
  expect(firstFile(table, description, [finding])).toEqual({ file: 0, why: finding });
});
