/** What a view says about itself: its folder in src/views has a `view.ts`, which exports it as `view`. */

import type { Description } from "../data/interface";
import type { Report } from "../data/report";

/** What is known of a log when the tabs are drawn. */
export interface KnownLog {
  readonly description: Description;
  readonly report: Report;
  /** null: not known yet. */
  readonly hasStacks: boolean | null;
}

export interface DeclaredView {
  /** As its tab and the title of its page of the guide say. */
  readonly name: string;
  /** Tabs, keys 1 to 9 and the guide have the views in this order; gaps leave room for a view between two others. */
  readonly place: number;
  /** Why a log leaves it empty; null: it has something to show. Left out: so it is with every log. */
  readonly missing?: (log: KnownLog) => string | null;
}

/** A view in the list of all, named as its folder. */
export interface NamedView extends DeclaredView {
  readonly id: string;
}

/** What the guide shows of a view: `build/pictures.mjs` takes it, at a release. */
export interface GuidePicture {
  /** A page that scripts/guide-pictures.sh makes. */
  readonly page: "openpmd" | "before" | "after" | "stacks";
  /** Of the window, pixels. */
  readonly height: number;
  /** In the address of the page. */
  readonly options?: string;
  /** A page that is opened in the view, which asks for a file. */
  readonly opens?: GuidePicture["page"];
  /** Behind the id of the view in the name of the picture: for its second one. */
  readonly suffix?: string;
}

/** The page holds calls of the log, or a grid of them. */
export const hasCalls = ({ description }: KnownLog): boolean => description.holding.kind !== "none";

/** One of these tables of the report has rows. */
export const hasRows = ({ report }: KnownLog, ...names: readonly string[]): boolean =>
  names.some((name) => (report.metrics[name]?.rows.length ?? 0) > 0);
