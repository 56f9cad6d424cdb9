/** Rows of a query as a chart, chosen from the types of their columns. */

import type { Theme } from "../base/colours";
import { seriesHex } from "../base/colours";
import { formatByUnit, unitOfName } from "../base/format";
import type { TableRows } from "../data/interface";
import type { Chart } from "./chart";
import { axis } from "./chart";
import { numberOf } from "./metric";
import { columnLabel, isNumeric, NAMES_OF_THINGS } from "./table";

export type QueryShape = "bar" | "line";

const MOST_BARS = 60;
const MOST_SERIES = 4;
const unitOf = (rows: TableRows, at: number): string =>
  rows.columns[at]?.unit || unitOfName(rows.columns[at]?.name ?? "");

/** Places along the horizontal axis, and the numbers over them; null: nothing to draw. */
interface Choice {
  readonly x: number;
  readonly isNamed: boolean;
  readonly y: readonly number[];
}

function choose(rows: TableRows): Choice | null {
  const all = rows.columns.map((_, at) => at);
  const numbers = all.filter((at) => isNumeric(rows.rows, at));
  const texts = all.filter((at) => !numbers.includes(at) && rows.rows.some((row) => row[at] !== null));
  const x = texts[0] ?? numbers.find((at) => NAMES_OF_THINGS.has(unitOf(rows, at))) ?? numbers[0];
  if (x === undefined) return null;
  const values = numbers.filter((at) => at !== x && !NAMES_OF_THINGS.has(unitOf(rows, at)));
  const unit = values[0] === undefined ? "" : unitOf(rows, values[0]);
  const y = values.filter((at) => unitOf(rows, at) === unit).slice(0, MOST_SERIES); // one axis has one unit
  return y.length === 0 ? null : { x, isNamed: texts[0] !== undefined, y };
}

/** Bars for names, a line for numbers; null: the rows have no numbers to draw. */
export function suitedShape(rows: TableRows): QueryShape | null {
  const choice = rows.rows.length === 0 ? null : choose(rows);
  return choice === null ? null : choice.isNamed || rows.rows.length <= 2 ? "bar" : "line";
}

export function queryChart(
  rows: TableRows,
  shape: QueryShape,
  title: string,
  summary: (shown: number) => string,
  theme: Theme,
): Chart | null {
  const choice = choose(rows);
  if (choice === null) return null;
  const labelOf = (at: number): string => columnLabel(rows.columns[at]?.name ?? "");
  const hasNames = choice.isNamed || shape === "bar";
  const shown = hasNames
    ? rows.rows.slice(0, MOST_BARS)
    : [...rows.rows]
        .filter((row) => numberOf(row[choice.x] ?? null) !== null)
        .sort((a, b) => Number(a[choice.x]) - Number(b[choice.x]));
  const x = shown.map((row, at) => (hasNames ? at : Number(row[choice.x])));
  return {
    title,
    summary: summary(shown.length),
    is_stacked: false,
    x: axis(labelOf(choice.x), unitOf(rows, choice.x), {
      names: hasNames ? shown.map((row) => formatByUnit(row[choice.x] ?? null, unitOf(rows, choice.x)) || "–") : null,
    }),
    y: axis(choice.y.map(labelOf).join(", "), unitOf(rows, choice.y[0] ?? 0)),
    series: choice.y.map((at, number) => ({
      name: labelOf(at),
      colour: seriesHex(theme, number),
      shape,
      x,
      y: shown.map((row) => numberOf(row[at] ?? null)),
    })),
  };
}
