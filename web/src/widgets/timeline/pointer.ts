/** What people do with pointer, wheel and fingers on a picture over time: one behaviour for all of them. */

import { cssPixels } from "../../base/units";
import type { LanePoint } from "../../model/lane";
import type { PointerActions } from "./pointerActions";
import { touches } from "./touch";

const CLICK_PIXELS = 4;
/** Turns of the wheel within this time are one movement, milliseconds. */
const WHEEL_MS = 400;
/** Pixels of a line, where a browser counts the wheel in lines. */
const LINE_PIXELS = 16;

/** Svelte action. */
export function pointer(
  element: HTMLElement,
  actions: PointerActions,
): { update(next: PointerActions): void; destroy(): void } {
  let current = actions;
  let from: LanePoint | null = null;
  let last: LanePoint | null = null;
  let isPan = false;
  let wheeled_ms = Number.NEGATIVE_INFINITY;
  const place = (event: { readonly clientX: number; readonly clientY: number }): LanePoint => {
    const box = element.getBoundingClientRect();
    return { x: cssPixels(event.clientX - box.left), y: cssPixels(event.clientY - box.top) };
  };
  const fingers = touches(element, place, () => current);
  const down = (event: PointerEvent): void => {
    if (event.pointerType === "touch") return fingers.down(event);
    if (event.button > 1) return;
    element.setPointerCapture(event.pointerId);
    from = last = place(event);
    isPan = event.button === 1 || event.shiftKey;
    if (event.button === 1) event.preventDefault();
  };
  const move = (event: PointerEvent): void => {
    if (event.pointerType === "touch") return fingers.move(event);
    const now = place(event);
    if (from === null || last === null) return current.onhover?.(now);
    if (isPan) current.onpan?.(cssPixels(now.x - last.x), cssPixels(now.y - last.y));
    else if (Math.hypot(now.x - from.x, now.y - from.y) > CLICK_PIXELS) current.onarea?.(from, now, false);
    last = now;
  };
  const up = (event: PointerEvent): void => {
    if (event.pointerType === "touch") return fingers.up(event);
    if (from === null) return;
    const now = place(event);
    if (Math.hypot(now.x - from.x, now.y - from.y) <= CLICK_PIXELS) current.onclick?.(now);
    else if (!isPan) current.onarea?.(from, now, true);
    from = last = null;
  };
  const cancel = (event: PointerEvent): void => {
    fingers.cancel(event);
    from = last = null;
  };
  const leave = (): void => current.onhover?.(null);
  const wheel = (event: WheelEvent): void => {
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PIXELS : 1;
    const [dx, dy] = [event.deltaX * pixels, event.deltaY * pixels];
    const isSideways = Math.abs(dx) > Math.abs(dy) || event.shiftKey;
    const isPinch = event.ctrlKey || event.metaKey; // browsers send a trackpad's pinch so
    const isNew = event.timeStamp - wheeled_ms > WHEEL_MS;
    if (!isSideways && !isPinch && isNew && dy > 0 && current.isWhole?.()) return;
    event.preventDefault();
    wheeled_ms = event.timeStamp;
    if (isSideways && !isPinch) return current.onpan?.(cssPixels(-(dx || dy)), cssPixels(0));
    const factor = Math.exp(Math.max(-0.4, Math.min(0.4, dy / (isPinch ? 120 : 360))));
    current.onzoom?.(place(event), factor, event.altKey);
  };
  const listeners: readonly (readonly [string, (event: never) => void])[] = [
    ["pointerdown", down],
    ["pointermove", move],
    ["pointerup", up],
    ["pointercancel", cancel],
    ["pointerleave", leave],
    ["wheel", wheel],
  ];
  for (const [name, listener] of listeners)
    element.addEventListener(name, listener as EventListener, { passive: false });
  return {
    update: (next) => void (current = next),
    destroy: () => {
      fingers.end();
      listeners.forEach(([name, listener]) => element.removeEventListener(name, listener as EventListener));
    },
  };
}
