/** English text of the frame of the page: first steps, menus, the way to the timeline and back. */

import { formatCount } from "./format";

export const pageText = {
  callouts: {
    heading: "First steps",
    list: [
      ["Drag", "in a picture to select time and ranks."],
      ["W and S", "zoom the timeline, A and D move it."],
      ["Show me", "opens the timeline at the calls of a finding."],
    ] as readonly (readonly [string, string])[],
    close: "Got it",
  },
  menu: {
    absent: "Not in this log",
    more: "Menu",
    display: "Display",
  },
  chart: {
    keys: (title: string) => `${title}: arrow keys go from mark to mark, Enter selects`,
    map: (title: string) => `${title}: arrow keys move over the picture, Enter selects`,
    open: (view: string) => `Click to open ${view}`,
    idle: "no call here",
  },
  line: {
    files: "Show the source text of",
    filesHint: "The files stay in this browser. Open a row to see its line.",
    noText: "None of the chosen files contains this line.",
    none: "None of the longest calls was made from this line; calls in a page are a sample.",
  },
  /** The strip of a pinned rank. */
  rank: {
    hint: "calls inside calls",
    summary: (name: string, calls: number, rows: number) =>
      `${name}: ${calls === 1 ? "1 call" : `${formatCount(calls)} calls`} over time in ` +
      `${rows === 1 ? "1 row" : `${formatCount(rows)} rows`}; each is below what made it, and below its ` +
      "thread where there are several.",
    cut: (shown: number, all: number) => `the ${formatCount(shown)} longest of ${formatCount(all)} calls`,
  },
  /** Callers and calls of one frame. */
  through: {
    show: "Callers and calls",
    hint: "Choose a box first: its callers and its calls are then shown, of all stacks that contain it",
    heading: (frame: string, share: string) => `${frame}: ${share} of the whole, in all stacks`,
    callers: "Its callers, the nearest on top",
    callees: "What it calls",
  },
  /** A counter that a query made. */
  counter: {
    show: "On the timeline",
    hint: "Draws numbers of the result over time: it has a column start_s, and may have end_s",
    about: "from a query",
    remove: "Remove the strips of the query",
    failed: (why: string) => `The query of the timeline failed: ${why}`,
  },
  /** Why a view is grey, before the reason. */
  empty: "Empty",
  show: {
    timeline: "Show in timeline",
    column: "Timeline →",
    row: "Show this row in the timeline (G)",
    back: (view: string) => `Back to ${view}`,
  },
} as const;
