/** Steps, epochs and regions that the program named, as blocks on the time axis. */

import { formatCount, formatSeconds } from "../base/format";
import type { CssPixels } from "../base/units";
import { seconds } from "../base/units";
import { visible } from "../base/visible";
import type { Report } from "../data/report";
import { metricRowsOf, numberOf, numberOr, textOf } from "./metric";
import type { TimeWindow } from "./time_axis";
import { visibleSpan } from "./time_axis";

/** A step: `name` as the program says it, with its number. */
export interface Step {
  readonly name: string;
  readonly window: TimeWindow;
  readonly ranks: number;
}

/** Steps of one name: the program counts them, or they are regions of one kind. */
export interface StepLane {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** More lanes than these push the calls out of sight; those with the most time are shown. */
const MAX_LANES = 4;
const MAX_BLOCKS = 2000;

export function stepLanes(report: Report, log: number | null): StepLane[] {
  const lanes = new Map<string, Step[]>();
  for (const row of metricRowsOf(report.metrics.region_span ?? null, log)) {
    const name = textOf(row("name"));
    const number = numberOf(row("number"));
    const window = { start: seconds(numberOr(row("start_s"), 0)), end: seconds(numberOr(row("end_s"), 0)) };
    const step = { name: number === null ? name : `${name} ${number}`, window, ranks: numberOr(row("ranks"), 1) };
    const lane = lanes.get(name);
    if (lane) lane.push(step);
    else lanes.set(name, [step]);
  }
  const time = (steps: readonly Step[]): number =>
    steps.reduce((sum, { window }) => sum + window.end - window.start, 0);
  return [...lanes]
    .map(([name, steps]) => ({ name: visible(name), steps: steps.sort((a, b) => a.window.start - b.window.start) }))
    .sort((a, b) => time(b.steps) - time(a.steps))
    .slice(0, MAX_LANES);
}

export interface StepBlock {
  readonly step: Step;
  readonly x: number;
  readonly width: number;
  /** Every second one is lighter: blocks that touch are distinct. */
  readonly is_odd: boolean;
}

/** Blocks of a lane that are visible; a mark of a moment is two pixels wide. */
export function stepBlocks({ steps }: StepLane, view: TimeWindow, width: CssPixels): StepBlock[] {
  return steps
    .flatMap((step, at) => {
      const part = visibleSpan(step.window, view, width);
      return part === null ? [] : [{ step, x: part.x, width: Math.max(2, part.width - 0.5), is_odd: at % 2 === 1 }];
    })
    .slice(0, MAX_BLOCKS);
}

export const stepText = ({ name, window, ranks }: Step): string =>
  `${visible(name)}: ${formatSeconds(window.end - window.start)}, from ` +
  `${formatSeconds(window.start)}${ranks > 1 ? `, ${formatCount(ranks)} ranks` : ""}`;
