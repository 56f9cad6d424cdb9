/** An answer of the source that follows what is shown; the latest question wins. */

import type { Resource } from "./answers.svelte";
import { Answers } from "./answers.svelte";

/**
 * `ask` runs again when what it reads before its first pause changes; null:
 * nothing to ask. To be called while a component is made.
 */
export function resource<Answer>(ask: (signal: AbortSignal) => Promise<Answer> | null): Resource<Answer> {
  const answers = new Answers<Answer>();
  $effect(() => {
    const controller = new AbortController();
    const answer = ask(controller.signal);
    if (answer === null) {
      [answers.value, answers.isWaiting, answers.error] = [null, false, null];
      return undefined;
    }
    answers.isWaiting = true;
    const unlessGivenUp =
      <Part>(take: (part: Part) => void) =>
      (part: Part): void => {
        if (controller.signal.aborted) return;
        answers.isWaiting = false;
        take(part);
      };
    answer.then(
      unlessGivenUp((found: Answer) => answers.found(found)),
      unlessGivenUp((reason: unknown) => answers.failed(reason)),
    );
    return () => controller.abort();
  });
  return answers;
}
