/** The calls of one rank, each below what made it. */

import { describe, expect, it } from "vitest";
import { cssPixels, seconds } from "../../src/base/units";
import { boxAt, piecesOf, placedBoxes, rankCalls } from "../../src/model/rank_calls";
import { parseTimeline, storeOf } from "../memory/timeline";

const { calls, description } = storeOf(
  parseTimeline(`
  rank layer op    file function           start end stack
  0    mpiio write /o   MPI_File_write_all 1     3   1
  0    posix write /o   pwrite             1.5   2   -
  0    posix write /o   pwrite             2     2.5 -
  0    posix read  /i   pread              4     5   2
  0    posix read  /i   read               4.5   6   2
`),
);
const frames: Readonly<Record<number, readonly string[]>> = {
  1: ["/a/sim.c:9 save", "/a/sim.c:2 main"],
  2: ["/a/sim.c:5 load", "/a/sim.c:2 main"],
};
const made = rankCalls(calls, description, (stack) => frames[stack] ?? []);

describe("the calls of a rank", () => {
  it("are below their stacks and the calls that made them", () => {
    expect(made.boxes.map(({ name, row, start, end }) => [name, row, start, end])).toEqual([
      ["sim.c:2 main", 0, 1, 6],
      ["sim.c:9 save", 1, 1, 3],
      ["MPI_File_write_all", 2, 1, 3],
      ["pwrite", 3, 1.5, 2],
      ["pwrite", 3, 2, 2.5],
      ["sim.c:5 load", 1, 4, 6],
      ["pread", 2, 4, 5],
      ["read", 3, 4.5, 6],
    ]);
    expect(made.rows).toBe(4);
  });
  it("are drawn where they are in sight, with as much of the name as fits", () => {
    const placed = placedBoxes(made, { start: seconds(1), end: seconds(3) }, cssPixels(200));
    expect(placed.map(({ box, x, width, label }) => [box.row, x, width, label])).toEqual([
      [0, 0, 200, "sim.c:2 main"],
      [1, 0, 200, "sim.c:9 save"],
      [2, 0, 200, "MPI_File_write_all"],
      [3, 50, 50, "pwrite"],
      [3, 100, 50, "pwrite"],
    ]);
  });
  it("have the colour of the library where no call below runs", () => {
    const view = { start: seconds(1), end: seconds(3) };
    const pieces = (name: string) =>
      made.boxes
        .filter((box) => box.name === name)
        .flatMap((box) => piecesOf(box, view, cssPixels(200)))
        .map(({ x, width, of }) => [x, width, of]);
    expect(pieces("MPI_File_write_all")).toEqual([
      [0, 50, "wait"],
      [50, 100, "write"],
      [150, 50, "wait"],
    ]);
    expect(pieces("pwrite")).toEqual([
      [50, 50, "write"],
      [100, 50, "write"],
    ]);
    expect(pieces("sim.c:9 save")).toEqual([]);
  });
  it("are apart by thread where a process has several", () => {
    const { calls: some, description: of } = storeOf(
      parseTimeline(`
      rank layer op    file function start end thread
      0    posix write /o   pwrite   1     4   70
      0    posix read  /i   pread    2     3   71
      0    posix write /o   write    5     6   70
    `),
    );
    expect(rankCalls(some, of, () => []).boxes.map(({ name, row, start, end }) => [name, row, start, end])).toEqual([
      ["thread 70", 0, 1, 6],
      ["pwrite", 1, 1, 4],
      ["write", 1, 5, 6],
      ["thread 71", 2, 2, 3],
      ["pread", 3, 2, 3],
    ]);
  });
  it("are found by time and row", () => {
    expect(boxAt(made, seconds(1.6), 3, seconds(0))?.name).toBe("pwrite");
    expect(boxAt(made, seconds(3.5), 2, seconds(0.1))).toBeNull();
  });
});
