/** Fetches and compiles the engine, once, when the first log comes. */

import { dropText } from "../base/text_drop";
import { SourceError } from "./interface";

/** The smallest module with an instruction on 128-bit values: a browser without them refuses it. */
const SIMD_PROBE = new Uint8Array([
  0,
  97,
  115,
  109,
  1,
  0,
  0,
  0, // magic, version
  1,
  5,
  1,
  96,
  0,
  1,
  123, // one type: no parameters, a v128
  3,
  2,
  1,
  0, // one function of that type
  10,
  10,
  1,
  8,
  0,
  65,
  0,
  253,
  15,
  253,
  98,
  11, // i32.const 0; i8x16.splat; i8x16.popcnt
]);

/** What this browser lacks, in words; null: nothing. */
export function lacks(): string | null {
  if (typeof WebAssembly !== "object" || !WebAssembly.validate(SIMD_PROBE)) return dropText.noSimd;
  if (typeof DecompressionStream !== "function") return dropText.noStreams;
  return null;
}

/** Where the engine lies, and what its bytes have to be. */
export interface EngineFile {
  readonly url: string;
  /** `sha256-...`: another file in its place is refused. */
  readonly integrity: string;
}

export async function fetchEngine({ url, integrity }: EngineFile): Promise<WebAssembly.Module> {
  let response: Response;
  try {
    response = await fetch(url, { integrity, credentials: "omit" });
  } catch (error) {
    throw new SourceError(location.protocol === "file:" ? dropText.fromFile : dropText.noEngine(String(error)));
  }
  if (!response.ok || response.body === null) throw new SourceError(dropText.noEngine(String(response.status)));
  const inflated = response.body.pipeThrough(new DecompressionStream("deflate-raw"));
  // Compiled while it comes in.
  return WebAssembly.compileStreaming(new Response(inflated, { headers: { "Content-Type": "application/wasm" } }));
}
