/** The row of kinds: names of colours, and the filter of the calls. */

import type { Kind } from "../base/kinds";

/** The first click narrows to a kind, further ones add and remove; all or none of them narrows nothing: null. */
export function toggledKinds(selected: readonly Kind[] | null, kind: Kind, all: readonly Kind[]): readonly Kind[] | null {
  const before = selected ?? [];
  const next = all.filter((one) => (one === kind ? !before.includes(one) : before.includes(one)));
  return next.length === 0 || next.length === all.length ? null : next;
}
