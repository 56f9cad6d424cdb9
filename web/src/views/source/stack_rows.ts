/** Costs of call stacks by own time: asks for the calls of libraries, and takes what lies inside of them off. */

import { callIndex } from "../../base/units";
import type { CallFilter, Description, LogSource } from "../../data/interface";
import type { StackCost } from "../../model/flame_own";
import { innerTimes, ownRows, stackKey } from "../../model/flame_own";
import { layersBelow } from "../../model/own_time";

export interface StackRows {
  readonly rows: readonly StackCost[];
  /** True: too many calls to look into each, so that calls of libraries hold those below. */
  readonly isNested: boolean;
}

/** Twenty columns of so many calls are 40 MB. */
const MOST_CALLS = 300_000;

export async function stackRows(
  source: LogSource,
  { layers, op_kinds, ops }: Description,
  filter: CallFilter,
  signal: AbortSignal,
): Promise<StackRows> {
  const { rows } = await source.stackCosts(filter, signal);
  const isOneLayer = layers.every((layer) => layersBelow(layer, layers).length === 0);
  if (rows.length === 0 || isOneLayer) return { rows, isNested: false };
  const calls = await source.calls(filter, "start", MOST_CALLS, signal);
  if (calls.count < calls.count_in_all) return { rows, isNested: true };
  const inner = new Map<string, number>();
  for (const { call, layer, op, inner_s } of innerTimes(calls)) {
    const { stack } = await source.call(callIndex(call));
    const key = stackKey(stack, layers[layer] ?? "", op_kinds[op] ?? ops[op] ?? "");
    inner.set(key, (inner.get(key) ?? 0) + inner_s);
  }
  return { rows: ownRows(rows, inner), isNested: false };
}
