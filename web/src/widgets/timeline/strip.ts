/** What a strip of the timeline is given. */

import type { TimeWindow } from "../../model/time_axis";
import type { Page } from "../page.svelte";

export interface StripProps {
  readonly page: Page;
  /** The time that is visible. */
  readonly view: TimeWindow;
  /** Width of the strip in CSS pixels. */
  readonly width: number;
}

/** Shares of the processes of a group in each kind of call (the planes of a summary); null: no group is there. */
export type SharesAt = (x: number, y: number) => readonly number[] | null;
