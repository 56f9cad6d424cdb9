/**
 * Answers for something that moves: one question at a time, and then the latest.
 *
 * Giving up a question whenever the view moves would answer none while it does; here
 * what comes back is shown at once, and the newest wish is asked next.
 */

import type { Resource } from "./answers.svelte";
import { Answers } from "./answers.svelte";

/** Between two questions while the view moves: what moves must not share the processors with too many of them. */
const REST_MS = 120;

/**
 * `wish` runs again when what it reads changes; null: what is shown will do. To be called while a component is made.
 */
export function latest<Answer>(wish: () => (() => Promise<Answer>) | null): Resource<Answer> {
  const answers = new Answers<Answer>();
  let next: (() => Promise<Answer>) | null = null;
  let isRunning = false;
  let isGone = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (next !== null && !isGone) {
      const ask = next;
      next = null;
      answers.isWaiting = true;
      try {
        const found = await ask();
        if (!isGone) answers.found(found);
      } catch (reason) {
        if (!isGone) answers.failed(reason);
      }
      answers.isWaiting = next !== null;
      if (next !== null) await new Promise((done) => setTimeout(done, REST_MS));
    }
    isRunning = false;
    answers.isWaiting = false;
  }
  $effect(() => {
    next = wish();
    if (next !== null && !isRunning) void run();
  });
  $effect(() => () => void (isGone = true));
  return answers;
}
