/** The way into the timeline: what is shown lies in the middle of the picture, and pulses once. */

import { EVIDENCE_MARGIN, evidenceRoute } from "../model/diagnosis";
import { activeSpan, FRAME_CELLS, isNearlyAll } from "../model/frame";
import { withView } from "../model/navigate";
import type { Route, Selection } from "../model/route";
import type { TimeWindow } from "../model/time_axis";
import { withMargin } from "../model/time_axis";
import { filterOf, wholeWindow } from "../model/route";
import type { Page } from "./page.svelte";

/** Opens a route; where it is the timeline and has no time of its own, the calls say when. */
export async function showRoute(page: Page, route: Route): Promise<void> {
  page.jump(route);
  page.pulses += 1;
  page.wideEvidence = null;
  if (route.view !== "timeline" || route.options.has("timeline.view")) return;
  const whole = wholeWindow(page.description);
  const part = await spanOf(page, route.selection, whole);
  if (part === null || page.route.view !== "timeline" || page.option("timeline.view") !== null) return;
  if (isNearlyAll(part, whole)) page.wideEvidence = part;
  else page.go(withView(page.route, withMargin(part, whole, EVIDENCE_MARGIN)), false);
}

/** From the first to the last call of a selection: found over the whole run, then exactly. */
async function spanOf(page: Page, selection: Selection, whole: TimeWindow): Promise<TimeWindow | null> {
  const inside = async (window: TimeWindow | null): Promise<TimeWindow | null> => {
    if (window === null) return null;
    const asked = { ...filterOf(selection, page.description), start_s: window.start, end_s: window.end };
    return activeSpan(await page.source.activity(asked, FRAME_CELLS), window);
  };
  return inside(await inside(whole));
}

/** A selection in the timeline. */
export const showInTimeline = (page: Page, selection: Selection): Promise<void> =>
  showRoute(page, evidenceRoute(selection, page.description));
