/** What people do with the pointer on a picture over time: one behaviour for all of them. */

import type { CssPixels } from "../../base/units";
import { cssPixels } from "../../base/units";

export interface Place {
  readonly x: CssPixels;
  readonly y: CssPixels;
}

export interface PointerActions {
  /** The pointer rests or moves without a button. null: it left. */
  onhover?(place: Place | null): void;
  onclick?(place: Place): void;
  /** While dragging, `isDone` at the end. */
  onarea?(from: Place, to: Place, isDone: boolean): void;
  /** Dragging with Shift or the middle button; in pixels since the last call. */
  onpan?(dx: CssPixels, dy: CssPixels): void;
  /** Ctrl and wheel; `factor` below 1 zooms in. With Alt too: ranks instead of time. */
  onzoom?(at: Place, factor: number, isTracks: boolean): void;
}

const CLICK_PIXELS = 4;

/** Svelte action. */
export function pointer(element: HTMLElement, actions: PointerActions): { update(next: PointerActions): void; destroy(): void } {
  let current = actions;
  let from: Place | null = null;
  let last: Place | null = null;
  let isPan = false;
  const place = (event: MouseEvent): Place => {
    const box = element.getBoundingClientRect();
    return { x: cssPixels(event.clientX - box.left), y: cssPixels(event.clientY - box.top) };
  };
  const down = (event: PointerEvent): void => {
    if (event.button > 1) return;
    element.setPointerCapture(event.pointerId);
    from = last = place(event);
    isPan = event.button === 1 || event.shiftKey;
    if (event.button === 1) event.preventDefault();
  };
  const move = (event: PointerEvent): void => {
    const now = place(event);
    if (from === null || last === null) return current.onhover?.(now);
    if (isPan) current.onpan?.(cssPixels(now.x - last.x), cssPixels(now.y - last.y));
    else if (Math.hypot(now.x - from.x, now.y - from.y) > CLICK_PIXELS) current.onarea?.(from, now, false);
    last = now;
  };
  const up = (event: PointerEvent): void => {
    if (from === null) return;
    const now = place(event);
    if (Math.hypot(now.x - from.x, now.y - from.y) <= CLICK_PIXELS) current.onclick?.(now);
    else if (!isPan) current.onarea?.(from, now, true);
    from = last = null;
  };
  const cancel = (): void => void (from = last = null);
  const leave = (): void => current.onhover?.(null);
  const wheel = (event: WheelEvent): void => {
    if (!event.ctrlKey && !event.metaKey) return; // the page scrolls as everywhere
    event.preventDefault();
    const factor = Math.exp(Math.max(-0.4, Math.min(0.4, event.deltaY / 240)));
    current.onzoom?.(place(event), factor, event.altKey);
  };
  const listeners: readonly (readonly [string, (event: never) => void])[] = [
    ["pointerdown", down], ["pointermove", move], ["pointerup", up], ["pointercancel", cancel], ["pointerleave", leave], ["wheel", wheel],
  ];
  for (const [name, listener] of listeners) element.addEventListener(name, listener as EventListener, { passive: false });
  return {
    update: (next) => void (current = next),
    destroy: () => listeners.forEach(([name, listener]) => element.removeEventListener(name, listener as EventListener)),
  };
}
