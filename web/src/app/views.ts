/**
 * The views, in the order of their names in `text.views`: that line registers one.
 *
 * A view is a folder: `views/ranks/Ranks.svelte` shows what `text.views.ranks` names.
 */

import type { Component } from "svelte";
import { text } from "../base/text";
import type { Page } from "../widgets/page.svelte";

export interface View {
  readonly id: string;
  readonly name: string;
  readonly component: Component<{ page: Page }>;
}

type Module = { readonly default: Component<{ page: Page }> };

const COMPONENTS = import.meta.glob<Module>("../views/*/*.svelte", { eager: true });

export const VIEWS: readonly View[] = Object.entries(text.views).map(([id, name]) => {
  const module = COMPONENTS[`../views/${id}/${id[0]?.toUpperCase()}${id.slice(1)}.svelte`];
  if (module === undefined) throw new Error(`no folder views/${id} for the view “${name}”`);
  return { id, name, component: module.default };
});
