/** What a picture over time does when a pointer or a finger acts on it. */

import type { CssPixels } from "../../base/units";
import type { LanePoint } from "../../model/lane";

export interface PointerActions {
  /** The pointer rests or moves without a button. null: it left. */
  onhover?(place: LanePoint | null): void;
  onclick?(place: LanePoint): void;
  /** While dragging, `isDone` at the end. */
  onarea?(from: LanePoint, to: LanePoint, isDone: boolean): void;
  /** Dragging with Shift or the middle button, a horizontal wheel, two fingers; in pixels since the last call. */
  onpan?(dx: CssPixels, dy: CssPixels): void;
  /** Wheel or two fingers; `factor` below 1 zooms in. With Alt: ranks instead of time. */
  onzoom?(at: LanePoint, factor: number, isTracks: boolean): void;
  /** Nothing lies outside of what is visible: a wheel that would zoom out scrolls the page. */
  isWhole?(): boolean;
}
