/** What the page asks the server that it came from. */

import type { HttpTransport } from "../data/http";
import type { PackedTables } from "../data/packed_tables";
import { unpackedTables } from "../data/packed_tables";
import type { MetricTable } from "../data/report";
import { decodeAnswer } from "../data/wire";
import type { Head, Totals } from "./model/head";
import { parseHead, totalsOf } from "./model/head";
import type { JobFilter, Jobs } from "./model/jobs";
import { jobsOf } from "./model/jobs";

interface Answered {
  readonly head: Readonly<Record<string, unknown>> | null;
  readonly packed: PackedTables;
}

export class FleetServer {
  constructor(
    private readonly transport: HttpTransport,
    private readonly token: string,
  ) {}

  async #ask(request: object, signal?: AbortSignal): Promise<Answered> {
    return decodeAnswer(await this.transport.send(JSON.stringify(request), signal)) as Answered;
  }

  /** The dataset, or the folder, as it is now. */
  async open(): Promise<{ head: Head; jobs: Jobs; judged: number }> {
    const { head, packed } = await this.#ask({ method: "head" });
    return { head: parseHead(head), jobs: jobsOf(packed), judged: Number(head?.judged ?? 0) };
  }

  /** The jobs of a folder; null: no more than `known` are judged. */
  async judged(known: number): Promise<{ jobs: Jobs; judged: number } | null> {
    const { head, packed } = await this.#ask({ method: "jobs", known });
    return packed.tables.jobs === undefined ? null : { jobs: jobsOf(packed), judged: Number(head?.judged ?? 0) };
  }

  /** The jobs that a filter leaves, the largest first where they are too many, and the totals of all of them. */
  async jobs(filter: JobFilter, signal: AbortSignal): Promise<{ jobs: Jobs; totals: Totals }> {
    const { head, packed } = await this.#ask({ method: "jobs", filter }, signal);
    return { jobs: jobsOf(packed), totals: totalsOf(head?.totals) };
  }

  async answer(question: string, filter: JobFilter, signal: AbortSignal): Promise<MetricTable> {
    return this.#table({ method: "answer", question, filter }, signal);
  }

  async sql(statement: string, filter: JobFilter, signal: AbortSignal): Promise<MetricTable> {
    return this.#table({ method: "sql", text: statement, filter }, signal);
  }

  async #table(request: object, signal: AbortSignal): Promise<MetricTable> {
    const table = unpackedTables((await this.#ask(request, signal)).packed).answer;
    if (table === undefined) throw new Error("the server sent no rows");
    return table;
  }

  /** Where the page of the job is whose log lies at a path. */
  pageOfPath(path: string): string {
    return `/log?token=${this.token}&path=${encodeURIComponent(path)}`;
  }

  /** Where the page of a job of a folder is; `other`: compared with this one. */
  pageOf(number: number, other: number | null = null): string {
    return `/r/${number}/?token=${this.token}${other === null ? "" : `#compare?o.compare.with=${other}`}`;
  }
}
