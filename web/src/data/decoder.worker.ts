/** The worker that holds the decoder: text in, bytes out, nothing decided. */

import { fromBase64, inflate } from "./deflated";
import type { FromWorker, ToWorker } from "./worker_transport";

interface Decoder {
  readonly memory: WebAssembly.Memory;
  diya_alloc(bytes: number): number;
  diya_open(at: number, bytes: number): number;
  diya_request(at: number, bytes: number): number;
  diya_answer_done(at: number): void;
}

interface Scope {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer: Transferable[]): void;
}
const scope = self as unknown as Scope;

/** Copies an answer out of the decoder's memory and gives it back there. */
function take(decoder: Decoder, at: number): ArrayBuffer {
  const length = new DataView(decoder.memory.buffer).getUint32(at, true);
  const answer = decoder.memory.buffer.slice(at + 8, at + 8 + length) as ArrayBuffer;
  decoder.diya_answer_done(at);
  return answer;
}

function write(decoder: Decoder, bytes: Uint8Array): number {
  const at = decoder.diya_alloc(bytes.length);
  new Uint8Array(decoder.memory.buffer, at, bytes.length).set(bytes);
  return at;
}

async function open(wasm: string, pack: string): Promise<Decoder> {
  const { instance } = await WebAssembly.instantiate(await inflate(fromBase64(wasm)), {});
  const decoder = instance.exports as unknown as Decoder;
  const bytes = fromBase64(pack);
  const at = write(decoder, bytes);
  const answer = decoder.diya_open(at, bytes.length);
  const opened = new DataView(take(decoder, answer));
  const header = new TextDecoder().decode(new Uint8Array(opened.buffer, 8, opened.getUint32(4, true)));
  const { error } = JSON.parse(header) as { error?: string };
  if (error !== undefined) throw new Error(error);
  return decoder;
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

let opened: Promise<Decoder> | null = null;

scope.onmessage = async ({ data }) => {
  if ("open" in data) {
    opened = open(data.wasm, data.pack);
    opened.catch((error: unknown) => scope.postMessage({ id: 0, failure: reason(error) }, []));
    return;
  }
  try {
    if (opened === null) throw new Error("no pack was opened");
    const decoder = await opened;
    const bytes = new TextEncoder().encode(data.request);
    const at = write(decoder, bytes);
    const answer = take(decoder, decoder.diya_request(at, bytes.length));
    scope.postMessage({ id: data.id, answer }, [answer]);
  } catch (error) {
    scope.postMessage({ id: data.id, failure: reason(error) }, []);
  }
};
