/** Requests to the decoder in a worker: one at a time, abandoned ones are never started. */

import { SourceError } from "./interface";
import type { Transport } from "./remote";

/** What goes to the worker. */
export type ToWorker =
  | { readonly open: true; readonly wasm: string; readonly pack: string }
  | { readonly id: number; readonly request: string };
/** What comes back; `answer` is in the wire format. */
export type FromWorker = { readonly id: number; readonly answer: ArrayBuffer } | { readonly id: number; readonly failure: string };

interface Waiting {
  readonly request: string;
  readonly signal: AbortSignal | undefined;
  readonly done: (answer: ArrayBuffer) => void;
  readonly failed: (reason: unknown) => void;
}

const aborted = (): DOMException => new DOMException("no longer wanted", "AbortError");

export class WorkerTransport implements Transport {
  #waiting: Waiting[] = [];
  #running: Waiting | null = null;
  #nextId = 1;
  #failure: string | null = null;

  constructor(private readonly worker: Worker) {
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#answered(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(event.message || "The decoder of the calls could not be started in this browser.");
    };
  }

  send(request: string, signal?: AbortSignal): Promise<ArrayBuffer> {
    if (this.#failure !== null) return Promise.reject(new SourceError(this.#failure));
    if (signal?.aborted) return Promise.reject(aborted());
    return new Promise((done, failed) => {
      this.#waiting.push({ request, signal, done, failed });
      this.#startNext();
    });
  }

  close(): void {
    this.worker.terminate();
    this.#fail("The source was closed.");
  }

  #startNext(): void {
    if (this.#running !== null) return;
    for (;;) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      if (next.signal?.aborted) {
        next.failed(aborted());
        continue;
      }
      this.#running = next;
      this.worker.postMessage({ id: this.#nextId, request: next.request } satisfies ToWorker);
      return;
    }
  }

  #answered(message: FromWorker): void {
    if (message.id === 0 && "failure" in message) return this.#fail(message.failure);
    if (message.id !== this.#nextId || this.#running === null) return;
    const { done, failed, signal } = this.#running;
    this.#running = null;
    this.#nextId += 1;
    if ("failure" in message) failed(new SourceError(message.failure));
    else if (signal?.aborted) failed(aborted());
    else done(message.answer);
    this.#startNext();
  }

  #fail(reason: string): void {
    this.#failure = reason;
    for (const one of [this.#running, ...this.#waiting]) one?.failed(new SourceError(reason));
    this.#running = null;
    this.#waiting = [];
  }
}
