/** Fingers on a picture over time: one scrolls, two zoom and pan, a long press selects. */

import { cssPixels } from "../../base/units";
import type { LanePoint } from "../../model/lane";
import type { PointerActions } from "./pointerActions";

/** A finger that rests as long begins a selection, milliseconds. */
const LONG_PRESS_MS = 450;
/** A finger that moves farther before that scrolls. */
const REST_PIXELS = 8;

export interface Fingers {
  down(event: PointerEvent): void;
  move(event: PointerEvent): void;
  up(event: PointerEvent): void;
  cancel(event: PointerEvent): void;
  /** The picture goes away. */
  end(): void;
}

const between = (a: LanePoint, b: LanePoint): { middle: LanePoint; apart: number } => ({
  middle: { x: cssPixels((a.x + b.x) / 2), y: cssPixels((a.y + b.y) / 2) },
  apart: Math.max(12, Math.hypot(a.x - b.x, a.y - b.y)),
});

export function touches(
  element: HTMLElement,
  place: (event: PointerEvent) => LanePoint,
  actions: () => PointerActions,
): Fingers {
  const down = new Map<number, LanePoint>();
  let start: LanePoint | null = null;
  let selected: LanePoint | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The browser scrolls with one finger, up and down, unless the finger selects. */
  const hold = (event: TouchEvent): void => {
    if (selected !== null || down.size > 1) event.preventDefault();
  };
  element.addEventListener("touchmove", hold, { passive: false });
  const forget = (event: PointerEvent): void => {
    clearTimeout(timer);
    down.delete(event.pointerId);
    start = selected = null;
  };
  return {
    down(event) {
      down.set(event.pointerId, place(event));
      clearTimeout(timer);
      start = down.size === 1 ? place(event) : null;
      if (start)
        timer = setTimeout(() => {
          selected = start;
          if (selected) actions().onarea?.(selected, selected, false);
        }, LONG_PRESS_MS);
    },
    move(event) {
      const before = down.get(event.pointerId);
      if (before === undefined) return;
      const now = place(event);
      const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
      down.set(event.pointerId, now);
      if (other !== undefined) {
        const [was, is] = [between(before, other), between(now, other)];
        actions().onzoom?.(is.middle, was.apart / is.apart, false);
        actions().onpan?.(cssPixels(is.middle.x - was.middle.x), cssPixels(is.middle.y - was.middle.y));
      } else if (selected !== null) actions().onarea?.(selected, now, false);
      else if (start !== null && Math.hypot(now.x - start.x, now.y - start.y) > REST_PIXELS) {
        clearTimeout(timer);
        if (Math.abs(now.x - before.x) > 0) actions().onpan?.(cssPixels(now.x - before.x), cssPixels(0));
      }
    },
    up(event) {
      const now = place(event);
      if (selected !== null) actions().onarea?.(selected, now, true);
      else if (start !== null && Math.hypot(now.x - start.x, now.y - start.y) <= REST_PIXELS) actions().onclick?.(now);
      forget(event);
    },
    cancel: forget,
    end: () => element.removeEventListener("touchmove", hold),
  };
}
