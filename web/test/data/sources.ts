/** The same timeline behind every implementation of the data interface. */

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inflateRawSync } from "node:zlib";
import { HttpTransport } from "../../src/data/http";
import type { LogSource } from "../../src/data/interface";
import { MemorySource } from "../memory/source";
import { parseTimeline, storeOf } from "../memory/timeline";
import { parseReport } from "../../src/data/parse_report";
import type { Transport } from "../../src/data/remote";
import { RemoteSource } from "../../src/data/remote";

const path = (name: string): URL => new URL(name, import.meta.url);

export const REPORT = parseReport({
  schema_version: 1,
  logs: ["small"],
  verdict: { text: "I/O took 2 s of 6 s.", run_s: 6, io_s: 2 },
  metrics: {
    rank_io: {
      title: "Time",
      columns: [{ name: "rank", type: "i32", unit: "rank", doc: "" }],
      rows: [[1], [0]],
      rows_in_all: 2,
    },
  },
});

interface Decoder {
  readonly memory: WebAssembly.Memory;
  diya_alloc(bytes: number): number;
  diya_open(at: number, bytes: number): number;
  diya_request(at: number, bytes: number): number;
  diya_answer_done(at: number): void;
}

/** The real decoder, without a worker around it. */
class DirectTransport implements Transport {
  constructor(private readonly decoder: Decoder) {}

  static async open(pack: Uint8Array): Promise<DirectTransport> {
    const wasm = inflateRawSync(readFileSync(path("../../../crates/diya-wasm/generated/decoder.wasm.deflate")));
    const { instance } = await WebAssembly.instantiate(wasm, {});
    const transport = new DirectTransport(instance.exports as unknown as Decoder);
    transport.#call("diya_open", pack);
    return transport;
  }

  #call(name: "diya_open" | "diya_request", bytes: Uint8Array): ArrayBuffer {
    const at = this.decoder.diya_alloc(bytes.length);
    new Uint8Array(this.decoder.memory.buffer, at, bytes.length).set(bytes);
    const answer = this.decoder[name](at, bytes.length);
    const length = new DataView(this.decoder.memory.buffer).getUint32(answer, true);
    const copy = this.decoder.memory.buffer.slice(answer + 8, answer + 8 + length);
    this.decoder.diya_answer_done(answer);
    return copy as ArrayBuffer;
  }

  async send(request: string, signal?: AbortSignal): Promise<ArrayBuffer> {
    signal?.throwIfAborted();
    return this.#call("diya_request", new TextEncoder().encode(request));
  }

  close(): void {
    // Node frees the memory with the instance.
  }
}

export interface Opened {
  readonly source: LogSource;
  close(): Promise<void>;
}

export async function openMemory(): Promise<Opened> {
  const rows = parseTimeline(readFileSync(path("../fixtures/small.txt"), "utf8"));
  const source = new MemorySource(storeOf(rows, { "/out": [1000, 2] }), REPORT);
  return { source, close: async () => source.close() };
}

export async function openWasm(): Promise<Opened> {
  const source = new RemoteSource(await DirectTransport.open(readFileSync(path("../fixtures/small.pack"))), REPORT);
  return { source, close: async () => source.close() };
}

/** Over a real connection: the answers are those of the decoder, as `diya serve` gives them. */
export async function openHttp(): Promise<Opened> {
  const decoder = await DirectTransport.open(readFileSync(path("../fixtures/small.pack")));
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      if (request.headers["x-diya-token"] !== "secret") {
        response.writeHead(403).end();
        return;
      }
      void decoder.send(Buffer.concat(parts).toString()).then((answer) => response.end(Buffer.from(answer)));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const source = new RemoteSource(new HttpTransport(`http://127.0.0.1:${port}/api`, "secret"), REPORT);
  return { source, close: () => new Promise((done) => server.close(() => done())) };
}
