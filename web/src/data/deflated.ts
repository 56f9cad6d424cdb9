/** Bytes out of a page: base64 and raw deflate. */

/** In slices: `atob` of tens of megabytes at once doubles the memory that is needed. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const trimmed = text.trim();
  const padding = trimmed.endsWith("==") ? 2 : trimmed.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((trimmed.length / 4) * 3 - padding);
  const SLICE = 1 << 20; // a multiple of 4
  let at = 0;
  for (let from = 0; from < trimmed.length; from += SLICE) {
    const part = atob(trimmed.slice(from, from + SLICE));
    for (let i = 0; i < part.length; i += 1) bytes[at + i] = part.charCodeAt(i);
    at += part.length;
  }
  return bytes;
}

export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).arrayBuffer();
}
