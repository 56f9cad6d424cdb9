/** Round values for axes, round in the unit that people read. */

import { formatByUnit, withoutZeros } from "../base/format";
import { decadesOf, ticksOf } from "./time_axis";

/** Powers of two: sizes are round in binary. */
function binaryTicks(from: number, to: number, wished: number): number[] {
  const step = 2 ** Math.ceil(Math.log2(Math.max(1e-9, (to - from) / Math.max(1, wished))));
  const first = Math.ceil(from / step - 1e-9);
  return Array.from({ length: Math.max(0, Math.floor(to / step + 1e-9) - first + 1) }, (_, at) => (first + at) * step);
}

/** Above ten minutes in minutes, above two hours in hours, as `formatSeconds` writes them. */
const unitOfSeconds = (to: number): number => (to >= 7200 ? 3600 : to >= 600 ? 60 : 1);

/** Text of a tick: all of an axis that ends at `to` in one unit of time. */
export function tickText(value: number, to: number, unit: string): string {
  const seconds = unitOfSeconds(to);
  if (unit !== "s" || seconds === 1 || value === 0) return withoutZeros(formatByUnit(value, unit));
  return `${formatByUnit(Number((value / seconds).toPrecision(6)), "1")}\u202f${seconds === 60 ? "min" : "h"}`;
}

function secondTicks(from: number, to: number, wished: number): number[] {
  const unit = unitOfSeconds(to);
  return ticksOf(from / unit, to / unit, wished).at.map((value) => value * unit);
}

/** Ticks of a straight axis. */
export function roundTicks(from: number, to: number, wished: number, unit: string): number[] {
  if (unit === "bytes" || unit === "bytes/s") return binaryTicks(from, to, wished);
  return unit === "s" ? secondTicks(from, to, wished) : ticksOf(from, to, wished).at;
}

/** Ticks of a logarithmic axis: powers of ten, for sizes powers of 32 (B, 32 B, 1 KiB, 32 KiB, ...). */
export function powerTicks(from: number, to: number, wished: number, unit: string): number[] {
  let all = decadesOf(from, to);
  if (unit.startsWith("bytes")) {
    const first = Math.ceil(Math.log2(from) / 5 - 1e-9);
    all = Array.from(
      { length: Math.max(0, Math.floor(Math.log2(to) / 5 + 1e-9) - first + 1) },
      (_, at) => 2 ** ((first + at) * 5),
    );
  }
  const every = Math.max(1, Math.ceil(all.length / wished));
  return all.filter((_, at) => at % every === 0);
}
