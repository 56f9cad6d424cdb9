/** A source behind a transport: the worker with the decoder, or the server. */

import type { CallIndex, Seconds, Track } from "../base/units";
import type {
  Activity,
  AreaStatistics,
  CallColumns,
  CallDetail,
  CallFilter,
  CallTree,
  Description,
  LogSource,
  Plane,
  StackCosts,
  TableRequest,
  TableRows,
  Tile,
  TileRequest,
} from "./interface";
import type { CallAnswer, TileAnswer } from "./generated/answers";
import type { OrderBy, Question } from "./generated/questions";
import { INTERFACE_VERSION, SourceError } from "./interface";
import { parseReport } from "./parse_report";
import type { Report } from "./report";
import { decodeAnswer } from "./wire";

/** Carries one request to where the data is. */
export interface Transport {
  /** `limit_ms`: the most that it may take, where this side has to see to that; null: it ends by itself. */
  send(request: string, signal?: AbortSignal, limit_ms?: number | null): Promise<ArrayBuffer>;
  close(): void;
}

/** What anybody may type can run forever; the server ends such a query itself. */
const SQL_LIMIT_MS = 60_000;

export class RemoteSource implements LogSource {
  /** Orders that the other side knows: ten thousand tracks are sent once, not per tile. */
  readonly #sentOrders = new Set<string>();

  /** `report`: the one in the page; null: the other side has it. */
  constructor(
    private readonly transport: Transport,
    private readonly embedded: Report | null,
  ) {}

  async #ask<Answer>(question: Question, signal?: AbortSignal, limit_ms: number | null = null): Promise<Answer> {
    const answer = await this.transport.send(JSON.stringify(question), signal, limit_ms);
    return decodeAnswer(answer) as Answer;
  }

  describe(): Promise<Description> {
    return this.#describe(false);
  }

  /** The calls alone, as soon as they are read: a server judges a hundred million of them for a minute. */
  describeEarly(): Promise<Description> {
    return this.#describe(true);
  }

  async #describe(is_early: boolean): Promise<Description> {
    const description = await this.#ask<Description>({ method: "describe", is_early });
    if (description.interface_version !== INTERFACE_VERSION) {
      throw new SourceError(
        `This page speaks version ${INTERFACE_VERSION} of the data interface, the data speak version ` +
          `${description.interface_version}. Make the report again with one version of diya.`,
      );
    }
    return description;
  }

  async report(): Promise<Report> {
    return this.embedded ?? parseReport(await this.#ask<unknown>({ method: "report" }));
  }

  async tile(request: TileRequest, signal?: AbortSignal): Promise<Tile> {
    const { order } = request;
    const isKnown = order !== null && this.#sentOrders.has(order.id);
    const sent = order && { id: order.id, tracks: isKnown ? null : Array.from(order.tracks) };
    try {
      const answer = await this.#ask<TileAnswer>({ method: "tile", ...request, order: sent }, signal);
      if (order !== null) this.#sentOrders.add(order.id);
      return { ...answer, planes: new Map(Object.entries(answer.planes) as [Plane, Float32Array][]) };
    } catch (error) {
      if (!isKnown || !(error instanceof SourceError) || error.message !== "unknown order") throw error;
      this.#sentOrders.delete(order.id); // the other side was restarted, or kept another one
      return this.tile(request, signal);
    }
  }

  activity(filter: CallFilter, cells: number, signal?: AbortSignal): Promise<Activity> {
    return this.#ask({ method: "activity", filter, cells }, signal);
  }

  async nearestCall(filter: CallFilter, at: Track, at_s: Seconds, tolerance_s: Seconds): Promise<CallDetail | null> {
    const question: Question = { method: "nearest_call", filter, track: at, at_s, tolerance_s };
    return (await this.#ask<CallAnswer>(question)).detail;
  }

  async call(index: CallIndex): Promise<CallDetail> {
    const { detail } = await this.#ask<CallAnswer>({ method: "call", index });
    if (detail === null) throw new SourceError(`There is no call ${index}.`);
    return detail;
  }

  calls(filter: CallFilter, by: OrderBy, limit: number, signal?: AbortSignal): Promise<CallColumns> {
    return this.#ask({ method: "calls", filter, by, limit }, signal);
  }

  areaStatistics(filter: CallFilter, top: number, signal?: AbortSignal): Promise<AreaStatistics> {
    return this.#ask({ method: "area_statistics", filter, top }, signal);
  }

  callTree(filter: CallFilter, is_nested: boolean, signal?: AbortSignal): Promise<CallTree> {
    return this.#ask({ method: "call_tree", filter, is_nested }, signal);
  }

  stackCosts(filter: CallFilter, signal?: AbortSignal): Promise<StackCosts> {
    return this.#ask({ method: "stack_costs", filter }, signal);
  }

  table(request: TableRequest, signal?: AbortSignal): Promise<TableRows> {
    return this.#ask({ method: "table", ...request }, signal);
  }

  sql(text: string, limit: number, signal?: AbortSignal): Promise<TableRows> {
    return this.#ask({ method: "sql", text, limit }, signal, SQL_LIMIT_MS);
  }

  close(): void {
    this.transport.close();
  }
}
