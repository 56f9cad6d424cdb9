/**
 * Distance of two colours in OKLab, in hundredths. Sources: Ottosson 2020; Machado, Oliveira, Fernandes 2009 (full
 * severity).
 */

import type { Rgb } from "../../src/base/colours";

type Matrix = readonly (readonly [number, number, number])[];

const VISION: Readonly<Record<string, Matrix>> = {
  normal: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};
const TO_CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const TO_LAB: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

const times = (matrix: Matrix, of: readonly number[]): number[] =>
  matrix.map((row) => row.reduce((sum, factor, at) => sum + factor * (of[at] ?? 0), 0));
const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);

function labOf(colour: Rgb, vision: Matrix): number[] {
  const seen = times(
    vision,
    colour.map((part) => linear(part / 255)),
  ).map((part) => Math.min(1, Math.max(0, part)));
  return times(TO_LAB, times(TO_CONES, seen).map(Math.cbrt));
}

/** The least distance under the kinds of vision that are named. */
export function oklabDistance(a: Rgb, b: Rgb, visions: readonly string[] = Object.keys(VISION)): number {
  return (
    100 *
    Math.min(
      ...visions.map((name) => {
        const vision = VISION[name] ?? [];
        const other = labOf(b, vision);
        return Math.hypot(...labOf(a, vision).map((part, at) => part - (other[at] ?? 0)));
      }),
    )
  );
}
