/**
 * Rows of a lane: a summary of each group, and below an open one its groups or its ranks.
 *
 * Rows are counted in units of one rank's height: a summary is higher where many ranks stand beside it, or it
 * could not be read. Rows are cut into runs, each of rows that hold equally many positions of the
 * order: a run is one tile, however many groups it has.
 */

import type { ArrangedTracks, TrackGroup, TrackRange } from "./tracks";

export interface RowRun {
  /** Where the first row begins, how many rows, and how high each is, in units. */
  readonly row: number;
  readonly rows: number;
  readonly high: number;
  /** First position in the order, and how many positions each row has. */
  readonly first: number;
  readonly perRow: number;
  /** Each row stands for several ranks. */
  readonly isSummary: boolean;
}

/** A group with the units it takes: `head` is the end of its summary, `to` that of all that is open below it. */
export interface GroupPlace {
  readonly index: number;
  readonly group: TrackGroup;
  readonly from: number;
  readonly head: number;
  readonly to: number;
  readonly isFolded: boolean;
}

export interface RowLayout {
  readonly id: string;
  /** Units of all rows. */
  readonly rows: number;
  /** Units of the row of a group. */
  readonly high: number;
  readonly runs: readonly RowRun[];
  /** Groups that have a row, from top to bottom. */
  readonly places: readonly GroupPlace[];
}

/** A summary has at least this share of the height, and all of them together half of it. */
const LEAST_SHARE = 0.04;

const depthOf = (group: TrackGroup | undefined): number => group?.depth ?? 0;

/** End of the groups inside of group `at`. */
function endOfGroup(groups: readonly TrackGroup[], at: number): number {
  let end = at + 1;
  while (end < groups.length && depthOf(groups[end]) > depthOf(groups[at])) end += 1;
  return end;
}

interface Row {
  readonly first: number;
  readonly rows: number;
  readonly perRow: number;
  /** Group whose summary this is; null: ranks. */
  readonly group: number | null;
}

/** What stands below each other; `ends`: how many rows of the list are above the end of a group. */
function listRows({ groups, tracks }: ArrangedTracks, folded: ReadonlySet<number>): [Row[], Map<number, number>] {
  const list: Row[] = [];
  const ends = new Map<number, number>();
  if (groups.length === 0 && tracks.length > 0) list.push({ first: 0, rows: tracks.length, perRow: 1, group: null });
  const walk = (from: number, to: number): void => {
    for (let at = from; at < to;) {
      const group = groups[at];
      const end = endOfGroup(groups, at);
      if (group) {
        list.push({ first: group.first, rows: 1, perRow: group.count, group: at });
        if (!folded.has(at) && end > at + 1) walk(at + 1, end);
        else if (!folded.has(at) && group.count > 1)
          list.push({ first: group.first, rows: group.count, perRow: 1, group: null });
        ends.set(at, list.length);
      }
      at = end;
    }
  };
  walk(0, groups.length);
  return [list, ends];
}

/** `folded`: indices in `order.groups`. */
export function rowLayout(order: ArrangedTracks, folded: ReadonlySet<number>): RowLayout {
  const [list, ends] = listRows(order, folded);
  const summaries = list.filter((row) => row.group !== null).length;
  const ranks = list.reduce((sum, row) => sum + (row.group === null ? row.rows : 0), 0);
  const high = Math.max(1, Math.min(Math.ceil(ranks / Math.max(1, summaries)), Math.ceil(ranks * LEAST_SHARE)));
  const tops = [0];
  const runs: { -readonly [Key in keyof RowRun]: RowRun[Key] }[] = [];
  for (const { first, rows, perRow, group } of list) {
    const row = tops.at(-1) ?? 0;
    const isSummary = group !== null && perRow > 1;
    const unit = group === null ? 1 : high;
    const last = runs.at(-1);
    const isNext = last && last.first + last.rows * last.perRow === first;
    if (isNext && last.perRow === perRow && last.isSummary === isSummary && last.high === unit) last.rows += rows;
    else runs.push({ row, rows, high: unit, first, perRow, isSummary });
    tops.push(row + rows * unit);
  }
  const places = list.flatMap(({ group: index }, at): GroupPlace[] => {
    const group = index === null ? undefined : order.groups[index];
    if (index === null || group === undefined) return [];
    const [from = 0, head = 0] = [tops[at], tops[at + 1]];
    return [{ index, group, from, head, to: tops[ends.get(index) ?? 0] ?? head, isFolded: folded.has(index) }];
  });
  const ids = [...folded].filter((at) => at < order.groups.length).sort((a, b) => a - b);
  const isAll = ids.length === order.groups.length;
  return { id: `${order.id}|${isAll ? "all" : ids.join(".")}`, rows: tops.at(-1) ?? 0, high, runs, places };
}

