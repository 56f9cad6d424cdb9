/** Where the data of this page are: in the file itself, or at the server it came from. */

import { text } from "../base/text";
import { plainText } from "../base/text_plain";
import DecoderWorker from "../data/decoder.worker?worker&inline";
import { fromBase64, inflate } from "../data/deflated";
import { HttpTransport } from "../data/http";
import { SourceError } from "../data/interface";
import type { Description, LogSource } from "../data/interface";
import type { PackedTables } from "../data/packed_tables";
import { unpackedTables } from "../data/packed_tables";
import { parseReport, REPORT_VERSION } from "../data/parse_report";
import { RemoteSource } from "../data/remote";
import type { Report } from "../data/report";
import { ReportOnlySource } from "../data/report_only";
import type { Run, ServedRun, ServedRuns } from "../model/runs";
import { withReportTables } from "../data/tables_of_report";
import { decodeAnswer } from "../data/wire";
import { WorkerTransport } from "../data/worker_transport";
import { takeOut } from "./saved_page";

export interface Opened {
  readonly source: LogSource;
  readonly description: Description;
  readonly report: Report;
  /** Why the calls could not be opened; the rest is there. */
  readonly failure?: string;
}

/** Content of a filled mark; empty where the mark was left out, or still stands. */
function filled(page: Document, id: string): string {
  const content = page.getElementById(id)?.textContent?.trim() ?? "";
  return content.startsWith("@@DIYA_") ? "" : content;
}

function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new SourceError("The report in this file is damaged: the file is truncated or was changed.");
  }
}

function withoutPack(report: Report): Opened {
  const source = new ReportOnlySource(report);
  return { source, description: source.description, report };
}

async function described(source: LogSource): Promise<Opened> {
  const [description, report] = await Promise.all([source.describe(), source.report()]);
  return { source, description, report };
}

/** The parser has reached the end: the pack stands after the script. */
function wholePage(page: Document): Promise<void> {
  if (page.readyState !== "loading") return Promise.resolve();
  return new Promise((done) => page.addEventListener("DOMContentLoaded", () => done(), { once: true }));
}

/** What can be shown at once, and what takes until the calls are decoded. */
export interface Opening {
  readonly first: Opened | null;
  /** The calls without their diagnosis, when a server has them sooner. */
  readonly calls: Promise<Opened> | null;
  /** null: `first` is all there is. */
  readonly whole: Promise<Opened> | null;
}

/** Stands in for the report while the server works it out. */
function reportToCome(description: Description): Report {
  const names = description.logs.map((log) => log.name);
  return parseReport({ schema_version: REPORT_VERSION, logs: names, verdict: { text: text.app.judging } });
}

async function callsOf(source: RemoteSource): Promise<Opened> {
  const description = await source.describeEarly();
  return { source, description, report: reportToCome(description) };
}

/** @throws SourceError with what to do, for the user. */
export function openSource(page: Document, address: Location): Opening {
  const content = filled(page, "diya-report");
  if (content === "") {
    if (!address.protocol.startsWith("http")) throw new SourceError(text.app.nothing);
    const token = new URLSearchParams(address.search).get("token") ?? "";
    const source = new RemoteSource(new HttpTransport("api", token), null);
    return { first: null, calls: callsOf(source), whole: described(source) };
  }
  const report = parseReport(jsonOf(content));
  const first = withoutPack(report);
  return { first, calls: null, whole: withCalls(page, report) };
}

/** The other jobs of the folder that this page is served from; null: the page is a file. */
export function servedRuns(page: Document, address: Location): ServedRuns | null {
  const own = /^\/r\/(\d+)\//.exec(address.pathname)?.[1];
  if (own === undefined || filled(page, "diya-report") !== "") return null;
  const token = new URLSearchParams(address.search).get("token") ?? "";
  return {
    own: Number(own),
    async list() {
      const answer = await new HttpTransport("/api", token).send(JSON.stringify({ method: "jobs" }));
      return (decodeAnswer(answer) as { readonly jobs: readonly ServedRun[] }).jobs.filter(
        (run) => run.number !== Number(own),
      );
    },
    async open(number) {
      const { source, description, report } = await described(
        new RemoteSource(new HttpTransport(`/r/${number}/api`, token), null),
      );
      return {
        name: description.logs[0]?.name ?? report.logs[0] ?? `${number}`,
        log: null,
        source,
        description,
        report,
      };
    },
  };
}

/** The report with the large tables, which come as columns beside it. */
async function withTables(page: Document, report: Report): Promise<Report> {
  const content = filled(page, "diya-tables");
  if (content === "") return report;
  let packed: PackedTables;
  try {
    packed = decodeAnswer(await inflate(fromBase64(content))) as PackedTables;
  } catch {
    throw new SourceError("The tables in this file are damaged: the file is truncated or was changed.");
  }
  takeOut(page, "diya-tables");
  return { ...report, metrics: { ...report.metrics, ...unpackedTables(packed) } };
}

async function withCalls(page: Document, head: Report): Promise<Opened> {
  if (page === document) await wholePage(page);
  const report = await withTables(page, head);
  const pack = filled(page, "diya-pack");
  const wasm = filled(page, "diya-wasm");
  if (pack === "" || wasm === "") return withoutPack(report);
  if (typeof WebAssembly === "undefined") return { ...withoutPack(report), failure: plainText.noWasm };
  const worker = new DecoderWorker();
  worker.postMessage({ open: true, wasm, pack });
  takeOut(page, "diya-pack"); // tens of megabytes of text that are not read again
  try {
    return await described(withReportTables(new RemoteSource(new WorkerTransport(worker), report), report));
  } catch (reason) {
    return { ...withoutPack(report), failure: reason instanceof Error ? reason.message : String(reason) };
  }
}

/**
 * Without its style: that of another version would be refused by the policy of this page, with an error in the
 * console.
 */
function withoutStyle(page: string): string {
  const [from, end] = [page.indexOf("<style>"), page.indexOf("</style>")];
  return from < 0 || end < from ? page : page.slice(0, from) + page.slice(end);
}

/**
 * Another run out of a file that the user chose: a page like this one, or a report in
 * JSON, which has no calls. A page is only read for its data: it is parsed without
 * being run.
 *
 * @throws SourceError or SyntaxError when the file holds no report.
 */
export async function openFile(name: string, content: string): Promise<Run> {
  if (content.trimStart().startsWith("{")) {
    const report = parseReport(JSON.parse(content));
    return { name, log: null, ...withoutPack(report) };
  }
  // scripts of such a document never run
  const page = new DOMParser().parseFromString(withoutStyle(content), "text/html");
  const { source, description, report } = await withCalls(page, parseReport(jsonOf(filled(page, "diya-report"))));
  return { name, log: null, source, description, report };
}
