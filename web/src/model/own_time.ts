/**
 * Time in a library (HDF5, NetCDF, MPI-IO) while no call below it runs: its own work, or in
 * a collective call the wait for other ranks. As metric `time_account` parts it.
 */

import type { CallColumns } from "../data/interface";

export type Span = readonly [start_s: number, end_s: number];

/** Layers that ask no other one. */
const LOWEST: ReadonlySet<string> = new Set(["posix", "stdio", "dfs", "daos"]);
/** Layers whose calls may become calls of these. */
const BELOW: ReadonlySet<string> = new Set([...LOWEST, "mpiio"]);

/**
 * Layers below a library that the log holds; none: what it does itself is not known. `layers`: from the program down.
 */
export function layersBelow(layer: string, layers: readonly string[]): readonly string[] {
  return LOWEST.has(layer) || !layers.includes(layer)
    ? []
    : layers.slice(layers.indexOf(layer) + 1).filter((other) => BELOW.has(other));
}

/** Spans that do not touch, by start. */
export function united(spans: readonly Span[]): Span[] {
  const all: [number, number][] = [];
  for (const [start, end] of [...spans].sort((a, b) => a[0] - b[0])) {
    const last = all.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
}

/** What of a span is in none of `below`, which do not touch and lie by start. */
export function ownSpans([start, end]: Span, below: readonly Span[]): Span[] {
  const own: Span[] = [];
  let at = start;
  for (const [from, to] of below) {
    if (to <= at) continue;
    if (from >= end) break;
    if (from > at) own.push([at, from]);
    at = to;
  }
  if (at < end) own.push([at, end]);
  return own;
}

/** The calls of one layer among those of several. */
export function callsOfLayer(calls: CallColumns, layer: number): CallColumns {
  const keep = (_: number, at: number): boolean => calls.layer[at] === layer;
  return {
    count: calls.layer.reduce((count, one) => count + Number(one === layer), 0),
    count_in_all: calls.count_in_all,
    index: calls.index.filter(keep),
    track: calls.track.filter(keep),
    layer: calls.layer.filter(keep),
    op: calls.op.filter(keep),
    file: calls.file.filter(keep),
    function: calls.function.filter(keep),
    offset_bytes: calls.offset_bytes.filter(keep),
    size_bytes: calls.size_bytes.filter(keep),
    start_s: calls.start_s.filter(keep),
    end_s: calls.end_s.filter(keep),
    calls: calls.calls.filter(keep),
    parent: calls.parent.filter(keep),
    stack: calls.stack.filter(keep),
    thread: calls.thread.filter(keep),
    is_collective: calls.is_collective.filter(keep),
  };
}

/** Spans of the calls of other layers, by track. */
export function spansBelow(calls: CallColumns, layer: number): ReadonlyMap<number, readonly Span[]> {
  const spans = new Map<number, Span[]>();
  calls.layer.forEach((of, at) => {
    if (of === layer) return;
    const track = calls.track[at] ?? 0;
    const known = spans.get(track) ?? [];
    known.push([calls.start_s[at] ?? 0, calls.end_s[at] ?? 0]);
    spans.set(track, known);
  });
  return new Map([...spans].map(([track, of]) => [track, united(of)]));
}
