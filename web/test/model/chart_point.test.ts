/** What the pointer finds in a chart. */

import { describe, expect, it } from "vitest";
import { axis, chartLayout } from "../../src/model/chart";
import type { Chart } from "../../src/model/chart";
import { pointAt } from "../../src/model/chart_point";

const dots: Chart = {
  title: "t",
  summary: "s",
  x: axis("rank", "rank"),
  y: axis("time in I/O", "s"),
  is_stacked: false,
  series: [{ name: "ranks", colour: "#000", shape: "dots", x: [0, 1, 2, 97], y: [1, 1, 1, 5] }],
};
const bars: Chart = {
  ...dots,
  x: axis("storage target", "", { names: ["3", "7"] }),
  is_stacked: true,
  series: [
    { name: "read", colour: "#000", shape: "bar", x: [0, 1], y: [1, 2] },
    { name: "write", colour: "#111", shape: "bar", x: [0, 1], y: [4, null] },
  ],
};

/** Numbers have a narrow blank before their unit. */
const plain = (lines: readonly string[] = []): string[] => lines.map((line) => line.replaceAll("\u202f", " "));

describe("the pointer in a chart", () => {
  it("finds the outlier among dots, with its rank and value", () => {
    const { x, y } = chartLayout(dots, 600, 240);
    const found = pointAt(dots, 600, 240, x.of(97) + 5, y.of(5) - 4);
    expect([found?.value, plain(found?.lines)]).toEqual([97, ["rank: 97", "5.00 s"]]);
  });
  it("finds nothing far from every mark", () => {
    const { x, y } = chartLayout(dots, 600, 240);
    expect(pointAt(dots, 600, 240, x.of(50), y.of(3))).toBeNull();
  });
  it("finds all bars of a place, whatever their height", () => {
    const { x } = chartLayout(bars, 600, 240);
    expect(plain(pointAt(bars, 600, 240, x.of(0) + 20, 20)?.lines)).toEqual(["3", "read: 1.00 s", "write: 4.00 s"]);
    expect(plain(pointAt(bars, 600, 240, x.of(1), 20)?.lines)).toEqual(["7", "read: 2.00 s"]);
  });
});
