/** An answer of the source that follows what is shown; the latest question wins. */

import { SourceError } from "../base/errors";

export interface Resource<Answer> {
  /** The last answer: stays while the next one is on its way. */
  readonly value: Answer | null;
  readonly isWaiting: boolean;
  /** In words for the user. */
  readonly error: string | null;
}

/**
 * `ask` runs again when what it reads before its first pause changes; null:
 * nothing to ask. To be called while a component is made.
 */
export function resource<Answer>(ask: (signal: AbortSignal) => Promise<Answer> | null): Resource<Answer> {
  let value = $state.raw<Answer | null>(null);
  let isWaiting = $state(false);
  let error = $state<string | null>(null);
  $effect(() => {
    const controller = new AbortController();
    const answer = ask(controller.signal);
    if (answer === null) {
      [value, isWaiting, error] = [null, false, null];
      return undefined;
    }
    isWaiting = true;
    answer.then(
      (found) => {
        if (!controller.signal.aborted) [value, isWaiting, error] = [found, false, null];
      },
      (reason: unknown) => {
        if (controller.signal.aborted) return;
        [isWaiting, error] = [false, reason instanceof SourceError ? reason.message : String(reason)];
      },
    );
    return () => controller.abort();
  });
  return {
    get value() {
      return value;
    },
    get isWaiting() {
      return isWaiting;
    },
    get error() {
      return error;
    },
  };
}
