/** How people read quantities. One place, so that a number looks the same in all views. */

const MISSING = "not recorded";
const THIN = "\u202f"; // narrow no-break space: number and unit stay on one line

/** Three significant digits, without an exponent for everyday sizes. */
function digits(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e15 || size < 1e-3) return value.toExponential(1);
  const decimals = Math.max(0, 2 - Math.floor(Math.log10(size)));
  return withoutZeros(value.toFixed(Math.min(decimals, 6)));
}

/**
 * A measured number has three digits, zeros as well: `1.50`, `68.0`, as the sentences of the report
 * (`diya_model::units`).
 */
function threeDigits(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

/** Round numbers read better short where all are round: on axes, `1 MiB` rather than `1.00 MiB`. */
export const withoutZeros = (text: string): string =>
  text.replace(/(\d\.\d*?)0+(?!\d)/g, "$1").replace(/\.(?!\d)/g, "");

/** Binary steps, as `diya` prints sizes everywhere: 1 MiB = 2^20 bytes. */
export function formatBytes(value: number | null): string {
  if (value === null || Number.isNaN(value)) return MISSING;
  const steps = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
  let at = 0;
  let size = value;
  while (Math.abs(size) >= 1023.5 && at < steps.length - 1) {
    size /= 1024;
    at += 1;
  }
  return `${at === 0 ? formatCount(size) : threeDigits(size)}${THIN}${steps[at]}`;
}

export function formatRate(value: number | null): string {
  return value === null || Number.isNaN(value) ? MISSING : `${formatBytes(value)}/s`;
}

export function formatSeconds(value: number | null): string {
  if (value === null || Number.isNaN(value)) return MISSING;
  const size = Math.abs(value);
  if (size === 0) return `0${THIN}s`;
  if (size < 1e-6) return `${digits(value * 1e9)}${THIN}ns`;
  if (size < 1e-3) return `${threeDigits(value * 1e6)}${THIN}µs`;
  if (size < 1) return `${threeDigits(value * 1e3)}${THIN}ms`;
  if (size < 600) return `${threeDigits(value)}${THIN}s`;
  return clock(value);
}

/** `6 min 35 s`, `2 h 01 min 05 s`. */
function clock(value: number): string {
  const whole = Math.round(value);
  const [hours, minutes, rest] = [Math.trunc(whole / 3600), Math.trunc((whole % 3600) / 60), whole % 60];
  const two = (part: number): string => String(part).padStart(2, "0");
  return hours === 0
    ? `${minutes}${THIN}min ${two(rest)}${THIN}s`
    : `${hours}${THIN}h ${two(minutes)}${THIN}min ${two(rest)}${THIN}s`;
}

/** A point in time on an axis whose ticks are `step_s` apart: all ticks alike. */
export function formatTick(value_s: number, step_s: number): string {
  const decimals = Math.min(9, Math.max(0, Math.ceil(-Math.log10(step_s) - 1e-9)));
  return `${value_s.toFixed(decimals)}${THIN}s`;
}

const ABOUT_UNITS: readonly (readonly [below: number, unit_s: number, unit: string])[] = [
  [0.9995e-3, 1e-6, "µs"],
  [0.0995, 1e-3, "ms"],
  [600, 1, "s"],
  [3 * 3600, 60, "min"],
  [Number.POSITIVE_INFINITY, 3600, "h"],
];

function aboutUnit(seconds: number): readonly [unit_s: number, unit: string] {
  const [, unit_s, unit] = ABOUT_UNITS.find(([below]) => seconds !== 0 && Math.abs(seconds) < below) ?? [0, 1, "s"];
  return [unit_s, unit];
}

/** Two significant digits; from ten on a whole number. */
function aboutDigits(value: number): string {
  const size = Math.abs(value);
  return withoutZeros(value.toFixed(size >= 9.95 ? 0 : size >= 0.995 ? 1 : size >= 0.0995 ? 2 : 3));
}

/**
 * Measured seconds that are a part of others, in the unit of the whole, so that parts add up (`diya_model::part_s`).
 */
export function formatPart(seconds: number | null, whole_s: number): string {
  if (seconds === null || Number.isNaN(seconds)) return MISSING;
  if (seconds === 0) return `0${THIN}s`;
  const [unit_s, unit] = aboutUnit(whole_s);
  if (unit_s >= 60) return Math.abs(seconds) < 60 ? formatAbout(seconds) : clock(seconds);
  const [value, whole] = [seconds / unit_s, Math.abs(whole_s / unit_s)];
  const places = whole >= 99.95 ? 0 : whole >= 9.995 ? 1 : whole >= 0.995 ? 2 : 3;
  if (Math.abs(value) * 10 ** places >= 9.5) return `${value.toFixed(places)}${THIN}${unit}`;
  // a small part keeps two digits
  return Math.abs(value) >= 0.1 ? `${aboutDigits(value)}${THIN}${unit}` : formatAbout(seconds);
}

/**
 * Seconds beside those of the run, with the same digits; sums over ranks may be longer (`diya_model::part_of_run_s`).
 */
export const formatPartOfRun = (seconds: number, run_s: number | null): string =>
  run_s === null || run_s <= 0 ? formatSeconds(seconds) : formatPart(seconds, Math.max(run_s, Math.abs(seconds)));

/** Seconds of a summary or an estimate, with the digits of the report's sentences (`diya_model::about_s`). */
export function formatAbout(value: number | null): string {
  if (value === null || Number.isNaN(value)) return MISSING;
  const [unit_s, unit] = aboutUnit(value);
  return `${aboutDigits(value / unit_s)}${THIN}${unit}`;
}

/** One number and its range, "about 3.2 s (2.4 to 4.1)", as in the report; null: not known. */
export function formatSaving(of: {
  readonly saved_s: number | null;
  readonly lost_low_s: number | null;
  readonly lost_high_s: number | null;
}): string | null {
  if (of.lost_high_s === null) return null;
  const seconds = of.saved_s ?? of.lost_high_s;
  if (seconds <= 0) return "nothing";
  const [unit_s, unit] = aboutUnit(seconds);
  const [saved, low, high] = [seconds, of.lost_low_s ?? 0, of.lost_high_s].map((s) => aboutDigits(s / unit_s));
  return low === saved && high === saved
    ? `about ${saved}${THIN}${unit}`
    : `about ${saved}${THIN}${unit} (${low} to ${high})`;
}

/** Whole numbers with commas between thousands. */
export function formatCount(value: number | null): string {
  if (value === null || Number.isNaN(value)) return MISSING;
  if (!Number.isInteger(value)) return digits(value);
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

export function formatRatio(value: number | null): string {
  if (value === null || Number.isNaN(value)) return MISSING;
  const percent = value * 100;
  if (percent !== 0 && Math.abs(percent) < 0.1) return `< 0.1${THIN}%`;
  if (percent === 0) return `0${THIN}%`;
  return `${percent.toFixed(Math.abs(percent) < 9.95 ? 1 : 0)}${THIN}%`;
}

/** A value of a table by the unit of its column, as `schema/tables` and the metrics name units. */
export function formatByUnit(value: number | string | boolean | null, unit: string): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  switch (unit) {
    case "bytes":
      return formatBytes(value);
    case "bytes/s":
      return formatRate(value);
    case "s":
      return formatSeconds(value);
    case "share":
      return formatRatio(value);
    case "1":
      return digits(value);
    case "core-hours":
      return value !== 0 && Math.abs(value) < 1e-3 ? "< 0.001" : formatCount(value >= 1000 ? Math.round(value) : value);
    case "rank":
      return value < 0 ? "all" : String(value); // one record for all ranks
    case "log":
    case "index":
    case "id":
    case "file_id":
    case "line":
    case "year":
    case "month":
    case "power":
      return String(value);
    default:
      return formatCount(value);
  }
}

/** All digits of a value that is shown rounded; null: it is shown as it is. */
export function exactText(value: number, unit: string): string | null {
  if (unit === "bytes" && Math.abs(value) >= 1023.5) return `${formatCount(Math.round(value))}${THIN}B`;
  if (unit === "s" && value !== 0) return `${Number(value.toPrecision(9))}${THIN}s`;
  if (unit === "share" || unit === "1") return String(Number(value.toPrecision(9)));
  return null;
}

/** The unit that a name ends with, where a column says nothing else: `lost_low_s` is seconds. */
export function unitOfName(name: string): string {
  if (name.endsWith("_bytes_per_s")) return "bytes/s";
  if (name.endsWith("_bytes") || name === "bytes") return "bytes";
  if (name.endsWith("_s")) return "s";
  if (name.endsWith("_ratio")) return "1";
  if (name === "rank" || name.endsWith("_rank")) return "rank";
  if (name.endsWith("_id")) return "id";
  return "";
}

/** `0, 3-7, 9 and 12 more`: ranks as people write them. */
export function formatRanges(numbers: readonly number[], most = 8): string {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const ranges: string[] = [];
  let shown = 0;
  for (let at = 0; at < sorted.length && ranges.length < most;) {
    let end = at;
    while (end + 1 < sorted.length && sorted[end + 1] === (sorted[end] ?? 0) + 1) end += 1;
    ranges.push(end > at ? `${sorted[at]}${end > at + 1 ? "–" : ", "}${sorted[end]}` : `${sorted[at]}`);
    shown += end - at + 1;
    at = end + 1;
  }
  const rest = sorted.length - shown;
  return ranges.join(", ") + (rest > 0 ? ` and ${formatCount(rest)} more` : "");
}

/** A name at the start of a sentence. */
export const sentenceStart = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
