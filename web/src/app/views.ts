/** The views with their components: `views/ranks/Ranks.svelte` shows what `views/ranks/view.ts` declares. */

import type { Component } from "svelte";
import type { NamedView } from "../model/declared_view";
import type { Page } from "../widgets/page.svelte";
import { DECLARED } from "./declared";

export interface View extends NamedView {
  readonly component: Component<{ page: Page }>;
}

type Module = { readonly default: Component<{ page: Page }> };

const COMPONENTS = import.meta.glob<Module>("../views/*/*.svelte", { eager: true });

export const VIEWS: readonly View[] = DECLARED.map((view) => {
  const file = `${view.id[0]?.toUpperCase()}${view.id.slice(1)}.svelte`;
  const module = COMPONENTS[`../views/${view.id}/${file}`];
  if (module === undefined) throw new Error(`views/${view.id} has no ${file}`);
  return { ...view, component: module.default };
});
