/** Colours of text and lines in drawings, by theme; the same as in the style sheet. */

import type { Theme } from "../base/colours";
import { GROUND_HEX } from "../base/colours";
import type { Colours } from "../model/chart";

export const inkOf = (theme: Theme): Colours =>
  theme === "dark"
    ? { ink: "#d8d8d2", faint: "#33363c", ground: GROUND_HEX.dark }
    : { ink: "#22262c", faint: "#e4e5e8", ground: GROUND_HEX.light };
