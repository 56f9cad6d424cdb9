/** English text of the view Source lines; the rest is in src/base/text.ts. */

import { formatCount } from "../../base/format";

export const sourceText = {
  flame: "Flame graph of call stacks",
  flameLead:
    "Callers are above what they call. The width of a box is its share, and its colour the kind of call that most of " +
    "it is. Time is a call's own: a call inside another one counts once. A click shows one box over the whole width.",
  flameInverted:
    "Calls are on top, their callers below them. The width of a box is its share. A click shows one box " +
    "over the whole width.",
  nested: "This log has too many calls to look into each: time in libraries includes the calls below.",
  difference: "Colours show the change from the other run. Boxes are matched by file and function.",
  compare: "Compare with the other run",
  more: "more than in the other run",
  less: "less than in the other run",
  before: (value: string) => `in the other run: ${value}`,
  share: (share: string, of: string) => `${share} of the ${of}`,
  flameBy: "Width",
  by: { time_s: "time", calls: "calls", bytes: "bytes" },
  invert: "Calls on top",
  allFrames: "Frames of interpreters and libraries",
  all: "Show all",
  search: "Find a function or file",
  found: (share: string) => `${share} found`,
  calls: "Calls",
  heading: "Source lines",
  none: "No call stacks were recorded. Record them with:",
  command: "diya run --stacks -- ./app",
  cost: "Cost by call stack",
  place: "Called from",
  stack: (time: string, calls: number) =>
    `${time} in ${calls === 1 ? "1 call" : `${formatCount(calls)} calls`}, innermost frame first:`,
  lead:
    "Each row is a source line of the program: the innermost frame with a source line, and the time of the " +
    "calls made there. Open a row for the whole stacks.",
};
