/** What all pictures of the timeline share: page, calls, visible time, the pointer. */

import type { CssPixels } from "../../base/units";
import type { CallFilter } from "../../data/interface";
import type { TimeWindow } from "../../model/time_axis";
import type { Page } from "../../widgets/page.svelte";
import type { PointerActions } from "../../widgets/timeline/pointerActions";
import type { Arrangement } from "./arrangement.svelte";
import type { Pointing } from "./pointing.svelte";

export interface Frame {
  readonly page: Page;
  readonly filter: CallFilter;
  readonly view: TimeWindow;
  readonly width: CssPixels;
  readonly arrangement: Arrangement;
  readonly pointing: Pointing;
  /** What a pointer does in a picture of this height that has no rows of ranks. */
  readonly inTime: (height: number) => PointerActions;
}
