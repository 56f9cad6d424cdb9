/**
 * Colours that hold for the three common colour-vision deficiencies.
 *
 * Those of kinds of calls are used for nothing else. The least pairwise OKLab distance
 * of them is 12.9 under each deficiency, and each has a contrast of at least 3:1 with the
 * ground: test/model/palette.test.ts computes both.
 */

import type { Kind } from "./kinds";

export type Theme = "light" | "dark";
export type Rgb = readonly [number, number, number];

const hex = (text: string): Rgb => [
  parseInt(text.slice(1, 3), 16),
  parseInt(text.slice(3, 5), 16),
  parseInt(text.slice(5, 7), 16),
];

export const KIND_HEX: Readonly<Record<Theme, Readonly<Record<Kind, string>>>> = {
  light: { read: "#0072b2", write: "#d55e00", metadata: "#351c63", wait: "#928a8b" },
  dark: { read: "#56b4e9", write: "#d55e00", metadata: "#7a47f3", wait: "#e8e8e2" },
};

/** Time in a library while no call below it runs: no kind of call, and its colour is for nothing else. */
export const LIBRARY_HEX: Readonly<Record<Theme, string>> = { light: "#6c4824", dark: "#e4a878" };

/** Classes of the account that are no kind of calls: the style sheet has the same. */
const ACCOUNT_HEX: Readonly<Record<Theme, Readonly<Record<string, string>>>> = {
  light: { sync: "#5c5456", map: "#6b7d1e", text: "#a87400", exchange: "#9900ff" },
  dark: { sync: "#a39dae", map: "#b5c34d", text: "#e0b84a", exchange: "#0f8a8a" },
};

/** Colour of a class of the account, as the bar of the run has it. */
export function classHex(theme: Theme, name: string): string {
  const kinds: Readonly<Record<string, string>> = KIND_HEX[theme];
  if (name === "library") return LIBRARY_HEX[theme];
  if (name === "write_sync") return KIND_HEX[theme].write;
  return ACCOUNT_HEX[theme][name] ?? kinds[name] ?? KIND_HEX[theme].wait;
}

export const GROUND_HEX: Readonly<Record<Theme, string>> = { light: "#ffffff", dark: "#15171a" };

export const kindRgb = (theme: Theme, kind: Kind): Rgb => hex(KIND_HEX[theme][kind]);
export const libraryRgb = (theme: Theme): Rgb => hex(LIBRARY_HEX[theme]);
export const groundRgb = (theme: Theme): Rgb => hex(GROUND_HEX[theme]);

/** Viridis at nine points (Smith and van der Walt, matplotlib 1.5); between them it is mixed. */
const VIRIDIS: readonly Rgb[] = [
  "#440154",
  "#472d7b",
  "#3b528b",
  "#2c728e",
  "#21918c",
  "#28ae80",
  "#5ec962",
  "#addc30",
  "#fde725",
].map(hex);

/**
 * Ends of viridis, as shares of it, for the least and the most: the colours that are
 * nearest to the ground are left out, since the one slow call of a rank is a cell of the
 * least value, and has to be seen. 3:1 and more.
 */
const HEAT_ENDS: Readonly<Record<Theme, readonly [number, number]>> = { light: [0.58, 0.04], dark: [0.37, 1] };

/** Colour of a heat value between 0 and 1; dark themes run from dark to light, light ones the other way. */
export function heatRgb(value: number, theme: Theme): Rgb {
  const clamped = Math.min(1, Math.max(0, value));
  const [least, most] = HEAT_ENDS[theme];
  const at = (least + clamped * (most - least)) * (VIRIDIS.length - 1);
  const low = Math.floor(at);
  const share = at - low;
  const a = VIRIDIS[low] ?? [0, 0, 0];
  const b = VIRIDIS[Math.min(low + 1, VIRIDIS.length - 1)] ?? a;
  return [0, 1, 2].map((i) => Math.round((a[i] ?? 0) * (1 - share) + (b[i] ?? 0) * share)) as unknown as Rgb;
}

/**
 * Tints for series that are no kinds of calls: runs, ranks and medians, parts of a whole.
 * The last one is for all others together.
 */
export const SERIES_HEX: Readonly<Record<Theme, readonly string[]>> = {
  light: ["#006d5b", "#ac43a5", "#888012", "#249c74", "#7b0b9f", "#24440d", "#857049"],
  dark: ["#3cc4b0", "#c94fc2", "#e0d040", "#249c74", "#e79ac6", "#75892a", "#a8946c"],
};

/** A series by its number; more series than tints begin again. */
export const seriesHex = (theme: Theme, at: number): string =>
  SERIES_HEX[theme][at % (SERIES_HEX[theme].length - 1)] ?? "";

/** A colour of a kind or a series in the light theme: files are for paper. */
export function onPaper(colour: string): string {
  const kind = (Object.keys(KIND_HEX.dark) as Kind[]).find((one) => KIND_HEX.dark[one] === colour);
  const series = SERIES_HEX.dark.indexOf(colour);
  const name = Object.keys(ACCOUNT_HEX.dark).find((one) => ACCOUNT_HEX.dark[one] === colour);
  if (colour === LIBRARY_HEX.dark) return LIBRARY_HEX.light;
  if (name !== undefined) return ACCOUNT_HEX.light[name] ?? colour;
  return kind ? KIND_HEX.light[kind] : (SERIES_HEX.light[series] ?? colour);
}

export const css = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`;

/** One pixel of a canvas as a word, in the byte order of little-endian machines. */
export const pixelWord = ([r, g, b]: Rgb): number => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
