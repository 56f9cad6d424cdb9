/** What comes in from outside: answers, reports, workers, servers. */

import { describe, expect, it } from "vitest";
import { HttpTransport } from "../../src/data/http";
import { parseTimeline } from "../memory/timeline";
import { parseReport } from "../../src/data/parse_report";
import { metricRows } from "../../src/data/report_tables";
import { decodeAnswer, encodeAnswer } from "../../src/data/wire";
import type { FromWorker, ToWorker } from "../../src/data/worker_transport";
import { WorkerTransport } from "../../src/data/worker_transport";

describe("the wire format", () => {
  it("brings columns back as they were", () => {
    const value = {
      width: 3,
      planes: { busy: Float32Array.from([0, 0.5, 1]) },
      track: Uint8Array.from([7]),
      start_s: Float64Array.from([1e-9, Number.NaN]),
    };
    expect(decodeAnswer(encodeAnswer(value))).toEqual(value);
  });
  it("does not copy columns", () => {
    const answer = encodeAnswer({ a: Float64Array.from([1]) });
    expect((decodeAnswer(answer) as { a: Float64Array }).a.buffer).toBe(answer);
  });
  it("says an error in words", () =>
    expect(() => decodeAnswer(encodeAnswer({ error: "no such track" }))).toThrow("no such track"));
  it.each([[new ArrayBuffer(0)], [new ArrayBuffer(64)], [encodeAnswer({ a: 1 }).slice(0, 10)]])(
    "refuses what is no answer",
    (bytes) => expect(() => decodeAnswer(bytes)).toThrow(),
  );
});

describe("a report", () => {
  it("of a later layout is refused in words", () =>
    expect(() => parseReport({ schema_version: 99 })).toThrow("layout 99"));
  it("must be one", () => expect(() => parseReport([1])).toThrow("not a report"));
  it("with wrong types reads as not measured", () => {
    const report = parseReport({
      schema_version: 1,
      verdict: { io_s: "three", confidence: "sure" },
      findings: [{ severity: 7, ranks: ["x", 1], window_s: [1] }],
    });
    expect(report.verdict).toMatchObject({ io_s: null, confidence: "low" });
    expect(report.findings[0]).toMatchObject({ severity: "info", ranks: [1], window_s: null });
  });
  it("gives its tables sorted, searched and in parts", () => {
    const report = parseReport({
      schema_version: 1,
      metrics: {
        t: {
          title: "",
          columns: [{ name: "path" }, { name: "n" }],
          rows: [
            ["/b", 2],
            ["/a", null],
            ["/c", 10],
          ],
          rows_in_all: 5,
        },
      },
    });
    const ask = (more: object) =>
      metricRows(report, { name: "t", first: 0, count: 10, sort: null, search: "", ...more });
    expect(ask({ sort: { column: "n", is_descending: true } }).rows.map((row) => row[0])).toEqual(["/c", "/b", "/a"]);
    expect(ask({ search: "/B" }).rows).toEqual([["/b", 2]]);
    expect(ask({ first: 1, count: 1 })).toMatchObject({ rows: [["/a", null]], rows_in_all: 5 });
    expect(() => ask({ name: "u" })).toThrow("no table named u");
  });
});

it("a timeline with a word too many is refused by its line", () =>
  expect(() => parseTimeline("rank start end\n0 1 2 3")).toThrow("line 2"));

describe("the worker", () => {
  class FakeWorker {
    onmessage: ((event: { data: FromWorker }) => void) | null = null;
    onerror: ((event: { message: string; preventDefault(): void }) => void) | null = null;
    readonly sent: ToWorker[] = [];
    postMessage(message: ToWorker): void {
      this.sent.push(message);
    }
    terminate(): void {
      this.sent.length = 0;
    }
    answer(id: number): void {
      this.onmessage?.({ data: { id, answer: new ArrayBuffer(id) } });
    }
  }
  const open = () => {
    const worker = new FakeWorker();
    return { worker, transport: new WorkerTransport(worker as unknown as Worker) };
  };
  const requests = (worker: FakeWorker): string[] =>
    worker.sent.flatMap((message) => ("request" in message ? message.request : []));

  it("is asked one thing at a time", async () => {
    const { worker, transport } = open();
    const [first, second] = [transport.send("a"), transport.send("b")];
    expect(requests(worker)).toEqual(["a"]);
    worker.answer(1);
    expect((await first).byteLength).toBe(1);
    expect(requests(worker)).toEqual(["a", "b"]);
    worker.answer(2);
    expect((await second).byteLength).toBe(2);
  });
  it("never sees what nobody wants any more", async () => {
    const { worker, transport } = open();
    const stale = new AbortController();
    void transport.send("a");
    const given = transport.send("stale", stale.signal);
    const latest = transport.send("latest");
    stale.abort();
    worker.answer(1);
    await expect(given).rejects.toThrow("no longer wanted");
    expect(requests(worker)).toEqual(["a", "latest"]);
    worker.answer(2);
    await latest;
  });
  it("that cannot start fails every question in words", async () => {
    const { worker, transport } = open();
    const waiting = transport.send("a");
    worker.onmessage?.({ data: { id: 0, failure: "the pack is damaged" } });
    await expect(waiting).rejects.toThrow("damaged");
    await expect(transport.send("b")).rejects.toThrow("damaged");
  });
  describe("that can be started again", () => {
    const startable = () => {
      const workers: FakeWorker[] = [];
      const start = (): Worker => {
        const worker = new FakeWorker();
        workers.push(worker);
        return worker as unknown as Worker;
      };
      return { workers, transport: new WorkerTransport(start(), start) };
    };
    it("is ended with a query that runs too long, and goes on with what waits", async () => {
      const { workers, transport } = startable();
      const endless = transport.send("endless", undefined, 20);
      const next = transport.send("next");
      await expect(endless).rejects.toThrow("ended after 0 s");
      expect(workers).toHaveLength(2);
      // its data come first
      expect(workers[1]?.sent.map((one) => "request" in one && one.request)).toEqual(['{"method":"describe"}']);
      workers[1]?.answer(2);
      workers[1]?.answer(3);
      expect((await next).byteLength).toBe(3);
    });
    it("is ended with a query that nobody wants any more", async () => {
      const { workers, transport } = startable();
      const controller = new AbortController();
      const endless = transport.send("endless", controller.signal, 60_000);
      controller.abort();
      await expect(endless).rejects.toThrow("no longer wanted");
      expect(workers).toHaveLength(2);
    });
    it("a request that ends in time ends nothing", async () => {
      const { workers, transport } = startable();
      const controller = new AbortController();
      const quick = transport.send("quick", controller.signal, 20);
      workers[0]?.answer(1);
      await quick;
      controller.abort();
      await new Promise((done) => setTimeout(done, 40));
      expect(workers).toHaveLength(1);
    });
  });
});

it("a server that is gone is said to be gone", async () => {
  await expect(new HttpTransport("http://127.0.0.1:9/api", "t").send("{}")).rejects.toThrow("does not answer");
});
