/**
 * The box beside the pointer that says what is under it: one for the whole page.
 *
 * It is an element of its own at the end of the page, as pictures cut off what reaches over their edge. It repeats
 * what summaries, tables and the panel of a call say, so screen readers pass over it.
 */

/** Lines for a place in the element, pixels from its left and upper edge; none: no box. */
export type TipLines = (x: number, y: number) => readonly string[];

const AWAY = 14;

let box: HTMLElement | null = null;

function shownBox(): HTMLElement {
  if (box?.isConnected) return box;
  box = document.createElement("div");
  box.className = "pointer-tip";
  box.setAttribute("aria-hidden", "true");
  document.body.append(box);
  return box;
}

function show(lines: readonly string[], x: number, y: number): void {
  const tip = shownBox();
  tip.hidden = lines.length === 0;
  if (tip.hidden) return;
  tip.replaceChildren(
    ...lines.map((line) => {
      const p = document.createElement("p");
      p.textContent = line;
      return p;
    }),
  );
  // Left of the pointer, or above it, where it would leave the window.
  const { offsetWidth, offsetHeight } = tip;
  const left = x + AWAY + offsetWidth > innerWidth ? x - AWAY - offsetWidth : x + AWAY;
  const top = y + AWAY + offsetHeight > innerHeight ? y - AWAY - offsetHeight : y + AWAY;
  tip.style.left = `${Math.max(0, left)}px`;
  tip.style.top = `${Math.max(0, top)}px`;
}

/** Svelte action. Nothing is shown while a button is down: then the pointer selects. */
export function tip(element: Element, lines: TipLines): { update(next: TipLines): void; destroy(): void } {
  let current = lines;
  let at: { readonly x: number; readonly y: number } | null = null;
  const render = (): void => {
    if (at === null) return;
    const edge = element.getBoundingClientRect();
    show(current(at.x - edge.left, at.y - edge.top), at.x, at.y);
  };
  const hide = (): void => {
    if (at === null) return;
    at = null;
    if (box) box.hidden = true;
  };
  const move = (event: Event): void => {
    const { clientX, clientY, buttons, pointerType } = event as PointerEvent;
    if (buttons !== 0 || pointerType === "touch") return hide();
    at = { x: clientX, y: clientY };
    render();
  };
  const listeners = [
    ["pointermove", move],
    ["pointerleave", hide],
    ["pointerdown", hide],
  ] as const;
  for (const [name, listener] of listeners) element.addEventListener(name, listener);
  return {
    update(next) {
      current = next;
      render(); // the answer about the call under the pointer comes later than the pointer
    },
    destroy() {
      hide();
      for (const [name, listener] of listeners) element.removeEventListener(name, listener);
    },
  };
}
