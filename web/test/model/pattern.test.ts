import { describe, expect, it } from "vitest";
import { parseReport } from "../../src/data/parse_report";
import type { Requests } from "../../src/model/pattern";
import { filePatterns, patternCell, patternOf, rankPatterns } from "../../src/model/pattern";

const requests = (parts: Partial<Requests>): Requests => ({
  op: "read",
  calls: 101,
  first: 1,
  consecutive: 0,
  forward: 0,
  backward: 0,
  repeated: 0,
  strided: 0,
  stride_bytes: null,
  is_exact: true,
  again: null,
  from_bytes: null,
  ...parts,
});
const of = (parts: Partial<Requests>) => {
  const { word, confidence } = patternOf(requests(parts));
  return [word, confidence];
};
const plain = (words: string | null | undefined) => words?.replaceAll("\u202f", " ");

describe("the pattern of requests", () => {
  it("is the word for most of them", () => {
    expect(of({ consecutive: 100 })).toEqual(["sequential", "high"]);
    expect(of({ forward: 100 })).toEqual(["gaps", "high"]);
    expect(of({ forward: 98, strided: 98, stride_bytes: 4096 })).toEqual(["strided", "high"]);
    expect(of({ forward: 48, backward: 52 })).toEqual(["random", "high"]);
    expect(of({ backward: 100, repeated: 100 })).toEqual(["repeated", "high"]);
    expect(of({ consecutive: 50, backward: 20, repeated: 20, forward: 30 })).toEqual(["gaps", "medium"]);
    expect(of({ consecutive: 50, backward: 50 })).toEqual(["mixed", "medium"]);
  });
  it("is appended where writes begin behind the start of the file", () => {
    expect(of({ op: "write", consecutive: 100, from_bytes: 4096 })).toEqual(["appended", "medium"]);
    expect(of({ op: "write", consecutive: 100, from_bytes: 0 })).toEqual(["sequential", "high"]);
  });
  it("is less sure of few requests and of counters", () => {
    expect(of({ consecutive: 100, is_exact: false })).toEqual(["sequential", "medium"]);
    expect(of({ calls: 3, consecutive: 2 })).toEqual(["sequential", "low"]);
    expect(of({ calls: 1 })).toEqual(["single", "low"]);
  });
  it("says stride, share, and what is read again", () => {
    expect(plain(patternOf(requests({ forward: 92, strided: 92, stride_bytes: 65536, again: 0.5 })).words)).toBe(
      "strided, every 64.0 KiB (92 %), 50 % of the bytes re-read",
    );
    expect(plain(patternOf(requests({ consecutive: 60, backward: 40 })).words)).toBe(
      "mixed (60 % sequential, 40 % backwards)",
    );
  });
});

const table = (columns: string, ...rows: (string | number | null)[][]) => ({
  title: "t",
  columns: columns.split(" ").map((name) => ({ name, type: "f64", unit: "", doc: "" })),
  rows,
  rows_in_all: rows.length,
});

it("a file has one for reads and one for writes, of the lowest layer", () => {
  const report = parseReport({
    schema_version: 1,
    metrics: {
      file_pattern: table(
        "log file_id layer op ranks calls sequential_ratio consecutive_ratio random_ratio repeated_ratio " +
          "strided_ratio stride_bytes",
        [0, "7", "mpiio", "write", 4, 44, 0, 0, 0.9, 0, 0, null],
        [0, "7", "posix", "write", 1, 101, 0.99, 0, 0, 0, 0.99, 1024],
        [0, "7", "posix", "read", 1, 101, 0.99, 0.99, 0, 0, 0, null],
      ),
      access_pattern: table(
        "log file_id op calls sequential_calls consecutive_calls random_low_calls random_high_calls",
        [0, "8", "write", 64, 63, 60, 0, 1],
        [0, "6", "read", 64, 63, 0, 0, 1],
        [0, "6", "write", 64, 63, 0, 0, 1],
      ),
      stride: table("log file_id transfers strided_calls stride_bytes", [0, "6", 128, 120, 4096]),
    },
  });
  const patterns = filePatterns(report);
  expect(plain(patternCell(patterns.get("7")))).toBe("read: sequential; write: strided 1.00 KiB");
  expect(patterns.get("8")?.[0]).toMatchObject({ word: "sequential", confidence: "medium" });
  // Counters have strides of reads and writes together: 8 of 128 are not strided, so 56 of 64 reads are at least.
  expect(plain(patterns.get("6")?.[0]?.words)).toBe("strided, gaps of 4.00 KiB (89 %)");
  expect(patternCell(patterns.get("9"))).toBeNull();
});

it("ranks that do alike are one row", () => {
  const columns =
    "log file_id layer op rank calls consecutive_calls forward_calls backward_calls repeated_calls " +
    "strided_calls stride_bytes stride_calls";
  const row = (rank: number, op: string, consecutive: number, backward: number) => [
    0,
    "7",
    "posix",
    op,
    rank,
    101,
    consecutive,
    0,
    backward,
    0,
    0,
    null,
    0,
  ];
  const report = parseReport({
    schema_version: 1,
    metrics: {
      file_rank_pattern: table(
        columns,
        row(0, "read", 100, 0),
        row(1, "read", 98, 2),
        row(2, "read", 30, 70),
        row(2, "write", 100, 0),
      ),
    },
  });
  expect(rankPatterns(report, null).map(({ name, read, write }) => [name, read?.word, write?.word])).toEqual([
    ["0-1", "sequential", undefined],
    ["2", "mixed", "sequential"],
  ]);
});
