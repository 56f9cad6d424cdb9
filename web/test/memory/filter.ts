/** Which calls of a store a filter leaves, and the parts that several answers share. */

import type { CallColumns, CallFilter, Kind } from "../../src/data/interface";
import { KINDS } from "../../src/data/interface";
import type { Store } from "./timeline";

/** Code of the kind of each call. */
export function kindCodes({ description, calls }: Store): Uint8Array {
  const ofOp = description.op_kinds.map((kind) => KINDS.indexOf(kind));
  return Uint8Array.from(calls.op, (op) => ofOp[op] ?? 0);
}

export function kindOf(store: Store, call: number): Kind {
  return store.description.op_kinds[store.calls.op[call] ?? 0] ?? "metadata";
}

/** Bytes of a call by target, split at stripe edges; whole stripes round robin from target 0. */
export function splitAtStripes(store: Store, call: number): Map<number, number> {
  const { calls, description } = store;
  const file = description.files[calls.file[call] ?? -1];
  const offset = calls.offset_bytes[call] ?? Number.NaN;
  const size = calls.size_bytes[call] ?? Number.NaN;
  const onTarget = new Map<number, number>();
  if (!file?.stripe_bytes || !file.stripe_count || !(size > 0) || Number.isNaN(offset)) return onTarget;
  for (let at = offset; at < offset + size;) {
    const stripe = Math.floor(at / file.stripe_bytes);
    const end = Math.min(offset + size, (stripe + 1) * file.stripe_bytes);
    const target = stripe % file.stripe_count;
    onTarget.set(target, (onTarget.get(target) ?? 0) + end - at);
    at = end;
  }
  return onTarget;
}

/** Indices of the calls that count, in the order of the store. */
export function matching(store: Store, filter: CallFilter): number[] {
  const { calls, description } = store;
  const tracks = filter.tracks && new Set<number>(filter.tracks);
  const files = filter.files && new Set<number>(filter.files);
  const layers = filter.layers && new Set(filter.layers);
  const kinds = filter.kinds && new Set(filter.kinds);
  const from = filter.start_s ?? Number.NEGATIVE_INFINITY;
  const to = filter.end_s ?? Number.POSITIVE_INFINITY;
  const found: number[] = [];
  for (let at = 0; at < calls.count; at += 1) {
    if ((calls.start_s[at] ?? 0) >= to || (calls.end_s[at] ?? 0) < from) continue;
    if (filter.log !== null && description.tracks.log[calls.track[at] ?? 0] !== filter.log) continue;
    if (tracks && !tracks.has(calls.track[at] ?? -1)) continue;
    if (files && !files.has(calls.file[at] ?? -1)) continue;
    if (layers && !layers.has(description.layers[calls.layer[at] ?? 0] ?? "")) continue;
    if (kinds && !kinds.has(kindOf(store, at))) continue;
    if (
      filter.functions &&
      !filter.functions.includes(
        description.functions[calls.function[at] ?? -1] ?? description.ops[calls.op[at] ?? 0] ?? "",
      )
    )
      continue;
    if (filter.regions || filter.steps) continue; // none of these traces has any
    if (filter.errors && !filter.errors.includes(description.errors[store.errors[at] ?? -1] ?? "")) continue;
    if (filter.longer_s && (calls.end_s[at] ?? 0) - (calls.start_s[at] ?? 0) <= filter.longer_s) continue;
    const size = calls.size_bytes[at] ?? Number.NaN;
    if (filter.least_bytes && !(size >= filter.least_bytes)) continue;
    if (filter.below_bytes && !(size < filter.below_bytes)) continue;
    if (filter.frame && !store.stacks.get(calls.stack[at] ?? -1)?.includes(filter.frame)) continue;
    if (filter.targets) {
      const split = splitAtStripes(store, at);
      if (!filter.targets.some((target) => split.has(target))) continue;
    }
    found.push(at);
  }
  return found;
}

/** Rows of a table of calls, in the given order. */
export function pick(calls: CallColumns, rows: readonly number[], count_in_all: number): CallColumns {
  const take = <Column extends Uint8Array | Uint32Array | Int32Array | Float64Array>(column: Column): Column => {
    const make = column.constructor as new (count: number) => Column;
    const taken = new make(rows.length);
    rows.forEach((row, at) => (taken[at] = column[row] ?? 0));
    return taken;
  };
  return {
    count: rows.length,
    count_in_all,
    index: take(calls.index),
    track: take(calls.track),
    layer: take(calls.layer),
    op: take(calls.op),
    file: take(calls.file),
    function: take(calls.function),
    offset_bytes: take(calls.offset_bytes),
    size_bytes: take(calls.size_bytes),
    start_s: take(calls.start_s),
    end_s: take(calls.end_s),
    calls: take(calls.calls),
    parent: take(calls.parent),
    stack: take(calls.stack),
    thread: take(calls.thread),
    is_collective: take(calls.is_collective),
  };
}
