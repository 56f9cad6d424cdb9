/**
 * Rows of a lane: one for each rank, or one for all ranks of a folded group.
 *
 * Rows are cut into runs, each of rows that hold equally many positions of the
 * order: a run is one tile, however many groups it has.
 */

import type { ArrangedTracks, TrackGroup, TrackRange } from "./tracks";

export interface RowRun {
  /** First row, and how many. */
  readonly row: number;
  readonly rows: number;
  /** First position in the order, and how many positions each row has. */
  readonly first: number;
  readonly perRow: number;
  readonly isFolded: boolean;
}

export interface RowLayout {
  readonly id: string;
  readonly rows: number;
  readonly runs: readonly RowRun[];
}

/** `folded`: indices in `order.groups`. */
export function rowLayout(order: ArrangedTracks, folded: ReadonlySet<number>): RowLayout {
  const runs: { row: number; rows: number; first: number; perRow: number; isFolded: boolean }[] = [];
  let row = 0;
  const add = (first: number, rows: number, perRow: number, isFolded: boolean): void => {
    const last = runs.at(-1);
    if (last && last.perRow === perRow && last.isFolded === isFolded) last.rows += rows;
    else runs.push({ row, rows, first, perRow, isFolded });
    row += rows;
  };
  if (order.groups.length === 0) {
    if (order.tracks.length > 0) add(0, order.tracks.length, 1, false);
  } else {
    order.groups.forEach((group, at) =>
      folded.has(at) ? add(group.first, 1, group.count, true) : add(group.first, group.count, 1, false),
    );
  }
  const ids = [...folded].filter((at) => at < order.groups.length).sort((a, b) => a - b);
  return { id: `${order.id}|${ids.join(".")}`, rows: row, runs };
}

/** Positions of a row: from `first`, `count` of them; null: there is no such row. */
export function positionsOfRow(
  layout: RowLayout,
  row: number,
): { readonly first: number; readonly count: number; readonly isFolded: boolean } | null {
  const run = layout.runs.find((one) => row >= one.row && row < one.row + one.rows);
  return run
    ? { first: run.first + Math.floor(row - run.row) * run.perRow, count: run.perRow, isFolded: run.isFolded }
    : null;
}

/** Row of a position; the end of the last row for the position after the last. */
export function rowOfPosition(layout: RowLayout, position: number): number {
  const run = layout.runs.findLast((one) => position >= one.first) ?? layout.runs[0];
  if (run === undefined) return 0;
  return (
    run.row +
    Math.min(run.rows, run.perRow === 1 ? position - run.first : Math.floor((position - run.first) / run.perRow))
  );
}

/** A visible part of the rows that one tile shows. */
export interface RowPart {
  /** Rows, not always whole ones. */
  readonly from: number;
  readonly to: number;
  /** Positions in the order. */
  readonly first: number;
  readonly last: number;
  readonly cells: number;
}

/** `height`: pixels for all of `visible`: no tile has more cells than pixels, but a folded group is always one. */
export function visibleParts(layout: RowLayout, visible: TrackRange, height: number): RowPart[] {
  return layout.runs.flatMap((run) => {
    let [from, to] = [Math.max(visible.from, run.row), Math.min(visible.to, run.row + run.rows)];
    if (to <= from) return [];
    if (run.perRow > 1) [from, to] = [Math.floor(from), Math.ceil(to)];
    const pixels = (height * (to - from)) / Math.max(1e-9, visible.to - visible.from);
    const cells = run.perRow > 1 ? to - from : Math.max(1, Math.min(Math.round(pixels), Math.ceil(to - from)));
    return [
      {
        from,
        to,
        first: run.first + (from - run.row) * run.perRow,
        last: run.first + (to - run.row) * run.perRow,
        cells,
      },
    ];
  });
}

/** Groups that are in sight, with the rows they take. */
export interface GroupPlace {
  readonly index: number;
  readonly group: TrackGroup;
  readonly from: number;
  readonly to: number;
  readonly isFolded: boolean;
}

export function groupPlaces(
  order: ArrangedTracks,
  layout: RowLayout,
  folded: ReadonlySet<number>,
  visible: TrackRange,
): GroupPlace[] {
  let row = 0;
  return order.groups.flatMap((group, index) => {
    const isFolded = folded.has(index);
    const from = row;
    row += isFolded ? 1 : group.count;
    return row > visible.from && from < visible.to && layout.rows > 0
      ? [{ index, group, from, to: row, isFolded }]
      : [];
  });
}

/** Rows from the first to the last of these ranks; null: none is there. */
export function rowsOfRanks(
  ranks: readonly number[],
  rankOf: ArrayLike<number>,
  order: ArrangedTracks,
  layout: RowLayout,
): TrackRange | null {
  const wanted = new Set(ranks);
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  order.tracks.forEach((at, position) => {
    if (!wanted.has(rankOf[at] ?? Number.NaN)) return;
    from = Math.min(from, rowOfPosition(layout, position));
    to = Math.max(to, rowOfPosition(layout, position) + 1);
  });
  return to > from ? { from, to: Math.min(to, layout.rows) } : null;
}

/** Ranks that stand beside their rows, at least `least` pixels apart; round ranks where ranks go up row by row. */
export function rankLabels(
  tracks: ArrayLike<number>,
  rankOf: ArrayLike<number>,
  rows: TrackRange,
  height: number,
  least = 22,
): { readonly rank: number; readonly y: number }[] {
  const rowHeight = height / Math.max(1e-9, rows.to - rows.from);
  const step =
    [1, 2, 5]
      .flatMap((one) => [0, 1, 2, 3, 4, 5, 6].map((power) => one * 10 ** power))
      .sort((a, b) => a - b)
      .find((one) => one * rowHeight >= least) ?? 1e7;
  const rank = (row: number): number => rankOf[tracks[row] ?? -1] ?? Number.NaN;
  const [first, last] = [Math.max(0, Math.floor(rows.from)), Math.min(tracks.length, Math.ceil(rows.to)) - 1];
  const isAscending = rank(last) - rank(first) === last - first;
  const labels: { rank: number; y: number }[] = [];
  for (let row = first; row <= last; row += 1) {
    const number = isAscending ? rank(row) : row;
    const y = (row + 0.5 - rows.from) * rowHeight;
    if (number % step === 0 && y > 0 && y < height) labels.push({ rank: rank(row), y });
  }
  return labels;
}
