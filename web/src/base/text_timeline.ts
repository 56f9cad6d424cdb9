/** English text of the view Timeline; the rest is in text.ts. */

import { formatCount, sentenceStart } from "./format";

export const timelineText = {
  heading: "Timeline",
  noCalls: "Single calls were not recorded. To see each of them on a timeline, record a trace:",
  order: "Order",
  by: { rank: "rank", time: "time in I/O", bytes: "bytes", first: "first call" },
  group: "Group",
  groups: {
    none: "no groups",
    program: "program",
    node: "node",
    switch: "switch",
    enclosure: "enclosure",
    log: "log",
    cluster: "similar activity",
    block: "neighbours",
  },
  fold: "Fold all",
  unfold: "Unfold all",
  foldOne: (name: string) => `Fold ${name}`,
  unfoldOne: (name: string) => `Unfold ${name}`,
  groupRanks: (count: number) => (count === 1 ? "1 rank" : `${formatCount(count)} ranks`),
  thread: (id: number) => `thread ${id}`,
  threadUnknown: "thread not recorded",
  account: "Time of the run",
  accountHint:
    "The parts of the bar of the diagnosis, where their seconds pass; what passes between calls has no place",
  accountAt: (moment: string, length: string) => `${moment}, of ${length}`,
  accountSummary: (parts: string) => `Where the run time goes, over the run: ${parts}`,
  clustering: "comparing ranks…",
  ruler: "Ruler",
  rulerHint: "Drag to measure a span of time. Escape removes the ruler.",
  rulerSpan: (length: string, from: string, to: string) => `${length}, from ${from} to ${to}`,
  saveAs: "Save the timeline as",
  targets: "Storage targets",
  targetsHint: (first: number, last: number) =>
    first === last ? `bytes of ${first}` : `bytes of ${first} (top) to ${last}`,
  least: "least",
  most: "most (logarithmic)",
  colour: "Colour",
  colours: { kind: "kind of call", longest: "longest call", bytes: "bytes", calls: "calls" },
  inLibrary: "inside libraries",
  waits: "wait",
  paler: "Paler: for a part of the time",
  waitHint: "In collective calls while no call below runs: the rank waits for the others",
  libraryHint:
    "In calls of HDF5, NetCDF or MPI-IO while no call below runs. Where the log does not show which calls " +
    "are collective, their waits are part of it",
  phaseName: (phase: number) => `phase ${phase}`,
  overview: "Whole run",
  active: "Ranks in a call",
  noneHere: "no call",
  rate: "Bandwidth",
  waitingRanks: (kind: string) => `Ranks in ${kind}`,
  phases: "Phases",
  phaseKeys: (count: number) => `${formatCount(count)} phases: arrow keys select the next and the previous one`,
  durationKeys: "arrow keys go from bar to bar, Enter selects calls that are longer",
  barOf: (from: string, to: string, calls: string) => `${from} to ${to}: ${calls}`,
  fit: "Whole run",
  zoomToSelection: "Zoom to selection (F)",
  fitSelection: "Fit",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  pin: "Pin this rank",
  unpin: "Unpin",
  pinned: "Pinned ranks",
  onlySelected: "Only selected ranks",
  outliers: "Mark the longest calls",
  search: "Go to a time, phase, rank, node, file, function, error or duration",
  searchHint: "12.3 s, rank 9, fsync, path",
  searchExamples: "12.3 s, rank 97, phase 2, 0-15, fsync, >100ms, errno:ENOSPC, a node, pieces of a path",
  hits: "Found",
  foundNone: "Nothing found",
  heldOnly: "calls are counted among those that this page holds",
  hitKinds: {
    time: "time",
    phase: "phase",
    rank: "rank",
    ranks: "ranks",
    node: "node",
    file: "file",
    files: "all files with",
    function: "calls of",
    error: "calls with error",
    duration: "calls",
    size: "calls",
  },
  steps: "Calls of the search",
  stepOf: (at: number, all: number) => `Call ${formatCount(at)} of ${formatCount(all)}`,
  previousCall: "Previous call",
  nextCall: "Next call",
  list: "List",
  longestOf: (shown: number, all: number) => `the ${formatCount(shown)} longest of ${formatCount(all)}`,
  stepHint: "Arrow keys step from call to call.",
  found: (count: number) => `${formatCount(count)} found`,
  laneSummary: (layer: string, ranks: number) =>
    `${layer}: ${formatCount(ranks)} ranks from top to bottom, time from left to right`,
  wideEvidence: (from: string, to: string) =>
    `This concerns the whole run: its first call starts at ${from}, its last one ends at ${to}.`,
  logarithmic: (unit: string) => (unit.startsWith("bytes") || unit === "s" ? "(logarithmic)" : `${unit} (logarithmic)`),
  perCell: {
    kind: "",
    longest: "for the longest call in a cell (logarithmic)",
    bytes: "in a cell (logarithmic)",
    calls: "calls in a cell (logarithmic)",
  },
  waiting: "drawing…",
  coarse: "aggregated (zoom in for single calls)",
  distribution: { duration: "Durations", size: "Sizes" },
  distributionCalls: (calls: number) => (calls === 1 ? "1 call" : `${formatCount(calls)} calls`),
  percentiles: (median: string, p95: string, p99: string) => `median ${median}, 95 % below ${p95}, 99 % below ${p99}`,
  upTo: (shares: readonly (readonly [share: string, most: string])[]) =>
    shares.map(([share, most]) => `${share} at most ${most}`).join(", "),
  everyCall: "all",
  countedIn: (calls: number, layers: string) =>
    `${calls === 1 ? "1 call" : `${formatCount(calls)} calls`} of ${layers}`,
  statistics: "Selected area",
  statisticsVisible: "Visible part",
  longestCalls: "Longest calls here",
  together: (calls: number) => `${formatCount(calls)} calls together`,
  detail: "Call",
  nothingHovered: "Hover over the timeline to see a call. Click to keep it.",
  kept: "Kept",
  release: "Release",
  measure: (length: string) => `${length} long`,
  columns: {
    layer: "layer",
    kind: "kind",
    calls: "calls",
    bytes: "bytes",
    time: "time",
    ranks: "ranks",
    longest: "longest",
    function: "call",
    file: "file",
    rank: "rank",
    rate: "per rank",
  },
  inside: "child calls",
  inferred: "nesting by time and rank",
  around: "parent call",
  call: {
    rank: "Rank",
    node: "Node",
    start: "Start",
    duration: "Duration",
    size: "Size",
    offset: "Offset",
    file: "File",
    targets: "Targets",
    function: "Call",
    rate: "Speed",
    runs: "Calls in this row",
    collective: "Collective",
    error: "Error",
    region: "Region",
    step: "Step",
    stack: "Called from",
    thread: "Thread",
    noThread: "no thread recorded",
  },
  inFlight: "Requests in flight",
  inFlightHint: "asynchronous, mean number",
  inFlightSummary: (peak: string) =>
    `Asynchronous requests between submission and completion: at most ${peak} at the same time.`,
  flightKinds: { read: "reads", write: "writes", metadata: "others", wait: "others" },
  flights: (all: string, kinds: string) => `${all} asynchronous requests in flight${kinds === "" ? "" : `: ${kinds}`}.`,
  landed: (completed: string, bytes: string, longest: string) =>
    `${completed} completed here, ${bytes}; the longest was in flight for ${longest}.`,
  messages: "Messages",
  messagesHint: "the longest waits for other ranks",
  longestWait: "longest",
  nextWait: "next longest",
  waitMatrix: "who waits for whom",
  messagesSummary: (waits: number, ranks: number) =>
    `${waits === 1 ? "1 wait" : `${formatCount(waits)} waits`} for other ranks in messages, of ` +
    `${ranks === 1 ? "1 rank" : `${formatCount(ranks)} ranks`}, over time.`,
  waitsFor: (who: string, length: string, name: string, late: string, cause: string | null, does: string) => {
    const end = cause === null ? "" : ` (in the end for ${cause})`;
    return `${sentenceStart(who)} waits ${length} in ${name} for ${late}${end}, which ${does}.`;
  },
  doesMeanwhile: (activity: string, path: string | null) => {
    const file = path ?? "files";
    switch (activity) {
      case "read":
        return `reads ${file}`;
      case "write":
        return `writes ${file}`;
      case "computing":
        return "computes";
      case "message":
        return "moves data in messages";
      case "child":
        return "waits for a program that it started";
      case "idle":
        return "is on no core";
      default:
        return `is in calls of class ${activity} on ${file}`;
    }
  },
  mapped: "Mapped files",
  mappedHint: "one bar a mapping",
  mappedFaults: "mappings, and page faults that waited",
  mappedSummary: (count: number) =>
    count === 1
      ? "1 mapping of a file into memory, over time."
      : `${formatCount(count)} mappings of files into memory, over time.`,
  mappedLeftOut: (count: number) => `${formatCount(count)} more`,
  mapping: (path: string, size: string, touched: string, resident: string, length: string) =>
    `${path}: ${size} mapped for ${length}. Pages touched: ${touched}. Pages in memory at the end: ${resident}.`,
  faults: (count: number, files: number) =>
    `${count === 1 ? "1 access" : `${formatCount(count)} accesses`} to ` +
    `${files === 1 ? "a mapped file" : `${formatCount(files)} mapped files`} waited for a device (major page ` +
    "faults).",
  processors: "Processors in use",
  processorsHint: "own code, by samples",
  stepKeys: (name: string, count: number) =>
    `${name}, ${formatCount(count)}: arrow keys select the next and the previous one`,
  counter: (series: number) => (series === 1 ? "storage server" : `sum of ${formatCount(series)} series`),
  traceCounter: (series: number, unit: string) =>
    (series === 1 ? "counter of the trace" : `sum of ${formatCount(series)} series`) + (unit === "" ? "" : `, ${unit}`),
  counterSummary: (name: string, peak: string) => `${name}: at most ${peak}.`,
  valueOf: (value: string | null, peak: string) => (value === null ? peak : `${value} of ${peak}`),
  activitySummary: (peak: number, layer: string) =>
    `At most ${formatCount(peak)} ranks are inside ${layer} calls at the same time.`,
};
