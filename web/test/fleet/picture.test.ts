/** What `picture:` lines draw. */

import { describe, expect, it } from "vitest";
import { unpackedTables } from "../../src/data/packed_tables";
import type { MetricTable, Value } from "../../src/data/report";
import { labelsOf, powerText } from "../../src/fleet/model/labels";
import { paperOf } from "../../src/fleet/model/paper";
import { parsePicture, picturesOf } from "../../src/fleet/model/picture";
import type { SvgNode } from "../../src/model/svg";
import { HOSTILE, packed } from "./fixture";

const COLOURS = { ink: "#000", faint: "#ccc", ground: "#fff" };
const table = (columns: string, ...rows: Value[][]): MetricTable => {
  const made = unpackedTables(packed({ t: { columns, rows } })).t;
  if (!made) throw new Error("there is a table");
  return made;
};
const withDoc = (of: MetricTable, name: string, doc: string): MetricTable => ({
  ...of,
  columns: of.columns.map((one) => (one.name === name ? { ...one, doc } : one)),
  rows: of.rows,
});
const nodesOf = (line: string, of: MetricTable, picture = 0): SvgNode[] =>
  picturesOf(line, of, "light")[picture]?.draw(800, COLOURS).nodes ?? [];
const texts = (nodes: SvgNode[]): string[] => nodes.flatMap((one) => (one.text === null ? [] : [one.text]));
const rects = (nodes: SvgNode[]): SvgNode[] => nodes.filter((one) => one.tag === "rect");

describe("a picture line", () => {
  it("is taken apart", () =>
    expect(parsePicture("bars x=month y=a,b by=kind")).toEqual({
      kind: "bars",
      x: "month",
      y: ["a", "b"],
      by: "kind",
      value: null,
    }));
  it("without a picture is a table", () =>
    expect([parsePicture("table"), parsePicture(""), parsePicture("pie x=a y=b")]).toEqual([null, null, null]));
  it("with a column that the answer has not draws nothing", () =>
    expect(picturesOf("bars x=nothing y=jobs", table("jobs:jobs", [1]), "light")).toEqual([]));
});

describe("bars", () => {
  const monthly = table(
    "system year:year month:month jobs:jobs",
    ["alpha", 2025, 12, 3],
    ["alpha", 2026, 2, 5],
    ["alpha", 2026, 3, 1],
    ["beta", 2026, 1, 7],
  );
  it("of months have a place for months without jobs", () => {
    const nodes = nodesOf("bars x=month y=jobs", monthly);
    expect(texts(nodes)).toEqual(
      expect.arrayContaining(["2025-12", "2026-01", "2026-02", "2026-03", "month of the start", "jobs"]),
    );
    expect(rects(nodes)).toHaveLength(3);
  });
  it("are a picture for each system", () =>
    expect(picturesOf("bars x=month y=jobs", monthly, "light").map(({ name }) => name)).toEqual(["alpha", "beta"]));
  it("of names lie, with their values", () => {
    const nodes = nodesOf("bars x=check y=hours", table("check:name hours:core-hours", [HOSTILE, 4], ["b/c", 2]));
    const [first, second] = rects(nodes);
    expect(Number(first?.attributes.width)).toBeCloseTo(2 * Number(second?.attributes.width), 0);
    expect(texts(nodes)).toContain("hours (core-hours)");
    expect(texts(nodes).some((one) => one.includes("\u202e"))).toBe(false);
  });
  it("by a column stand on each other, the rarest kinds together", () => {
    const kinds = table(
      "month:month kind:name jobs:jobs",
      ...["a", "b", "c", "d", "e", "f", "g", "h", "i"].flatMap((kind, at) =>
        [1, 2, 3, 4].map((month) => [month, kind, at]),
      ),
    );
    const [picture] = picturesOf("bars x=month y=jobs by=kind", kinds, "light");
    expect(picture?.legend.map(({ name }) => name)).toEqual(["i", "h", "g", "f", "e", "all others"]);
  });
  it("have the same colours in all pictures of a figure", () => {
    const kinds = table(
      "system:name month:month kind:name jobs:jobs",
      ["alpha", 1, "a", 9],
      ["alpha", 1, "b", 1],
      ["beta", 1, "b", 2],
    );
    const [alpha, beta] = picturesOf("bars x=month y=jobs by=kind", kinds, "light");
    expect(beta?.legend).toEqual(alpha?.legend);
  });
  it("of quantities with other units are other pictures", () => {
    const of = table("name:name jobs:jobs bytes:bytes", ["a", 1, 2], ["b", 1, 2]);
    expect(picturesOf("bars x=name y=jobs,bytes", of, "light").map(({ name }) => name)).toEqual(["jobs", "bytes"]);
  });
  it("of parts of a whole are in percent", () => {
    const nodes = nodesOf("bars x=name y=io_ratio", table("name:name io_ratio:1", ["a", 0.5], ["b", 0.25]));
    expect(texts(nodes)).toEqual(expect.arrayContaining(["50\u202f%", "25\u202f%", "I/O ratio"]));
    expect(texts(nodesOf("bars x=name y=io_ratio", table("name:name io_ratio:1", ["a", 1.5])))).toContain("1.5");
  });
  it("are missing where nothing was measured", () =>
    expect(rects(nodesOf("bars x=name y=jobs", table("name:name jobs:jobs", ["a", null], ["b", 1])))).toHaveLength(1));
});

