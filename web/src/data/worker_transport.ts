/** Requests to a worker: one at a time, abandoned ones are never started, endless ones end with it. */

import { SourceError } from "./interface";
import type { Transport } from "./remote";

/** What goes to the worker. */
export type ToWorker =
  | { readonly open: true; readonly wasm: string; readonly pack: string }
  | { readonly id: number; readonly request: string };
/** What comes back; `answer` is in the wire format. */
export type FromWorker =
  { readonly id: number; readonly answer: ArrayBuffer } | { readonly id: number; readonly failure: string };

interface Waiting {
  readonly request: string;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds that it may run; null: it ends by itself, and is waited for. */
  readonly limit_ms: number | null;
  readonly done: (answer: ArrayBuffer) => void;
  readonly failed: (reason: unknown) => void;
}

const aborted = (): DOMException => new DOMException("no longer wanted", "AbortError");

/** Answered by every worker once its data are there: what comes after it has its own time. */
const READY = JSON.stringify({ method: "describe" });

export class WorkerTransport implements Transport {
  #waiting: Waiting[] = [];
  #running: Waiting | null = null;
  #nextId = 1;
  #failure: string | null = null;
  #worker: Worker;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #unwatch: () => void = () => undefined;

  /**
   * `again`: a worker in the place of one that had to be ended, which opens the same data; null: none is ever ended.
   */
  constructor(
    worker: Worker,
    private readonly again: (() => Worker) | null = null,
  ) {
    this.#worker = this.#listened(worker);
  }

  /**
   * `limit_ms`: a request that runs longer is ended with its worker, since nothing else
   * stops a computation in one; so is one that `signal` gives up.
   */
  send(request: string, signal?: AbortSignal, limit_ms: number | null = null): Promise<ArrayBuffer> {
    if (this.#failure !== null) return Promise.reject(new SourceError(this.#failure));
    if (signal?.aborted) return Promise.reject(aborted());
    return new Promise((done, failed) => {
      this.#waiting.push({ request, signal, limit_ms: this.again === null ? null : limit_ms, done, failed });
      this.#startNext();
    });
  }

  close(): void {
    this.#worker.terminate();
    this.#fail("The source was closed.");
  }

  #listened(worker: Worker): Worker {
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#answered(data);
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(event.message || "The decoder of the calls could not be started in this browser.");
    };
    return worker;
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
      this.#watch(next);
      this.#worker.postMessage({ id: this.#nextId, request: next.request } satisfies ToWorker);
      return;
    }
  }

  /** Ends what runs too long, or is given up while it runs. */
  #watch({ limit_ms, signal }: Waiting): void {
    if (limit_ms === null) return;
    const seconds = Math.round(limit_ms / 1000);
    const giveUp = (): void => this.#restart(aborted());
    this.#timer = setTimeout(
      () =>
        this.#restart(
          new SourceError(
            `The query was ended after ${seconds} s, the limit in a browser. \`diya sql LOG 'select …'\` in ` +
              "a terminal has more time and all processors.",
          ),
        ),
      limit_ms,
    );
    signal?.addEventListener("abort", giveUp, { once: true });
    this.#unwatch = () => signal?.removeEventListener("abort", giveUp);
  }

  #unwatched(): void {
    clearTimeout(this.#timer);
    this.#unwatch();
    this.#unwatch = () => undefined;
  }

  #restart(reason: unknown): void {
    const stopped = this.#running;
    if (stopped === null || this.again === null) return;
    this.#unwatched();
    this.#worker.onmessage = null;
    this.#worker.terminate();
    this.#running = null;
    this.#nextId += 1;
    this.#worker = this.#listened(this.again());
    this.#waiting.unshift({
      request: READY,
      signal: undefined,
      limit_ms: null,
      done: () => undefined,
      failed: () => undefined,
    });
    stopped.failed(reason);
    this.#startNext();
  }

  #answered(message: FromWorker): void {
    if (message.id === 0 && "failure" in message) return this.#fail(message.failure);
    if (message.id !== this.#nextId || this.#running === null) return;
    this.#unwatched();
    const { done, failed, signal } = this.#running;
    this.#running = null;
    this.#nextId += 1;
    if ("failure" in message) failed(new SourceError(message.failure));
    else if (signal?.aborted) failed(aborted());
    else done(message.answer);
    this.#startNext();
  }

  #fail(reason: string): void {
    this.#unwatched();
    this.#failure = reason;
    for (const one of [this.#running, ...this.#waiting]) one?.failed(new SourceError(reason));
    this.#running = null;
    this.#waiting = [];
  }
}
