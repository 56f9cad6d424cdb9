/** Files with alike names as one row. */

import { expect, it } from "vitest";
import { FILE_COLUMNS } from "../../src/model/files";
import { alikeName, fileGroups } from "../../src/model/file_groups";

const row = (values: Readonly<Record<string, string | number>>) => FILE_COLUMNS.map(({ name }) => values[name] ?? null);
const cell = (cells: readonly unknown[] | undefined, name: string) =>
  cells?.[FILE_COLUMNS.findIndex((column) => column.name === name)];

it("numbers in names differ", () => {
  expect(alikeName("/out/step_0012/rank7.dat")).toBe("/out/step_#/rank#.dat");
});

it("a group has sums, the slowest rank, and what all its files have in common", () => {
  const { rows, members } = fileGroups([
    row({
      path: "/out/a1",
      layers: "POSIX",
      time: 1,
      metadata: 1,
      slowest: 1,
      written: 10,
      calls: 1,
      pattern: "write: sequential",
    }),
    row({ path: "/in", layers: "POSIX", time: 5 }),
    row({
      path: "/out/a22",
      layers: "STDIO",
      time: 3,
      metadata: 0,
      slowest: 2,
      written: 30,
      calls: 3,
      pattern: "write: sequential",
    }),
  ]);
  expect(members).toEqual([[0, 2], [1]]);
  expect(
    ["path", "layers", "time", "metadata", "slowest", "written", "calls", "mean size", "pattern"].map((name) =>
      cell(rows[0], name),
    ),
  ).toEqual(["/out/a# (2 files)", null, 4, 0.25, 2, 40, 4, 10, "write: sequential"]);
  expect(cell(rows[1], "path")).toBe("/in");
});