describe("powers of ten", () => {
  const classes = withDoc(
    table("class:power jobs:jobs", [-1, 1], [6, 2], [9, 4]),
    "class",
    "jobs that move 10^class to 10^(class+1) bytes; -1: none",
  );
  it("read as such", () => expect([powerText(9), powerText(-12)]).toEqual(["10⁹", "10⁻¹²"]));
  it("have a place for those between, and the word of the one that stands for none", () => {
    const labels = labelsOf(classes.columns, classes.rows, "class");
    expect(labels.labels).toEqual(["none", "10⁶", "10⁷", "10⁸", "10⁹"]);
    expect(labels.axis).toBe("bytes, from this power of ten to the next");
  });
});

it("lines have a place for hours without rows, which are zero", () => {
  const of = table("hour:time bytes:bytes", ["2026-03-01T00:00:00", 1024], ["2026-03-01T03:00:00Z", 2048]);
  const [line] = nodesOf("lines x=hour y=bytes", of).filter((one) => one.tag === "path");
  expect(String(line?.attributes.d).match(/[ML]/g)).toHaveLength(4);
});

it("a Lorenz curve is a line for each kind", () => {
  const of = table(
    "kind:name place:index upto:1",
    ["user", 1, 0.5],
    ["user", 2, 1],
    ["program", 1, 0.9],
    ["program", 2, 1],
  );
  const [picture] = picturesOf("lorenz x=place y=upto by=kind", of, "dark");
  expect(picture?.legend.map(({ name }) => name)).toEqual(["user", "program"]);
  expect(texts(picture?.draw(800, COLOURS).nodes ?? [])).toContain("part of all core-hours in I/O");
});

it("a matrix has a cell for each pair of classes, with its value", () => {
  const nodes = nodesOf("matrix x=a y=b value=jobs", table("a:power b:power jobs:jobs", [0, 3, 5], [1, 4, 700]));
  expect(rects(nodes)).toHaveLength(4);
  expect(texts(nodes)).toEqual(expect.arrayContaining(["5", "700", "10⁰", "10³"]));
});

it("a saved figure has all its pictures, with names and colours", () => {
  const of = table("system:name kind:name jobs:jobs", ["alpha", "a", 1], ["beta", "b", 2]);
  const { nodes, height } = paperOf(picturesOf("bars x=system y=jobs by=kind", of, "light"), 800, COLOURS);
  expect(texts(nodes)).toEqual(["b", "a"]);
  expect(height).toBeGreaterThan(100);
  const two = paperOf(picturesOf("bars x=kind y=jobs", of, "light"), 800, COLOURS);
  expect(texts(two.nodes)).toEqual(["alpha", "beta"]);
});
