/** The views in the order of the navigation: one line each. */

import type { Component } from "svelte";
import type { Page } from "../widgets/page.svelte";
import Calls from "../views/calls/Calls.svelte";
import Compare from "../views/compare/Compare.svelte";
import Diagnosis from "../views/diagnosis/Diagnosis.svelte";
import Files from "../views/files/Files.svelte";
import Phases from "../views/phases/Phases.svelte";
import Ranks from "../views/ranks/Ranks.svelte";
import Source from "../views/source/Source.svelte";
import Tables from "../views/tables/Tables.svelte";
import Targets from "../views/targets/Targets.svelte";
import Timeline from "../views/timeline/Timeline.svelte";
import Transfer from "../views/transfer/Transfer.svelte";
import { text } from "../base/text";

export interface View {
  readonly id: string;
  readonly name: string;
  readonly component: Component<{ page: Page }>;
}

export const VIEWS: readonly View[] = [
  { id: "diagnosis", name: text.views.diagnosis, component: Diagnosis },
  { id: "timeline", name: text.views.timeline, component: Timeline },
  { id: "files", name: text.views.files, component: Files },
  { id: "ranks", name: text.views.ranks, component: Ranks },
  { id: "phases", name: text.views.phases, component: Phases },
  { id: "transfer", name: text.views.transfer, component: Transfer },
  { id: "targets", name: text.views.targets, component: Targets },
  { id: "calls", name: text.views.calls, component: Calls },
  { id: "source", name: text.views.source, component: Source },
  { id: "compare", name: text.views.compare, component: Compare },
  { id: "tables", name: text.views.tables, component: Tables },
];
