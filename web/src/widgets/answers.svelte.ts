/**
 * The state of a question that is asked again and again: the last answer, whether one is on its way, what went wrong.
 */

import { SourceError } from "../base/errors";

export interface Resource<Answer> {
  /** The last answer: stays while the next one is on its way. */
  readonly value: Answer | null;
  readonly isWaiting: boolean;
  /** In words for the user. */
  readonly error: string | null;
}

export class Answers<Answer> implements Resource<Answer> {
  value = $state.raw<Answer | null>(null);
  isWaiting = $state(false);
  error = $state<string | null>(null);

  found(value: Answer): void {
    [this.value, this.error] = [value, null];
  }

  failed(reason: unknown): void {
    this.error = reason instanceof SourceError ? reason.message : String(reason);
  }
}
