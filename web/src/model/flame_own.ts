/**
 * Time of call stacks without what is counted twice: a call of MPI-IO or HDF5 contains the calls below it, which
 * have stacks of their own.
 */

import type { CallColumns, StackCosts } from "../data/interface";
import type { Span } from "./own_time";
import { ownSpans, united } from "./own_time";

export type StackCost = StackCosts["rows"][number];

/** What of the time of each stack and layer lies in calls that are made inside, seconds; stacks by their number. */
export interface InnerTime {
  readonly stack: number;
  readonly layer: number;
  readonly op: number;
  /** A call of it: its frames are those of all. */
  readonly call: number;
  readonly inner_s: number;
}

/** An open call while the calls of a thread are walked by their start. */
interface Open {
  readonly at: number;
  readonly end: number;
  readonly layer: number;
  readonly spans: Span[];
}

/**
 * Calls inside of others: of one thread, in a lower layer, between start and end. As the call tree has it.
 *
 * `layers`: from the program down, so that a lower layer has a higher number.
 */
export function innerTimes(calls: CallColumns): InnerTime[] {
  const order = Array.from({ length: calls.count }, (_, at) => at).sort(
    (a, b) =>
      (calls.track[a] ?? 0) - (calls.track[b] ?? 0) ||
      threadOf(calls, a) - threadOf(calls, b) ||
      (calls.start_s[a] ?? 0) - (calls.start_s[b] ?? 0) ||
      (calls.layer[a] ?? 0) - (calls.layer[b] ?? 0),
  );
  const sums = new Map<string, InnerTime & { inner_s: number }>();
  const close = ({ at, layer, spans }: Open): void => {
    const stack = calls.stack[at] ?? -1;
    if (spans.length === 0 || stack < 0) return;
    const call: Span = [calls.start_s[at] ?? 0, calls.end_s[at] ?? 0];
    const own = ownSpans(call, united(spans)).reduce((sum, [start, end]) => sum + end - start, 0);
    const op = calls.op[at] ?? 0;
    const key = `${stack} ${layer} ${op}`;
    const known = sums.get(key);
    const inner_s = call[1] - call[0] - own;
    if (known) known.inner_s += inner_s;
    else sums.set(key, { stack, layer, op, call: calls.index[at] ?? 0, inner_s });
  };
  let open: Open[] = [];
  let thread = "";
  for (const at of order) {
    const mine = `${calls.track[at]} ${threadOf(calls, at)}`;
    const [start, end] = [calls.start_s[at] ?? 0, calls.end_s[at] ?? 0];
    if (mine !== thread) {
      open.forEach(close);
      open = [];
      thread = mine;
    }
    while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= start) {
      const last = open.pop();
      if (last) close(last);
    }
    const layer = calls.layer[at] ?? 0;
    const caller = open.findLast((one) => one.layer < layer && end <= one.end + 1e-9);
    caller?.spans.push([start, end]);
    open.push({ at, end, layer, spans: [] });
  }
  open.forEach(close);
  return [...sums.values()];
}

const threadOf = (calls: CallColumns, at: number): number => {
  const thread = calls.thread[at] ?? Number.NaN;
  return Number.isNaN(thread) ? -1 : thread;
};

export const stackKey = (frames: readonly string[], layer: string, kind: string): string =>
  JSON.stringify([layer, kind, frames]);

/** `inner`: by `stackKey`, seconds in calls made inside. */
export const ownRows = (rows: readonly StackCost[], inner: ReadonlyMap<string, number>): StackCost[] =>
  rows.map((row) => {
    const inside = inner.get(stackKey(row.frames, row.layer, row.kind)) ?? 0;
    return inside > 0 ? { ...row, time_s: Math.max(0, row.time_s - inside) as StackCost["time_s"] } : row;
  });
