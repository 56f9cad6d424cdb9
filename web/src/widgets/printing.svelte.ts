/** Paper shows everything at once, on white: what is drawn for the screen is drawn anew just before. */

import { flushSync } from "svelte";

/**
 * Calls back when printing begins and ends, and waits for the drawing: a browser takes the page
 * right after `beforeprint`. Some only change the medium. The answer ends that.
 */
export function onPrinting(change: (isPrinting: boolean) => void): () => void {
  const set = (isPrinting: boolean) => (): void => {
    change(isPrinting);
    flushSync();
  };
  const [begins, ends] = [set(true), set(false)];
  const medium = matchMedia("print");
  const follow = (): void => (medium.matches ? begins : ends)();
  addEventListener("beforeprint", begins);
  addEventListener("afterprint", ends);
  medium.addEventListener("change", follow);
  return () => {
    removeEventListener("beforeprint", begins);
    removeEventListener("afterprint", ends);
    medium.removeEventListener("change", follow);
  };
}

/** To be called while a component is made. */
export function printing(): { readonly isOn: boolean } {
  let isOn = $state(false);
  $effect(() => onPrinting((value) => (isOn = value)));
  return {
    get isOn() {
      return isOn;
    },
  };
}
