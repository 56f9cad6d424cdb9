/** Bars that lie, with a name before each: for names, which need room. */

import { formatByUnit } from "../../base/format";
import { visible } from "../../base/visible";
import type { Colours } from "../../model/chart";
import type { SvgNode } from "../../model/svg";
import { label, node } from "../../model/svg";
import { roundTicks, tickText } from "../../model/ticks";

export interface Groups {
  readonly labels: readonly string[];
  readonly series: readonly {
    readonly name: string;
    readonly colour: string;
    readonly values: readonly (number | null)[];
  }[];
  readonly unit: string;
  /** Name of the axis. */
  readonly axis: string;
  /** One behind the other rather than below each other. */
  readonly isStacked: boolean;
}

/** The table has them all. */
const MAX_BARS = 20;
/** Ticks of less would all read `< 0.1 %`. */
const LEAST_SHARE = 0.01;
const CHARACTER = 6.4;
const TOP = 6;
const BOTTOM = 42;

export function lyingBars(
  of: Groups,
  width: number,
  colours: Colours,
): { readonly nodes: SvgNode[]; readonly height: number } {
  const shown = of.labels.slice(0, MAX_BARS);
  const total = (at: number): number => of.series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
  const most =
    shown.reduce(
      (high, _, at) =>
        Math.max(high, of.isStacked ? total(at) : Math.max(...of.series.map(({ values }) => values[at] ?? 0))),
      of.unit === "share" ? LEAST_SHARE : 0,
    ) || 1;
  const rows = of.isStacked ? 1 : of.series.length;
  const slot = rows === 1 ? 24 : 8 + rows * 14;
  const room = Math.max(8, Math.floor((width * 0.4) / CHARACTER));
  const names = shown.map((name) =>
    visible(name).length > room ? `${visible(name).slice(0, room - 1)}…` : visible(name),
  );
  const left = 10 + Math.ceil(Math.max(3, ...names.map((name) => name.length)) * CHARACTER);
  const end = width - 76;
  const x = (value: number): number => left + (value / most) * Math.max(10, end - left);
  const bottom = TOP + shown.length * slot;
  const ink = { fill: colours.ink, "font-size": 11 };
  const nodes: SvgNode[] = [];
  for (const tick of roundTicks(0, most, Math.max(2, Math.floor((end - left) / 90)), of.unit)) {
    nodes.push(node("line", { x1: x(tick), x2: x(tick), y1: TOP, y2: bottom, stroke: colours.faint }));
    nodes.push(
      label(tickText(Number(tick.toPrecision(12)), most, of.unit), {
        ...ink,
        x: x(tick),
        y: bottom + 15,
        "text-anchor": "middle",
      }),
    );
  }
  shown.forEach((_, at) => {
    const y = TOP + at * slot;
    nodes.push(label(names[at] ?? "", { ...ink, x: left - 6, y: y + slot / 2 + 4, "text-anchor": "end" }));
    let from = 0;
    of.series.forEach((series, place) => {
      const value = series.values[at] ?? null;
      if (value === null) return;
      const thick = of.isStacked || rows === 1 ? slot - 8 : 12;
      const top = of.isStacked || rows === 1 ? y + 4 : y + 4 + place * 14;
      nodes.push(
        node("rect", {
          x: x(from),
          y: top,
          width: Math.max(0.5, x(from + value) - x(from)),
          height: thick,
          fill: series.colour,
        }),
      );
      if (of.isStacked) from += value;
      else nodes.push(label(formatByUnit(value, of.unit), { ...ink, x: x(value) + 5, y: top + thick / 2 + 4 }));
    });
    if (of.isStacked) nodes.push(label(formatByUnit(from, of.unit), { ...ink, x: x(from) + 5, y: y + slot / 2 + 4 }));
  });
  nodes.push(node("line", { x1: left, x2: left, y1: TOP, y2: bottom, stroke: colours.ink }));
  const hidden = of.labels.length - shown.length;
  nodes.push(
    label(hidden > 0 ? `${of.axis}; first ${shown.length} of ${of.labels.length}` : of.axis, {
      ...ink,
      x: (left + end) / 2,
      y: bottom + 33,
      "text-anchor": "middle",
    }),
  );
  return { nodes, height: bottom + BOTTOM };
}
