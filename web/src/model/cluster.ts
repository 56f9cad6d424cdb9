/**
 * Ranks that did alike, by when they were in which kind of call.
 *
 * Each rank is a row of a coarse tile (kinds x cells of time). The first rank begins
 * a cluster; each further one joins the nearest cluster, or begins one when none is
 * near: so one pass is enough, and the same log gives the same clusters. Two more
 * passes move each rank to the nearest mean.
 */

import type { Tile } from "../data/interface";
import { KINDS } from "../base/kinds";
import type { Grouping } from "./tracks";

/** More would be too many to read. */
const MAX_CLUSTERS = 12;
/** Distance, as a share of the length of both together, up to which two ranks are alike. */
const ALIKE = 0.3;

/** Rows of features: one per track, as many cells each; a tile with one row per track. */
export function featuresOf(tile: Tile): { readonly values: Float32Array; readonly width: number } {
  const width = tile.width * KINDS.length;
  const values = new Float32Array(width * tile.height);
  KINDS.forEach((kind, at) => {
    const plane = tile.planes.get(`busy_${kind}`);
    if (plane === undefined) return;
    for (let row = 0; row < tile.height; row += 1)
      values.set(plane.subarray(row * tile.width, (row + 1) * tile.width), row * width + at * tile.width);
  });
  return { values, width };
}

interface Cluster {
  readonly sum: Float64Array;
  count: number;
}

/** Distance of a row from the mean of a cluster over the length of both: 0 for the same, 1 for nothing in common. */
function distance(values: Float32Array, from: number, { sum, count }: Cluster): number {
  let apart = 0;
  let together = 0;
  for (let at = 0; at < sum.length; at += 1) {
    const value = values[from + at] ?? 0;
    const mean = (sum[at] ?? 0) / count;
    apart += Math.abs(value - mean);
    together += value + mean;
  }
  return together > 0 ? apart / together : 0;
}

function add(cluster: Cluster, values: Float32Array, from: number, by: 1 | -1): void {
  for (let at = 0; at < cluster.sum.length; at += 1)
    cluster.sum[at] = (cluster.sum[at] ?? 0) + by * (values[from + at] ?? 0);
  cluster.count += by;
}

function nearest(
  clusters: readonly Cluster[],
  values: Float32Array,
  from: number,
): { readonly at: number; readonly distance: number } {
  let best = { at: -1, distance: Number.POSITIVE_INFINITY };
  clusters.forEach((cluster, at) => {
    if (cluster.count === 0) return;
    const apart = distance(values, from, cluster);
    if (apart < best.distance) best = { at, distance: apart };
  });
  return best;
}

/** Cluster of each row, the largest cluster first. */
export function clusterOf({ values, width }: { readonly values: Float32Array; readonly width: number }): Int32Array {
  const rows = width > 0 ? values.length / width : 0;
  const clusters: Cluster[] = [];
  const of = new Int32Array(rows).fill(-1);
  for (let row = 0; row < rows; row += 1) {
    const near = nearest(clusters, values, row * width);
    let at = near.at;
    if (near.distance > ALIKE && clusters.length < MAX_CLUSTERS)
      at = clusters.push({ sum: new Float64Array(width), count: 0 }) - 1;
    const cluster = clusters[at];
    if (cluster === undefined) continue;
    add(cluster, values, row * width, 1);
    of[row] = at;
  }
  for (let pass = 0; pass < 2; pass += 1) {
    for (let row = 0; row < rows; row += 1) {
      const before = clusters[of[row] ?? -1];
      const near = nearest(clusters, values, row * width);
      const after = clusters[near.at];
      if (!before || !after || before === after) continue;
      add(before, values, row * width, -1);
      add(after, values, row * width, 1);
      of[row] = near.at;
    }
  }
  const order = clusters
    .map((cluster, at) => ({ at, count: cluster.count }))
    .sort((a, b) => b.count - a.count || a.at - b.at);
  const place = new Map(order.map(({ at }, index) => [at, index]));
  return of.map((at) => place.get(at) ?? 0);
}

/** Short, and another one when any rank moves (FNV-1a). */
function fingerprint(numbers: Int32Array): string {
  let hash = 0x811c9dc5;
  for (const number of numbers) hash = Math.imul(hash ^ number, 0x01000193);
  return (hash >>> 0).toString(36);
}

/** Clusters as groups of ranks. `ranks`: of each row of the tile. */
export function clusterGrouping(tile: Tile, ranks: Int32Array): Grouping {
  const clusters = clusterOf(featuresOf(tile));
  const members = new Map<number, number[]>();
  clusters.forEach((at, row) => {
    const ranksOf = members.get(at);
    if (ranksOf) ranksOf.push(ranks[row] ?? -1);
    else members.set(at, [ranks[row] ?? -1]);
  });
  const names = Array.from({ length: members.size }, (_, at) => {
    const [first, ...others] = members.get(at) ?? [];
    return others.length === 0 ? `rank ${first ?? ""}` : `${others.length + 1} alike`;
  });
  return { id: `cluster:${fingerprint(clusters)}`, names, of: clusters };
}
