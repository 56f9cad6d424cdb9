/** The call tree as rows of a table: children under their callers. */

import type { CallTree } from "../data/interface";

/** Rows from top to bottom and how deep each stands; the most time first among brothers. */
export function treeOrder(tree: CallTree, collapsed: ReadonlySet<number>): { readonly row: number; readonly depth: number; readonly hasChildren: boolean }[] {
  const children = new Map<number, number[]>();
  tree.parent.forEach((parent, row) => {
    const list = children.get(parent);
    if (list) list.push(row);
    else children.set(parent, [row]);
  });
  const order: { row: number; depth: number; hasChildren: boolean }[] = [];
  const visit = (parent: number, depth: number): void => {
    const rows = [...(children.get(parent) ?? [])].sort((a, b) => (tree.inclusive_s[b] ?? 0) - (tree.inclusive_s[a] ?? 0));
    for (const row of rows) {
      const hasChildren = children.has(row);
      order.push({ row, depth, hasChildren });
      if (hasChildren && !collapsed.has(row)) visit(row, depth + 1);
    }
  };
  visit(-1, 0);
  return order;
}
