/** The row of kinds: names of colours, and the filter of the calls. */

import { classOfOp, type Kind } from "../base/kinds";
import { text } from "../base/text";
import type { Description } from "../data/interface";
import { layersBelow } from "./own_time";

/** The first click narrows to a kind, further ones add and remove; all or none of them narrows nothing: null. */
export function toggledKinds(
  selected: readonly Kind[] | null,
  kind: Kind,
  all: readonly Kind[],
): readonly Kind[] | null {
  const before = selected ?? [];
  const next = all.filter((one) => (one === kind ? !before.includes(one) : before.includes(one)));
  return next.length === 0 || next.length === all.length ? null : next;
}

const isSync = (op: string): boolean => classOfOp(op) === "sync";

/** A kind by the name of what the log holds of it: only syncs are `sync`, as in the time account. */
export function kindName(
  kind: Kind,
  { ops, op_kinds, layers }: Pick<Description, "ops" | "op_kinds" | "layers">,
): string {
  const waits = ops.filter((_, at) => op_kinds[at] === "wait");
  // lanes of libraries have waits of their own
  const isParted = layers.some((layer) => layersBelow(layer, layers).length > 0);
  if (kind !== "wait" || isParted || waits.length === 0) return text.kinds[kind];
  return waits.every(isSync) ? text.onlySyncs : waits.some(isSync) ? text.kinds.wait : text.kindsShort.wait;
}
