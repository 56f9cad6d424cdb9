/** How far apart two colours are for the eye; source: WCAG 2.2, relative luminance and contrast ratio. */

import type { Rgb } from "./colours";

const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

export function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);
}

/** 1 for equal colours, 21 for black and white. */
export function contrast(a: Rgb, b: Rgb): number {
  const [one, other] = [luminance(a), luminance(b)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

const DARK: Rgb = [0x15, 0x17, 0x1a];
const LIGHT: Rgb = [255, 255, 255];

/** Text on a ground of this colour. */
export const inkOn = (ground: Rgb): Rgb => (contrast(ground, DARK) >= contrast(ground, LIGHT) ? DARK : LIGHT);