/** Positions of a row: from `first`, `count` of them; null: there is no such row. */
export function positionsOfRow(
  layout: RowLayout,
  row: number,
): { readonly first: number; readonly count: number; readonly isSummary: boolean } | null {
  const run = layout.runs.find((one) => row >= one.row && row < one.row + one.rows * one.high);
  return run
    ? {
        first: run.first + Math.floor((row - run.row) / run.high) * run.perRow,
        count: run.perRow,
        isSummary: run.isSummary,
      }
    : null;
}

/** Units of the row of a position: its own, else that of the group it is folded in. */
export function rowOfPosition(layout: RowLayout, position: number): TrackRange {
  const run = layout.runs.findLast((one) => position >= one.first && position < one.first + one.rows * one.perRow);
  if (run === undefined) return { from: layout.rows, to: layout.rows };
  const from = run.row + Math.floor((position - run.first) / run.perRow) * run.high;
  return { from, to: from + run.high };
}

/** A visible part of the rows that one tile shows. */
export interface RowPart {
  /** Units, not always whole ones. */
  readonly from: number;
  readonly to: number;
  /** Positions in the order. */
  readonly first: number;
  readonly last: number;
  readonly cells: number;
  readonly isSummary: boolean;
}

/** `height`: pixels for all of `visible`: no tile has more cells than pixels, but a group is always one. */
export function visibleParts(layout: RowLayout, visible: TrackRange, height: number): RowPart[] {
  return layout.runs.flatMap((run) => {
    let [from, to] = [Math.max(visible.from, run.row), Math.min(visible.to, run.row + run.rows * run.high)];
    if (to <= from) return [];
    if (run.isSummary) {
      from = run.row + Math.floor((from - run.row) / run.high) * run.high;
      to = run.row + Math.ceil((to - run.row) / run.high) * run.high;
    }
    const pixels = (height * (to - from)) / Math.max(1e-9, visible.to - visible.from);
    const rows = (to - from) / run.high;
    const cells = run.isSummary ? rows : Math.max(1, Math.min(Math.round(pixels), Math.ceil(rows)));
    return [
      {
        from,
        to,
        first: run.first + ((from - run.row) / run.high) * run.perRow,
        last: run.first + ((to - run.row) / run.high) * run.perRow,
        cells,
        isSummary: run.isSummary,
      },
    ];
  });
}

/** Groups that are in sight. */
export const groupPlaces = (layout: RowLayout, visible: TrackRange): GroupPlace[] =>
  layout.places.filter(({ from, to }) => to > visible.from && from < visible.to);

/** The group whose summary is in a row; null: it is a rank's. */
export const groupOfRow = (layout: RowLayout, row: number): TrackGroup | null =>
  layout.places.find(({ from, head }) => row >= from && row < head)?.group ?? null;

/** Ranks below open groups, where their rows are high enough for a name. */
export function openRanks(
  layout: RowLayout,
  visible: TrackRange,
  height: number,
  least = 13,
): { readonly position: number; readonly row: number }[] {
  if (height / Math.max(1e-9, visible.to - visible.from) < least) return [];
  return layout.runs.flatMap((run) => {
    if (run.isSummary || run.high > 1) return [];
    const from = Math.max(run.row, Math.floor(visible.from));
    const to = Math.min(run.row + run.rows, Math.ceil(visible.to));
    return Array.from({ length: Math.max(0, to - from) }, (_, at) => ({
      position: run.first + from + at - run.row,
      row: from + at,
    })).filter(({ row }) => groupOfRow(layout, row) === null);
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
    const row = rowOfPosition(layout, position);
    from = Math.min(from, row.from);
    to = Math.max(to, row.to);
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
