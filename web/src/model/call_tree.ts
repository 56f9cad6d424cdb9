/** The call tree as rows of a table: children under their callers. */

import type { Kind } from "../base/kinds";
import type { CallTree, StackCosts } from "../data/interface";

/** Rows from top to bottom and how deep each stands; the most time first among brothers. */
export function treeOrder(
  tree: CallTree,
  collapsed: ReadonlySet<number>,
): { readonly row: number; readonly depth: number; readonly hasChildren: boolean }[] {
  const children = new Map<number, number[]>();
  tree.parent.forEach((parent, row) => {
    const list = children.get(parent);
    if (list) list.push(row);
    else children.set(parent, [row]);
  });
  const order: { row: number; depth: number; hasChildren: boolean }[] = [];
  const visit = (parent: number, depth: number): void => {
    const rows = [...(children.get(parent) ?? [])].sort(
      (a, b) => (tree.inclusive_s[b] ?? 0) - (tree.inclusive_s[a] ?? 0),
    );
    for (const row of rows) {
      const hasChildren = children.has(row);
      order.push({ row, depth, hasChildren });
      if (hasChildren && !collapsed.has(row)) visit(row, depth + 1);
    }
  };
  visit(-1, 0);
  return order;
}

/**
 * The frame that a person looks for: the innermost one with a source line, as `main.c:12 write_all`.
 * Libraries rarely have any, so it mostly lies in the program. null: an empty stack.
 */
export const ownFrame = (frames: readonly string[]): string | null =>
  frames.find((frame) => /:\d+( |$)/.test(frame)) ?? frames[0] ?? null;

/** What one place in the program costs in one layer and kind: all stacks that lead through it. */
export interface PlaceCost {
  /** null: the stack is empty. */
  readonly place: string | null;
  readonly layer: string;
  readonly kind: Kind;
  readonly calls: number;
  readonly bytes: number;
  readonly time_s: number;
  /** The costliest first. */
  readonly stacks: StackCosts["rows"];
}

/** Most time first. */
export function placeCosts(rows: StackCosts["rows"]): PlaceCost[] {
  const groups = new Map<string, StackCosts["rows"][number][]>();
  for (const row of rows) {
    const key = JSON.stringify([ownFrame(row.frames), row.layer, row.kind]);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const sum = (stacks: StackCosts["rows"], of: "calls" | "bytes" | "time_s"): number =>
    stacks.reduce((all, row) => all + row[of], 0);
  const places = [...groups.values()].flatMap((stacks) => {
    const [first] = stacks;
    if (first === undefined) return [];
    return [
      {
        place: ownFrame(first.frames),
        layer: first.layer,
        kind: first.kind,
        calls: sum(stacks, "calls"),
        bytes: sum(stacks, "bytes"),
        time_s: sum(stacks, "time_s"),
        stacks: [...stacks].sort((a, b) => b.time_s - a.time_s),
      },
    ];
  });
  return places.sort((a, b) => b.time_s - a.time_s);
}
