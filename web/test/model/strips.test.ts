/** Strips beside the calls: requests in flight, mapped files and the faults on them. */

import { describe, expect, it } from "vitest";
import { cssPixels, seconds } from "../../src/base/units";
import { parseReport } from "../../src/data/parse_report";
import type { Report, Value } from "../../src/data/report";
import { fileColumns } from "../../src/model/files";
import { flightStrip, mappedStrip } from "../../src/model/strips";

const table = (names: string, ...rows: Value[][]) => ({
  title: "",
  rows_in_all: rows.length,
  rows,
  columns: names.split(" ").map((name) => ({ name, unit: "", doc: "" })),
});
const report = (metrics: object): Report => parseReport({ schema_version: 1, metrics });
const view = { start: seconds(0), end: seconds(10) };
const width = cssPixels(100);
const plain = (words: string | undefined): string | undefined => words?.replaceAll("\u202f", " ");

describe("requests in flight", () => {
  const columns = "log start_s end_s reads writes others completed bytes longest_s";
  const made = flightStrip(
    report({ in_flight: table(columns, [0, 0, 5, 3, 1, 0, 8, 4096, 0.5], [0, 5, 10, 2, 0, 0, 4, 0, 0.25]) }),
    null,
    view,
    width,
    40,
  );
  it("are stacked by kind, as high as the most of them", () => {
    expect(made?.peak).toBe(4);
    expect(made?.blocks.map(({ kind, x, width, y, height }) => [kind, x, width, y, height])).toEqual([
      ["read", 0, 50, 10, 30],
      ["write", 0, 50, 0, 10],
      ["read", 50, 50, 20, 20],
    ]);
  });
  it("say how many there are and what completed", () =>
    expect(plain(made?.blocks[0]?.title)).toBe(
      "4.0 asynchronous requests in flight: 3.0 reads, 1.0 writes. 8 completed here, 4.00 KiB; the longest " +
        "was in flight for 500 ms.",
    ));
  it("have no strip where there are none", () => expect(flightStrip(report({}), null, view, width, 40)).toBeNull());
});

describe("mapped files", () => {
  const spans = "log rank file_id start_s end_s size_bytes touched_bytes resident_bytes waits";
  const made = mappedStrip(
    report({
      mapped_span: table(
        spans,
        [0, 0, "7", 0, 4, 8192, 4096, 8192, 1],
        [0, 0, "9", 2, 6, 4096, null, null, null],
        [0, 1, "7", 5, 8, 8192, 0, 0, 0],
      ),
      fault_time: table("log start_s end_s faults files", [0, 1, 2, 1, 1], [0, 3, 4, 14, 2]),
    }),
    null,
    view,
    width,
    (id) => `/f${id}`,
  );
  it("lie in rows where they overlap", () =>
    expect(made?.mappings.map(({ x, y }) => [x, y])).toEqual([
      [0, 1],
      [20, 10],
      [50, 1],
    ]));
  it("say what was touched, or that it is not known", () => {
    expect(plain(made?.mappings[0]?.title)).toBe(
      "/f7: 8.00 KiB mapped for 4.00 s. Pages touched: 4.00 KiB. Pages in memory at the end: 8.00 KiB.",
    );
    expect(made?.mappings[1]?.title).toContain("Pages touched: not recorded.");
  });
  it("have their page faults below", () => {
    expect(made?.height).toBe(34);
    expect(made?.faults.map(({ x, height }) => [x, height])).toEqual([
      [10, 2],
      [30, 14],
    ]);
    expect(made?.faults[1]?.title).toBe("14 accesses to 2 mapped files waited for a device (major page faults).");
  });
  it("add columns to the table of files only where there are any", () => {
    const usual = fileColumns(report({}));
    const more = fileColumns(
      report({ mapped_file: table("log file_id touched_bytes resident_bytes", [0, "7", 1, 2]) }),
    );
    expect(more.length - usual.length).toBe(2);
  });
});
