/** Answers of the server that follow the filter: one question after the other, and none that nobody waits for. */

import type { MetricTable } from "../data/report";
import type { Head, Totals } from "./model/head";
import type { JobFilter, Jobs } from "./model/jobs";
import type { FleetServer } from "./server";

/** Questions at a time: more would only wait in the server. */
const AT_ONCE = 2;
/** Until somebody has typed. */
const PAUSE_MS = 250;

export class Live {
  tables: Readonly<Record<string, MetricTable>> = $state.raw({});
  errors: Readonly<Record<string, string>> = $state.raw({});
  /** Questions without the answer for the filter of now. */
  waiting: ReadonlySet<string> = $state.raw(new Set());
  /** Where not all jobs are in the page: those of the filter. */
  found: { readonly jobs: Jobs; readonly totals: Totals } | null = $state.raw(null);
  #pause: ReturnType<typeof setTimeout> | undefined;
  #given = new AbortController();

  constructor(
    private readonly server: FleetServer,
    private readonly head: Head,
    /** Whether the table lacks jobs of the dataset. */
    private readonly isCut: boolean,
  ) {}

  follow(filter: JobFilter): void {
    clearTimeout(this.#pause);
    this.#given.abort();
    this.#given = new AbortController();
    const { signal } = this.#given;
    this.waiting = new Set(this.head.questions.map(({ name }) => name));
    this.#pause = setTimeout(() => void this.#all(filter, signal), PAUSE_MS);
  }

  async #all(filter: JobFilter, signal: AbortSignal): Promise<void> {
    if (this.isCut) {
      const found = await this.server.jobs(filter, signal).catch(() => null);
      if (signal.aborted) return;
      if (found !== null) this.found = found;
    }
    const left = this.head.questions.map(({ name }) => name);
    const work = async (): Promise<void> => {
      for (let name = left.shift(); name !== undefined && !signal.aborted; name = left.shift())
        await this.#one(name, filter, signal);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  async #one(name: string, filter: JobFilter, signal: AbortSignal): Promise<void> {
    try {
      const table = await this.server.answer(name, filter, signal);
      if (signal.aborted) return;
      this.tables = { ...this.tables, [name]: table };
      const { [name]: _, ...errors } = this.errors;
      this.errors = errors;
    } catch (reason) {
      if (signal.aborted) return;
      const { [name]: _, ...tables } = this.tables;
      this.tables = tables;
      this.errors = { ...this.errors, [name]: reason instanceof Error ? reason.message : String(reason) };
    }
    this.waiting = new Set([...this.waiting].filter((one) => one !== name));
  }
}
