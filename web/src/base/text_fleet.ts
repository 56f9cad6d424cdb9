/** English text of the page of a fleet; the rest is in text.ts. */

import { formatCount } from "./format";

export const text = {
  heading: "All jobs",
  opening: "Opening the jobs…",
  judging: (jobs: number) => `Running the checks on ${formatCount(jobs)} ${jobs === 1 ? "job" : "jobs"}…`,
  failed: "This page cannot show its data",
  damaged:
    "The data in this file are damaged: the file is truncated or was changed. Make it again with `diya fleet report`.",
  filters: {
    label: "Filters",
    system: "System",
    all: "all",
    user: "User",
    program: "Program",
    project: "Project",
    from: "From",
    to: "To",
    search: "Search user, program, path",
    searchProject: "Search user, program, project, path",
    clear: "Clear filters",
  },
  figures: {
    jobs: "jobs",
    users: "users",
    programs: "programs",
    coreHours: "core-hours",
    bytes: "read and written",
    share: "of the core-hours in I/O",
    saved: "core-hours: estimated saving",
    days: "first to last start (UTC)",
  },
  layers:
    "The estimated saving is more than the time in I/O: it includes time that processes wait in MPI-IO and " +
    "HDF5 calls. The share in I/O counts the calls that reach the file system.",
  coverage: "Not covered",
  isWhole: "Every file that was found is a job below, with run time, number of processes, and checks.",
  reasons: "One of the reasons for each",
  jobs: {
    heading: "Jobs",
    lead:
      "Open, a double click or Enter shows the report of a job that has one beside this page (diya fleet report " +
      "--job-pages N writes them, diya fleet serve has all). A column name sorts.",
    leadLive: "Open, a double click or Enter shows the report of a job. A column name sorts.",
    open: "Open",
    openTitle: "Open the page of this job",
    verdict: "Verdict",
    waiting: (waiting: number) => `${formatCount(waiting)} not judged yet`,
    compare: "Compare with another job",
    compareWith: (name: string) => `Compare ${name} with which one?`,
    withThis: "With this one",
    withNone: "With none",
    cutLive: (shown: number, all: number) =>
      `The table has the ${formatCount(shown)} jobs with the most core-hours in I/O, of ${formatCount(all)} ` +
      "that match the filters. The figures cover all of them.",
    cut: (shown: number, all: number) =>
      `The table has the ${formatCount(shown)} jobs with the most core-hours in I/O, of ${formatCount(all)}. ` +
      "Filters apply to these; the figures above cover all jobs while no filter is set.",
    found: (found: number, all: number) => `${formatCount(found)} of ${formatCount(all)} jobs`,
    none: "No job matches the filters.",
    label: "Jobs, one per row",
    log: "Log",
    command: "Open it",
    copy: "Copy command",
    copied: "Copied",
    csv: "CSV",
    csvTitle: "Save these jobs as CSV",
  },
  verdicts: {
    not_the_problem: "no problem",
    findings: "findings",
    at_speed: "at speed",
    not_judged: "not judged",
  } as Readonly<Record<string, string>>,
  questions: {
    heading: "Questions",
    lead:
      "Each section covers all jobs of the dataset. A filter leaves out rows of other systems, users, programs, " +
      "projects and jobs; what counts several of them together stays and is marked. With diya fleet serve every " +
      "question is answered anew.",
    ofAll:
      "This answer is of all jobs: in a file it cannot be counted anew for the filter; diya fleet serve does that.",
    leadLive: "Each section covers the jobs that the filters leave.",
    working: "Working…",
    contents: "Contents",
    sql: "SQL",
    parameters: "Parameters",
    ask: "In a terminal:",
    rows: (rows: number) => (rows === 1 ? "1 row." : `${formatCount(rows)} rows.`),
    noRows: "The answer has no rows: nothing of this kind was found.",
    error: "This question has no answer:",
    toJob: "Choose a row to find its job in the table of jobs.",
    toTop: "Back to the jobs",
  },
  sql: {
    heading: "SQL",
    lead:
      "Over the tables of the dataset, for the jobs that the filters leave. Reading only: at most 30 s and " +
      "10,000 rows.",
    label: "Statement",
    run: "Run",
    answer: "Answer",
    example:
      "select program, count(*) as jobs, sum(bytes_read + bytes_written) / 1e12 as terabytes\nfrom " +
      "job\ngroup by program\norder by terabytes desc\nlimit 20",
  },
  picture: {
    none: "not recorded",
    others: "all others",
    noDate: "no date",
    month: "month of the start",
    time: "time (UTC)",
    power: (unit: string) => `${unit}, from this power of ten to the next`,
    ratio: "part",
    shareOfAll: "part of all core-hours in I/O",
    first: (of: readonly string[]) => `the first so many (${of.join(", ")})`,
  },
} as const;
