/** The wire format of `web/README.md`: a JSON header and typed columns behind it. */

import { SourceError } from "./interface";

export type Column = Uint8Array | Int32Array | Uint32Array | Float32Array | Float64Array;

const MAGIC = 0x31415944; // "DYA1", little endian

const MAKERS: Readonly<Record<string, (buffer: ArrayBuffer, at: number, count: number) => Column>> = {
  u8: (buffer, at, count) => new Uint8Array(buffer, at, count),
  i32: (buffer, at, count) => new Int32Array(buffer, at, count),
  u32: (buffer, at, count) => new Uint32Array(buffer, at, count),
  f32: (buffer, at, count) => new Float32Array(buffer, at, count),
  f64: (buffer, at, count) => new Float64Array(buffer, at, count),
};

const NAMES: readonly (readonly [new (count: number) => Column, string])[] = [
  [Uint8Array, "u8"],
  [Int32Array, "i32"],
  [Uint32Array, "u32"],
  [Float32Array, "f32"],
  [Float64Array, "f64"],
];

const padded = (bytes: number): number => (bytes + 7) & ~7;

/**
 * The object of an answer, its columns as views into the buffer: nothing is copied.
 *
 * @throws SourceError with the text of an error answer, or when the bytes are no answer.
 */
export function decodeAnswer(buffer: ArrayBuffer): unknown {
  const view = new DataView(buffer);
  if (buffer.byteLength < 8 || view.getUint32(0, true) !== MAGIC) {
    throw new SourceError("The data has another format than this page: it comes from another version of diya.");
  }
  const headerBytes = view.getUint32(4, true);
  if (8 + headerBytes > buffer.byteLength) throw new SourceError("The data is truncated.");
  const header = new TextDecoder().decode(new Uint8Array(buffer, 8, headerBytes));
  const start = padded(8 + headerBytes);
  const value: unknown = JSON.parse(header, (_, part: unknown) => {
    if (typeof part !== "object" || part === null || !("$column" in part)) return part;
    const [type, offset, count] = part.$column as [string, number, number];
    const make = MAKERS[type];
    if (make === undefined) throw new SourceError(`The answer has a column of unknown type ${type}.`);
    return make(buffer, start + offset, count);
  });
  if (typeof value === "object" && value !== null && "error" in value && typeof value.error === "string") {
    throw new SourceError(value.error);
  }
  return value;
}

/** The other direction: for tests, and for a source that lives in a worker of its own. */
export function encodeAnswer(value: unknown): ArrayBuffer {
  const columns: Column[] = [];
  let end = 0;
  const header = JSON.stringify(value, (_, part: unknown) => {
    const type = NAMES.find(([constructor]) => part instanceof constructor)?.[1];
    if (type === undefined) return part;
    const column = part as Column;
    columns.push(column);
    const at = end;
    end = padded(end + column.byteLength);
    return { $column: [type, at, column.length] };
  });
  const headerBytes = new TextEncoder().encode(header);
  const start = padded(8 + headerBytes.length);
  const buffer = new ArrayBuffer(start + end);
  const view = new DataView(buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, headerBytes.length, true);
  new Uint8Array(buffer, 8).set(headerBytes);
  let at = start;
  for (const column of columns) {
    new Uint8Array(buffer, at, column.byteLength).set(
      new Uint8Array(column.buffer, column.byteOffset, column.byteLength),
    );
    at = padded(at + column.byteLength);
  }
  return buffer;
}
