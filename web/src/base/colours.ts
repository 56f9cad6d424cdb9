/**
 * Colours that hold for the three common colour-vision deficiencies.
 *
 * Source: shared design notes; minimum pairwise OKLab distance 18-20 under
 * each deficiency. Wait (light) and metadata (dark) have only 2.2:1 contrast
 * with the ground: they are outlined or hatched where they stand alone.
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
  light: { read: "#0072b2", write: "#d55e00", metadata: "#351c63", wait: "#b1acc1" },
  dark: { read: "#56b4e9", write: "#d55e00", metadata: "#6424c6", wait: "#e8e8e2" },
};

export const GROUND_HEX: Readonly<Record<Theme, string>> = { light: "#ffffff", dark: "#15171a" };

export const kindRgb = (theme: Theme, kind: Kind): Rgb => hex(KIND_HEX[theme][kind]);
export const groundRgb = (theme: Theme): Rgb => hex(GROUND_HEX[theme]);

/** Viridis at nine points (Smith and van der Walt, matplotlib 1.5); between them it is mixed. */
const VIRIDIS: readonly Rgb[] = [
  "#440154", "#472d7b", "#3b528b", "#2c728e", "#21918c", "#28ae80", "#5ec962", "#addc30", "#fde725",
].map(hex);

/**
 * Ends of viridis, as shares of it, for the least and the most: the colours that are
 * nearest to the ground are left out, since the one slow call of a rank is a cell of the
 * least value, and has to be seen. 2:1 and more.
 */
const HEAT_ENDS: Readonly<Record<Theme, readonly [number, number]>> = { light: [0.76, 0.04], dark: [0.26, 1] };

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

/** Tints for several runs on one picture. */
export const RUN_HEX: Readonly<Record<Theme, readonly string[]>> = {
  light: ["#0072b2", "#d55e00", "#009e73", "#cc79a7"],
  dark: ["#56b4e9", "#e69f00", "#2fc49a", "#e79ac6"],
};

/** Tints for parts of a whole, Okabe and Ito's; the last one is for all others together. */
export const PART_HEX: Readonly<Record<Theme, readonly string[]>> = {
  light: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8f98"],
  dark: ["#56b4e9", "#d55e00", "#2fc49a", "#e79ac6", "#f0c04a", "#3f7fc4", "#7c828c"],
};

export const css = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`;

/** One pixel of a canvas as a word, in the byte order of little-endian machines. */
export const pixelWord = ([r, g, b]: Rgb): number => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
