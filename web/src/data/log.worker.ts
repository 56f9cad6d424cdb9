/** The worker that holds all of diya and one log: text in, bytes out, nothing decided. */

import { initSync } from "diya-engine";
import type { ToLogWorker } from "./log_messages";
import type { FromWorker } from "./worker_transport";

interface Engine {
  readonly memory: WebAssembly.Memory;
  diya_alloc(bytes: number): number;
  diya_named(at: number, bytes: number): void;
  diya_open(at: number, bytes: number): number;
  diya_request(at: number, bytes: number): number;
  diya_answer_done(at: number): void;
  diya_failure(): number;
}

interface Scope {
  onmessage: ((event: MessageEvent<ToLogWorker>) => void) | null;
  postMessage(message: FromWorker, transfer: Transferable[]): void;
}
const scope = self as unknown as Scope;

/** Addresses come as signed numbers: above 2 GiB they would be negative. */
const address = (at: number): number => at >>> 0;

function write(engine: Engine, bytes: Uint8Array): number {
  const at = address(engine.diya_alloc(bytes.length));
  new Uint8Array(engine.memory.buffer, at, bytes.length).set(bytes);
  return at;
}

/** Copies an answer out of the engine's memory and gives it back there. */
function take(engine: Engine, answer: number): ArrayBuffer {
  const at = address(answer);
  const length = new DataView(engine.memory.buffer).getUint32(at, true);
  const copy = engine.memory.buffer.slice(at + 8, at + 8 + length) as ArrayBuffer;
  engine.diya_answer_done(at);
  return copy;
}

/** The text of an error answer; null: it is none. */
function errorOf(answer: ArrayBuffer): string | null {
  const header = new Uint8Array(answer, 8, new DataView(answer).getUint32(4, true));
  const { error } = JSON.parse(new TextDecoder().decode(header)) as { error?: string };
  return error ?? null;
}

/** Why the module stopped. Its own message is more exact than the browser's "unreachable". */
function reason(error: unknown, engine: Engine | null): string {
  const said = error instanceof Error ? error.message : String(error);
  if (engine === null || !(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) return said;
  try {
    const at = address(engine.diya_failure());
    const length = new DataView(engine.memory.buffer).getUint32(at, true);
    const text = new TextDecoder().decode(engine.memory.buffer.slice(at + 4, at + 4 + length));
    return text === "" ? `out of memory (${said})` : text;
  } catch {
    return said;
  }
}

let engine: Engine | null = null;

scope.onmessage = ({ data }) => {
  try {
    if ("open" in data) {
      engine = initSync({ module: data.module }) as Engine;
      const name = new TextEncoder().encode(data.name);
      engine.diya_named(write(engine, name), name.length);
      const at = write(engine, new Uint8Array(data.log));
      const error = errorOf(take(engine, engine.diya_open(at, data.log.byteLength)));
      if (error !== null) scope.postMessage({ id: 0, failure: error }, []);
      return;
    }
    if (engine === null) throw new Error("no log was opened");
    const request = new TextEncoder().encode(data.request);
    const answer = take(engine, engine.diya_request(write(engine, request), request.length));
    scope.postMessage({ id: data.id, answer }, [answer]);
  } catch (error) {
    scope.postMessage({ id: "open" in data ? 0 : data.id, failure: reason(error, engine) }, []);
  }
};
