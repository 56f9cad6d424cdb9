/** The sentences of the page; those of one view alone may be in its folder of src/views. */

import { formatBytes, formatCount, formatRate, formatRatio, formatSeconds, sentenceStart } from "./format";
import { keysText } from "./text_keys";
import { diagnosisText } from "./text_diagnosis";
import { timelineText } from "./text_timeline";

export const text = {
  app: {
    name: "diya",
    reading: (seconds: number) => (seconds < 2 ? "Reading the log…" : `Reading the log… ${seconds} s`),
    judging: "The calls are loaded; the diagnosis is not finished yet.",
    judgingViews:
      "The diagnosis is not finished yet. The timeline and the maps already show all calls; tables and " +
      "findings appear when it is finished.",
    failed: "This page cannot show its data",
    reload: "Reload the page; if that does not help, make the report again, or open the log with `diya open LOG`.",
    views: "Views",
    theme: { label: "Theme", auto: "System", light: "Light", dark: "Dark" },
    help: "Keys",
    skip: "Skip to the content",
    missing: "not recorded",
    nothing: "Nothing here matches the selection.",
    noTable: (name: string) => `The report has no table \`${name}\`: nothing of that kind was recorded.`,
    cut: (shown: number, all: number) => `The report holds ${formatCount(shown)} of ${formatCount(all)} rows.`,
  },
  selection: {
    label: "Selection",
    clear: "Clear selection",
    time: "Time",
    ranks: "Ranks",
    files: "Files",
    kinds: "Kinds",
    layers: "Layers",
    targets: "Targets",
    log: "Log",
    remove: (what: string) => `Do not narrow by ${what}`,
    copy: "Copy link",
    copied: "Link copied",
    save: "Save page",
    saveHint: "A file that opens as you see the page now, with selection and notes",
    filesCount: (count: number) => (count === 1 ? "1 file" : `${formatCount(count)} files`),
    sums: "Statistics",
    selected: "Selected calls",
    functions: "Calls of",
    errors: "Error",
    longer: "Longer than",
    sizes: "Size",
    frame: "Stack",
    anyLayer: "all layers",
    regions: "Region",
    anyRegion: "all regions",
    steps: "Steps",
    anyStep: (first: number, last: number) => `steps ${first}-${last}`,
  },
  /** Where a layer stands before it. */
  onlySyncs: "sync",
  kindsShort: { read: "read", write: "write", metadata: "metadata", wait: "wait" },
  kinds: { read: "read", write: "write", metadata: "metadata", wait: "sync and wait" },
  layers: {
    netcdf: "NetCDF",
    pnetcdf_file: "PnetCDF",
    pnetcdf_var: "PnetCDF data",
    hdf5_file: "HDF5 files",
    hdf5_dataset: "HDF5 data",
    hdf5_other: "HDF5 other",
    mpiio: "MPI-IO",
    stdio: "STDIO",
    posix: "POSIX",
    dfs: "DFS",
    daos: "DAOS",
  } as Readonly<Record<string, string>>,
  figure: {
    table: "Data",
    picture: "Picture",
    svg: "SVG",
    png: "PNG",
    csv: "CSV",
    choose: "Click to select",
    exports: (title: string) => `Save “${title}”`,
  },
  table: {
    more: (count: number) => (count === 1 ? "1 more column" : `${formatCount(count)} more columns`),
    columns: "Columns",
    choose: "Columns to show",
    fit: "Fit to width",
    all: "All",
    rest: "Other columns of the selected row",
  },
  diagnosis: diagnosisText,
  timeline: timelineText,
  notes: {
    heading: "Notes",
    add: "Note",
    addHint: "Mark the selected time, or the visible part, with a note (B)",
    travel: "in the link and the saved page",
    placeholder: "write a note",
    unnamed: (at: number) => `Note ${at}`,
    words: (at: number) => `Words of note ${at}`,
    remove: (at: number) => `Remove note ${at}`,
    summary: (count: number) => (count === 1 ? "1 note over time" : `${formatCount(count)} notes over time`),
  },
  activityMap: {
    title: (layer: string) => `${layer}: bytes of ranks over time`,
    shared: "all",
    estimate:
      "Estimated: the bytes of each counter record are distributed evenly between its first and last read or " +
      "write. Pauses in between are not visible.",
    exact: (bin: string) => `From the heat maps of the log: exact to ${bin}.`,
    heading: "Bytes over time",
  },
  files: {
    heading: "Files",
    fold: "Fold alike names",
    usedOf: (used: number, rows: number) =>
      `${used === 1 ? "1 file" : `${formatCount(used)} files`} used; ${formatCount(rows)} rows, with names that were ` +
      "looked for and objects in files",
    heldOf: (held: number, all: number) =>
      `the ${formatCount(held)} files with the most time; the log has about ${formatCount(all)}`,
    foldHint: "One row for files whose names differ in numbers only",
    allGroups: "All groups",
    map: "Offsets in the file",
    byTime: "Offset over time",
    byRank: "Offset over ranks",
    sizes: "Request sizes over time",
    choose: "Choose a file to see the offsets of its calls.",
    stripes: (size: string, count: number) =>
      `Dashed lines: every stripe of ${size}, over ${formatCount(count)} targets.`,
    stripesMany: (size: string) => `Stripes of ${size} are too narrow to draw at this zoom.`,
    redundancy: "Read or written more than once",
    misaligned: (share: string, boundary: string) =>
      `${share} of the requests do not start at a multiple of ${boundary}.`,
    noMap:
      "Counters have no offsets of calls. `diya run -- COMMAND` records them; Darshan records them with " +
      "`DXT_ENABLE_IO_TRACE=1`.",
    extents: (count: number) =>
      count === 1
        ? "1 extent is transferred several times"
        : `${formatCount(count)} extents are transferred several times: those with the most time`,
    spans: "Marks at the right edge: extents that are transferred several times.",
    heaviest: "This file takes the most time. Choose another one in the table.",
    heaviestData:
      "Of the files that are read or written, this one takes the most time. Choose another one in the table.",
    ofFinding: (title: string) => `The first finding is about this file: ${title}. Choose another one in the table.`,
    contains: (dataset: string) =>
      `It contains ${dataset}, which takes the most time. Choose another one in the table.`,
    ofLayers: "Requests per layer",
    dataset: "This is a dataset. Its offsets are shown for the file that contains it:",
    select: "Select",
    path: "path",
    mapSummary: (path: string) => `Requests to ${path}: offset in the file from bottom to top.`,
  },
  patterns: {
    heading: "Access pattern of each rank",
    read: "reads",
    write: "writes",
    ranks: "ranks",
    confidence: "confidence",
    lead:
      "Each request is compared with the one before of the same rank and file. Ranks with the same pattern are " +
      "one row. Shares and strides are those of the first rank of the row.",
    short: (word: string, op: string, stride: string) =>
      ({
        strided: `strided ${stride.replace("every ", "")}`,
        gaps: "sequential with gaps",
        repeated: op === "read" ? "re-read" : "rewritten",
        single: "single requests",
      })[word] ?? word,
    sentence: (op: string, words: string, calls: number, confidence: string) =>
      `${op === "read" ? "Reads" : "Writes"}: ${words}; ` +
      `${calls === 1 ? "1 request" : `${formatCount(calls)} requests`}, confidence ${confidence}.`,
    strided: (stride: string, share: string) => `strided, ${stride} (${share})`,
    every: (stride: string) => `every ${stride}`,
    gapsOf: (gap: string) => `gaps of ${gap}`,
    appended: (from: string, share: string) => `appended from ${from} on (${share})`,
    repeated: (op: string, share: string) => `${op === "read" ? "re-read" : "rewritten"}, the same bytes (${share})`,
    single: (calls: number) => (calls === 1 ? "1 request" : "1 request of each rank"),
    plain: {
      sequential: (share: string) => `sequential (${share})`,
      gaps: (share: string) => `sequential with gaps (${share})`,
      random: (share: string) => `random (${share})`,
    },
    mixed: (parts: string) => (parts === "" ? "mixed" : `mixed (${parts})`),
    again: (op: string, share: string) => `${share} of the bytes ${op === "read" ? "re-read" : "rewritten"}`,
  },
  waits: {
    heading: "Who waits for whom, in messages",
    lead:
      "A rank waits until the late one enters the call that belongs to it. The cause is the rank at the end of the " +
      "chain: a late rank that waits itself hands its time on.",
    corner: "waits for",
    late: "late rank",
    cause: "cause",
    does: "what it does meanwhile",
    calls: "calls",
    waiters: "ranks that wait",
    seconds: "waited, all ranks",
  },
  ranks: {
    heading: "Ranks",
    time: "Time in I/O per rank",
    account: "Time in I/O per rank, by what it is spent on",
    bytes: "Bytes per rank",
    latency: "Duration of calls per rank",
    nodes: "Time in I/O per node",
    summary: (slowest: string, median: string, name: string) =>
      `${sentenceStart(name)} spends the most time, ${slowest}; the median is ${median}.`,
    inOrder: "processes in the order of their start",
    latencySummary: (layer: string) =>
      `Each column is a rank; each cell is the number of ${layer} calls of this duration. A rank with ` +
      "another pattern is slower, or does other work.",
    shared: "Files that all ranks share have one record for all ranks: this chart does not include their time.",
    ordered: (by: string) => `by ${by}`,
    untimed: (count: number) =>
      `${count === 1 ? "1 rank is" : `${formatCount(count)} ranks are`} not shown: the time is not recorded ` +
      "or is negative.",
    noBytes: "No rank read or wrote files of its own.",
    mostBytes: (name: string, share: string, layer: string, isPart: boolean) =>
      `${sentenceStart(name)} transfers the most: ${share} of ` +
      `${isPart ? `the ${layer} bytes in files of single ranks` : `all ${layer} bytes`}.`,
    sharedBytes: (bytes: string) =>
      `${bytes} in files that all ranks share are not in this chart: one record has the sum of all ranks.`,
    sharedTable: "Slowest and fastest rank of shared files",
  },
  phases: {
    heading: "Phases and stragglers",
    none:
      "No phases: the log has no single calls and no heat maps, or no data was transferred. `diya run -- " +
      "COMMAND` records calls; Darshan records them with `DXT_ENABLE_IO_TRACE=1`.",
    summary: (count: number, layer: string, duty: string) =>
      `${count === 1 ? "1 phase" : `${formatCount(count)} phases`} in ${layer}, ${duty} of the run.`,
    heatMaps: (bin: string) => `From the heat maps of the log: exact to ${bin}.`,
    plain: "Phases of this layer, from the first byte to the last.",
    timeline: "Phases over the run",
    duration: "Time of the ranks in each phase",
    waited: "Waiting time of the other ranks",
    stragglers: "Straggler of each phase",
    choose: "Choose a phase to see its ranks.",
    ranksOf: (phase: number) => `Ranks in phase ${phase}`,
    roofline: "Phases under the measured bandwidth",
    roofOf: (kind: string, workers: number) =>
      `calibrated: ${kind}, ${workers === 1 ? "1 worker" : `${formatCount(workers)} workers`}`,
    roofSummary: (share: string) =>
      `The phase with the most bytes reaches ${share} of the highest bandwidth that was measured for ` +
      "requests of its size.",
  },
  transfer: {
    heading: "Transfer",
    sizes: "Requests by size",
    sizesTime: "Time by request size",
    overTime: "Request sizes over time",
    overTimeHint:
      "All layers have the same time axis and scale. If a band is higher in the next layer, its requests " +
      "were merged; if it is lower, they were split.",
    none:
      "No request with data was recorded, so there are no sizes to show. The view Calls has the sums of each " +
      "layer.",
    noCalls:
      "From counters: number and time of the requests of each size. Only a trace has the time of each " +
      "request: `diya run -- COMMAND`, or `DXT_ENABLE_IO_TRACE=1` with Darshan.",
    overTimeSummary: (layer: string) => `Requests of ${layer}: each at its time and size.`,
    layers: "Merging and splitting of requests between layers",
    common: "Most common sizes",
    aggregators: "Ranks with requests to the file (aggregators)",
    sizesSummary: (layer: string, share: string) => `${share} of the ${layer} requests are smaller than 100 KiB.`,
  },
  targets: {
    heading: "Storage targets",
    layout: "Layout of the files on storage targets",
    noLoad:
      "Counters do not have the load of each target over time. `diya run -- COMMAND` records single calls; " +
      "Darshan records them with `DXT_ENABLE_IO_TRACE=1`. To show metrics of the storage servers: `diya " +
      "report LOG --server-metrics FILE --html out.html`.",
    none: "The layout of the files on storage targets was not recorded.",
    wayOut:
      "`diya run` records it for files on Lustre; Darshan records it if it was built with its Lustre module. " +
      "To show metrics of the storage servers: `diya report LOG --server-metrics FILE --html out.html`.",
    overTimeSummary: "Requests are split at stripe boundaries; each row is a target. Drag to select targets and time.",
    servers: "Metrics of the storage servers",
    serverSummary: (series: number, unit: string) =>
      `${series === 1 ? "One series" : `${formatCount(series)} series`} of the monitoring system over the ` +
      `time of the job${unit === "" ? "; the unit is not recorded" : unit === "1" ? "" : `, in ${unit}`}. ` +
      "They include other jobs.",
    fileSpeed: "Bandwidth of files on one target",
    fileSpeedSummary: (slowest: number, speed: string, typical: string) =>
      `Target ${slowest} is the slowest: ${speed}; the median is ${typical}.`,
    load: "Bytes per target",
    time: "Busy time per target",
    overTime: "Load over time",
    speed: "Bandwidth of requests",
    summary: (hottest: number, bytes: string, ratio: string) =>
      `Target ${hottest} has the most data, ${bytes}: ${ratio} times the mean.`,
  },
  calls: {
    heading: "Calls",
    tree: "Call tree",
    flat: "Functions",
    list: "Single calls",
    inclusive: "time",
    exclusive: "own time",
    inclusiveHint: "with the calls made inside",
    exclusiveHint: "in no call made inside",
    none:
      "No single calls were recorded; the sums of each layer are shown instead. `diya run -- COMMAND` records " +
      "calls; Darshan records them with `DXT_ENABLE_IO_TRACE=1`.",
    cut: (shown: number, all: number) =>
      shown === all ? `${formatCount(all)} rows` : `${formatCount(shown)} of ${formatCount(all)} rows`,
    bundled: (calls: number) => `${formatCount(calls)} calls: some rows hold several tiny calls`,
    byLongest: "Longest first",
    byStart: "By start",
    bySize: "Largest first",
  },
  compare: {
    heading: "Compare",
    one:
      "Open the page of another run, made by `diya report LOG --html`, or its report as JSON: both timelines " +
      "share one axis, and all differences are listed. You can open several. `diya compare A B` prints the " +
      "same in the terminal, and whether it exceeds the run-to-run variation.",
    timelines: "Timelines",
    noCalls: "The other file has no calls, so its timeline cannot be drawn.",
    align: "Align at",
    alignments: { start: "the start of the job", phase: "the first I/O phase", last: "the last I/O phase" },
    hint: (length: string) =>
      `${length} are visible. Drag to zoom in, wheel to zoom, Shift and drag to pan. All runs move together.`,
    open: "Open a report to compare with",
    drop: "or drop its file here",
    shows: [
      "Timelines of both runs below each other on one axis",
      "Findings that are gone, new, or in both",
      "Times, bytes and calls of both, and how much better or worse each is",
      "In Source lines: a flame graph in the colours of the change",
    ],
    isLocal: "The file stays in this browser.",
    isLog: (name: string) => `${name} is a log. Make a report of it first: diya report ${name} --html other.html`,
    choose: "Compare with a run of this folder",
    chooseOne: "choose one…",
    opening: "reading it…",
    closeAll: "Close all",
    first: "This run",
    second: "Other run",
    metric: "Metric",
    factor: "Factor",
    findings: "Findings",
    gone: "gone",
    fresh: "new",
    stays: "in both",
    phases: "Phase by phase",
    wrongFile: "This file is not a report of diya.",
    summary: (faster: string) => faster,
  },
  tables: {
    heading: "Tables",
    choose: "Table",
    search: "Filter rows",
    rows: (count: number) => (count === 1 ? "1 row" : `${formatCount(count)} rows`),
  },
  keys: keysText,
  sentence: {
    bytes: formatBytes,
    rate: formatRate,
    seconds: formatSeconds,
    ratio: formatRatio,
  },
};

/** Name of a layer for people; unknown ones keep theirs. */
export const layerName = (layer: string): string => text.layers[layer] ?? layer;
