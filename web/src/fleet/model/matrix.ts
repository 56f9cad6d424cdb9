/** Cells of two classes, shaded by the logarithm of their value, which stands in them. */

import type { Theme } from "../../base/colours";
import { css, heatRgb } from "../../base/colours";
import { inkOn } from "../../base/contrast";
import { formatByUnit } from "../../base/format";
import type { Colours } from "../../model/chart";
import type { SvgNode } from "../../model/svg";
import { label, node } from "../../model/svg";
import type { Labels } from "./labels";

export interface Matrix {
  readonly x: Labels;
  readonly y: Labels;
  readonly cell: (column: number, row: number) => number | null;
  readonly unit: string;
}

const CELL_HEIGHT = 26;
const WIDEST = 96;
/** The names of the axes stand above and below, where they have room. */
const [TOP, BOTTOM] = [26, 42];

export function matrixNodes(
  of: Matrix,
  width: number,
  colours: Colours,
  theme: Theme,
): { readonly nodes: SvgNode[]; readonly height: number } {
  const [columns, rows] = [of.x.labels.length, of.y.labels.length];
  let most = 1;
  for (let column = 0; column < columns; column += 1)
    for (let row = 0; row < rows; row += 1) most = Math.max(most, of.cell(column, row) ?? 0);
  const left = 10 + Math.ceil(Math.max(3, ...of.y.labels.map((name) => name.length)) * 6.4);
  const cell = Math.min(WIDEST, Math.max(12, (width - left - 8) / Math.max(1, columns)));
  const bottom = TOP + rows * CELL_HEIGHT;
  const ink = { fill: colours.ink, "font-size": 11 };
  const nodes: SvgNode[] = [];
  for (let row = 0; row < rows; row += 1) {
    const y = bottom - (row + 1) * CELL_HEIGHT; // the largest class on top
    nodes.push(
      label(of.y.labels[row] ?? "", { ...ink, x: left - 6, y: y + CELL_HEIGHT / 2 + 4, "text-anchor": "end" }),
    );
    for (let column = 0; column < columns; column += 1) {
      const value = of.cell(column, row);
      const box = { x: left + column * cell, y, width: cell - 1, height: CELL_HEIGHT - 1 };
      if (value === null) {
        nodes.push(node("rect", { ...box, fill: "none", stroke: colours.faint }));
        continue;
      }
      const rgb = heatRgb(Math.log1p(value) / Math.log1p(most), theme);
      nodes.push(node("rect", { ...box, fill: css(rgb) }));
      const name = formatByUnit(value, of.unit);
      if (name.length * 6.4 < cell)
        nodes.push(
          label(name, {
            "font-size": 11,
            fill: css(inkOn(rgb)),
            x: box.x + cell / 2,
            y: y + CELL_HEIGHT / 2 + 4,
            "text-anchor": "middle",
          }),
        );
    }
  }
  of.x.labels.forEach((name, column) =>
    nodes.push(label(name, { ...ink, x: left + (column + 0.5) * cell, y: bottom + 15, "text-anchor": "middle" })),
  );
  nodes.push(label(of.x.axis, { ...ink, x: left, y: bottom + 34 }));
  nodes.push(label(of.y.axis, { ...ink, x: 0, y: 14 }));
  return { nodes, height: bottom + BOTTOM };
}
