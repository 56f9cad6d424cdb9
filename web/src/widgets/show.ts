/** The way into the timeline: what is shown lies in the middle of the picture, and pulses once. */

import { evidenceRoute } from "../model/diagnosis";
import { FRAME_CELLS, framed } from "../model/frame";
import { withView } from "../model/navigate";
import type { Route, Selection } from "../model/route";
import { filterOf, wholeWindow } from "../model/route";
import type { Page } from "./page.svelte";

/** Opens a route; where it is the timeline and has no time of its own, the calls say when. */
export async function showRoute(page: Page, route: Route): Promise<void> {
  page.jump(route);
  page.pulses += 1;
  if (route.view !== "timeline" || route.options.has("timeline.view")) return;
  const whole = wholeWindow(page.description);
  const asked = { ...filterOf(route.selection, page.description), start_s: whole.start, end_s: whole.end };
  const part = framed(await page.source.activity(asked, FRAME_CELLS), whole);
  if (part && page.route.view === "timeline" && page.option("timeline.view") === null) page.go(withView(page.route, part), false);
}

/** A selection in the timeline. */
export const showInTimeline = (page: Page, selection: Selection): Promise<void> => showRoute(page, evidenceRoute(selection, page.description));
