import { describe, expect, it } from "vitest";
import { activityMaps } from "../../src/model/activity_map";
import { ownFrame } from "../../src/model/call_tree";
import { withoutDomain } from "../../src/model/chart";
import { factRows } from "../../src/model/files";
import { rankTimeChart } from "../../src/model/ranks";
import { serverPictures } from "../../src/model/server_samples";
import { parseReport } from "../../src/data/parse_report";
import { unpackedTables } from "../../src/data/packed_tables";
import type { Report, Value } from "../../src/data/report";

/** A report with one table: names of its columns, then rows. */
function reportWith(name: string, columns: string, rows: readonly (readonly Value[])[], run_s = 4): Report {
  return parseReport({
    schema_version: 1,
    job: { run_s },
    metrics: {
      [name]: {
        title: name,
        columns: columns.split(" ").map((one) => ({ name: one, type: "", unit: "", doc: "" })),
        rows,
        rows_in_all: rows.length,
      },
    },
  });
}

describe("ranks over time from counters", () => {
  const COLUMNS = "layer rank ranks op start_s end_s bytes is_estimate";
  it("a bin is a cell, the busiest one has full strength, and shared files come first", () => {
    const [map] = activityMaps(
      reportWith("activity_map", COLUMNS, [
        ["posix", 0, 2, "read", 0, 1, 50, false],
        ["posix", 0, 2, "write", 2, 3, 100, false],
        ["posix", -1, 4, "read", 3, 4, 25, false],
      ]),
      null,
    );
    expect(map?.tile).toMatchObject({ width: 4, height: 2 });
    expect(map?.y.names).toEqual(["all", "0–1"]);
    expect([...(map?.tile.planes.get("busy_read") ?? [])]).toEqual([0, 0, 0, 0.25, 0.5, 0, 0, 0]);
    expect([...(map?.tile.planes.get("busy_write") ?? [])]).toEqual([0, 0, 0, 0, 0, 0, 1, 0]);
    expect(map?.ranks).toEqual([null, [0, 1]]);
    expect(map?.summary).toMatch(/heat maps .* exact to 1/);
  });
  it("an estimate says so", () => {
    const [map] = activityMaps(reportWith("activity_map", COLUMNS, [["posix", 0, 1, "read", 0, 1, 50, true]]), null);
    expect([map?.is_estimate, map?.tile.is_exact]).toEqual([true, false]);
    expect(map?.summary).toMatch(/^Estimated/);
  });
  it("a log with calls has none", () =>
    expect(activityMaps(reportWith("activity_map", COLUMNS, []), null)).toEqual([]));
});

describe("samples of storage servers", () => {
  const COLUMNS = "series name unit op target start_s end_s per_s level";
  it("few series are lines over time, a rate where something is counted", () => {
    const [picture] = serverPictures(
      reportWith("server_interval", COLUMNS, [
        [0, "bytes_written", "bytes", "write", "OST0", 0, 2, 10, null],
        [0, "bytes_written", "bytes", "write", "OST0", 2, 4, 20, null],
      ]),
      null,
      "light",
    );
    expect(picture && "chart" in picture && picture.chart.series).toMatchObject([
      { name: "OST0", x: [1, 3], y: [10, 20] },
    ]);
    expect(picture && "chart" in picture && picture.chart.y.unit).toBe("bytes/s");
  });
  it("many are rows of a map", () => {
    const rows = Array.from({ length: 6 }, (_, at): Value[] => [at, "load", "1", null, `OST${at}`, 0, 4, null, at]);
    const [picture] = serverPictures(reportWith("server_interval", COLUMNS, rows), null, "light");
    expect(picture && "tile" in picture && [picture.tile.height, picture.y.names?.[5]]).toEqual([6, "OST5"]);
    expect(picture && "tile" in picture && picture.tile.planes.get("bytes")?.[5 * picture.tile.width]).toBe(5);
  });
});

describe("tables as columns", () => {
  const tables = unpackedTables({
    words: ["a", "18446744073709551615"],
    tables: {
      t: {
        title: "T",
        rows_in_all: 9,
        count: 3,
        columns: [],
        data: [
          { steps: Int32Array.of(5, 1, -2) },
          { numbers: Float64Array.of(0.5, Number.NaN, 2) },
          { codes: Int32Array.of(1, 1, -2) },
        ],
      },
    },
  });
  it("steps add up, NaN is missing, codes are words", () =>
    expect(tables.t?.rows).toEqual([
      [5, 0.5, "a"],
      [6, null, "18446744073709551615"],
      [4, 2, null],
    ]));
  it("a report takes them beside those that came as rows", () => {
    const packed = {
      words: [],
      tables: { t: { title: "T", rows_in_all: 1, count: 1, columns: [], data: [{ steps: Int32Array.of(7) }] } },
    };
    expect(parseReport({ schema_version: 1, packed }).metrics.t?.rows).toEqual([[7]]);
  });
});

describe("names", () => {
  it("the frame of a stack is the innermost with a line", () => {
    expect(ownFrame(["/lib/libmpich.so+0x12", "main.c:12 main", "start.c:3 start"])).toBe("main.c:12 main");
    expect(ownFrame(["/lib/libmpich.so+0x12"])).toBe("/lib/libmpich.so+0x12");
    expect(ownFrame([])).toBeNull();
  });
  it("nodes of one site lose what they share", () => {
    expect(withoutDomain(["n1.site.org", "n2.site.org"])).toEqual(["n1", "n2"]);
    expect(withoutDomain(["n1.site.org", "n2.other.org"])).toEqual(["n1.site.org", "n2.other.org"]);
    expect(withoutDomain(["0", "1"])).toEqual(["0", "1"]);
  });
  it("requests to a file stand by layer and operation, with the share that was moved before", () =>
    expect(
      factRows(
        reportWith("redundancy", "file_id layer op calls extents bytes redundant_bytes time_s", [
          ["7", "posix", "read", 4, 2, 200, 100, 0.5],
          ["8", "posix", "read", 1, 1, 1, 0, 0],
        ]),
        "7",
      ),
    ).toEqual([["POSIX", "read", 4, 2, 200, 100, 0.5, 0.5, null, null]]));
});

it("a rank whose time is not known is named rather than drawn", () => {
  const made = reportWith("rank_io", "rank io_s", [
    [0, null],
    [1, 2],
    [2, 3],
  ]);
  const chart = rankTimeChart(made, null, null, "light");
  expect(chart?.series[0]?.x).toEqual([1, 2]);
  expect(chart?.summary).toContain("1 rank is not shown");
});
