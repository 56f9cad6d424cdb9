/** How durations and sizes of calls are distributed: bars and percentiles from one tile with a single row. */

import type { Axis, CallFilter, Tile, TileRequest } from "../data/interface";

/** Cells of a tile for each power of ten: a percentile is within 6 % of its value. */
const CELLS_PER_DECADE = 20;

/** Powers of ten that are looked at: 10 ns to a day, 1 byte to 10 TB. */
const DECADES = { duration: [-8, 5], size: [0, 13] } as const;

export type Distributed = keyof typeof DECADES;

export function distributionRequest(of: Distributed, filter: CallFilter, tracks: number): TileRequest {
  const [from, to] = DECADES[of];
  const x: Axis = { of, from: 10 ** from, to: 10 ** to, cells: (to - from) * CELLS_PER_DECADE, log: true };
  return {
    filter,
    x,
    y: { of: "track", from: 0, to: Math.max(1, tracks), cells: 1, log: false },
    order: null,
    planes: ["calls"],
  };
}

export interface DistributionBar {
  readonly from: number;
  readonly to: number;
  readonly calls: number;
}

export interface Distribution {
  readonly calls: number;
  readonly bars: readonly DistributionBar[];
  readonly median: number;
  readonly p95: number;
  readonly p99: number;
  /** Cells of the least and the most, and those that hold the percentiles. */
  readonly cells: Readonly<Record<CellName, number>>;
  /** Calls of the first cell of all; sizes of 0 and 1 byte share it. */
  readonly in_first_cell: number;
}

export type CellName = "least" | "median" | "p95" | "p99" | "most";
const SHARES: Readonly<Record<CellName, number>> = { least: 0, median: 0.5, p95: 0.95, p99: 0.99, most: 1 };

/** Shares of the calls and their largest size; of shares with the same one the largest. */
export function sizeShares(
  sizes: Readonly<Record<CellName, number>>,
): { readonly share: number; readonly size: number }[] {
  const all = (["median", "p95", "p99", "most"] as const).map((name) => ({ share: SHARES[name], size: sizes[name] }));
  return all.filter(({ size }, at) => all[at + 1]?.size !== size);
}

type Sizes = Pick<CallFilter, "least_bytes" | "below_bytes">;

/** Sizes of a cell as a filter. */
const sizesOfCell = (cell: number): Sizes => ({
  least_bytes: Math.ceil(edgeOf("size", cell)),
  below_bytes: Math.floor(edgeOf("size", cell + 1)) + 1,
});

/**
 * The largest size of each of these cells, as `largest` finds it: a size that calls have, where a percentile between
 * edges is none.
 */
export async function exactSizes(
  { cells, calls, in_first_cell }: Distribution,
  largest: (sizes: Sizes) => Promise<{ readonly size: number; readonly calls: number } | null>,
): Promise<Readonly<Record<CellName, number>> | null> {
  const names = Object.keys(cells) as CellName[];
  const found = new Map<number, number>();
  let ones = 0;
  for (const cell of new Set(Object.values(cells))) {
    const made = await largest(sizesOfCell(cell));
    if (cell === 0) ones = made?.calls ?? 0;
    else if (made === null) return null;
    found.set(cell, made?.size ?? 0);
  }
  const isZero = (name: CellName): boolean => cells[name] === 0 && SHARES[name] * calls <= in_first_cell - ones;
  return Object.fromEntries(names.map((name) => [name, isZero(name) ? 0 : (found.get(cells[name]) ?? 0)])) as Record<
    CellName,
    number
  >;
}

const edgeOf = (of: Distributed, cell: number): number => 10 ** (DECADES[of][0] + cell / CELLS_PER_DECADE);

/** Bars at most `most`, equally wide on a logarithmic axis; null: no call. */
export function distributionOf(of: Distributed, tile: Tile, most = 24): Distribution | null {
  const counts = tile.planes.get("calls") ?? new Float32Array(0);
  const edge = (cell: number): number => edgeOf(of, cell);
  const first = counts.findIndex((count) => count > 0);
  if (first < 0) return null;
  const end = counts.findLastIndex((count) => count > 0) + 1;
  const calls = counts.reduce((sum, count) => sum + count, 0);
  const width = Math.ceil((end - first) / most);
  const bars: DistributionBar[] = [];
  for (let at = first; at < end; at += width) {
    const sum = counts.subarray(at, at + width).reduce((all, count) => all + count, 0);
    bars.push({ from: edge(at), to: edge(at + width), calls: sum });
  }
  /** Inside of its cell a call is taken to lie where its number says. */
  const percentile = (share: number): { readonly cell: number; readonly value: number } => {
    let below = 0;
    for (let cell = first; cell < end; cell += 1) {
      const inside = counts[cell] ?? 0;
      if (below + inside >= share * calls)
        return { cell, value: edge(cell + (share * calls - below) / Math.max(1, inside)) };
      below += inside;
    }
    return { cell: end - 1, value: edge(end) };
  };
  const [median, p95, p99] = [percentile(0.5), percentile(0.95), percentile(0.99)];
  const cells = { least: first, median: median.cell, p95: p95.cell, p99: p99.cell, most: end - 1 };
  return { calls, bars, median: median.value, p95: p95.value, p99: p99.value, cells, in_first_cell: counts[0] ?? 0 };
}
