/** Calls of one class of sizes. */

export interface SizeClass {
  readonly low_bytes: number;
  /** The first size that is too large; null: none is. */
  readonly end_bytes: number | null;
}

/** `101..1025`, as the address has it; null: no class. */
export function readSizeClass(words: string | null): SizeClass | null {
  const match = /^(\d{1,15})\.\.(\d{0,15})$/.exec(words ?? "");
  if (match === null) return null;
  return { low_bytes: Number(match[1]), end_bytes: match[2] === "" ? null : Number(match[2]) };
}

export const writeSizeClass = ({ low_bytes, end_bytes }: SizeClass): string => `${low_bytes}..${end_bytes ?? ""}`;

const UNITS: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
  kib: 1024,
  mib: 1024 ** 2,
  gib: 1024 ** 3,
};

/** `> 1 MiB`, `<4k`; null: the words are no size. */
export function sizesOf(words: string): SizeClass | null {
  const [, side, number, unit = ""] = /^([<>])=?\s*(\d+(?:\.\d+)?)\s*([kmg]?i?b|[kmg])$/i.exec(words) ?? [];
  const bytes = Math.round(Number(number) * (UNITS[unit.toLowerCase()] ?? Number.NaN));
  if (!Number.isSafeInteger(bytes) || bytes <= 0) return null;
  return side === ">" ? { low_bytes: bytes, end_bytes: null } : { low_bytes: 0, end_bytes: bytes };
}
