/**
 * The views as their folders declare them, in the order of the tabs: a folder with its `view.ts` is in the list.
 *
 * In src/app, since nothing below may know all views; without their components, which tests in node cannot read.
 */

import type { DeclaredView, NamedView } from "../model/declared_view";

const FILES = import.meta.glob<DeclaredView>("../views/*/view.ts", { eager: true, import: "view" });

export const DECLARED: readonly NamedView[] = Object.entries(FILES)
  .map(([path, view]) => ({ ...view, id: path.split("/").at(-2) ?? "" }))
  .sort((a, b) => a.place - b.place);
