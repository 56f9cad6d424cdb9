/** Which jobs filters leave, and what the first screen says of them. */

import { describe, expect, it } from "vitest";
import type { MetricTable } from "../../src/data/report";
import { openCommand } from "../../src/fleet/model/command";
import type { Head } from "../../src/fleet/model/head";
import { parseHead } from "../../src/fleet/model/head";
import { coverageOf, headlineOf, headlineOfTotals, sentenceOf } from "../../src/fleet/model/headline";
import type { JobColumn, JobFilter } from "../../src/fleet/model/jobs";
import { filteredJobs, jobsOf, namesOf, NO_FILTER, sortedJobs } from "../../src/fleet/model/jobs";
import { narrowedAnswer } from "../../src/fleet/model/narrow";
import { readFilter, writeFilter } from "../../src/fleet/model/route";
import { DAY_S, JOBS, manyJobs, packed, START_S } from "./fixture";

const jobs = jobsOf(packed({ jobs: JOBS }));
const all = sortedJobs(jobs, "start_s", false);
const left = (filter: Partial<JobFilter>): number[] => [...filteredJobs(jobs, all, { ...NO_FILTER, ...filter })];
const sorted = (column: JobColumn, isDescending = false): number[] => [...sortedJobs(jobs, column, isDescending)];

describe("a filter", () => {
  it("leaves all where it is empty", () => expect(left({})).toEqual([0, 1, 2, 3]));
  it("is a system", () => expect(left({ system: "beta" })).toEqual([2, 3]));
  it("is a whole name where there is one, otherwise a part", () => {
    expect(left({ program: "sim" })).toEqual([0]);
    expect(left({ program: "si" })).toEqual([0, 1]);
    expect(left({ user: "ANNA" })).toEqual([0, 1]);
  });
  it("is a time, which a job without a start has not", () => {
    expect(left({ from_s: START_S + DAY_S })).toEqual([1, 2]);
    expect(left({ before_s: START_S + DAY_S })).toEqual([0]);
  });
  it("is text in user, program or path", () => {
    expect(left({ search: "bert's" })).toEqual([2]);
    expect(left({ search: "onerror" })).toEqual([2]);
    expect(left({ search: "nobody" })).toEqual([]);
  });
  it("stands in the address", () => {
    const filter = {
      system: "a b",
      user: "x&y",
      program: "=",
      project: "p/1",
      from_s: START_S,
      before_s: START_S + DAY_S,
      search: "#%\u202e",
    };
    expect(readFilter(writeFilter(filter))).toEqual(filter);
    expect(writeFilter(NO_FILTER)).toBe("");
  });
});

describe("the order", () => {
  it("has what is not recorded last in both directions", () => {
    expect(sorted("start_s", true)).toEqual([2, 1, 0, 3]);
    expect(sorted("bytes")).toEqual([2, 1, 0, 3]);
  });
  it("of names is that of their characters", () => expect(sorted("user_name", true)).toEqual([2, 0, 1, 3]));
  it("can be by what follows from other columns", () => expect(sorted("throughput", true).slice(0, 2)).toEqual([0, 1]));
});

describe("the headline", () => {
  it("sums core-hours, with I/O time up to the run time", () => {
    const of = headlineOf(jobs, all);
    expect(of).toMatchObject({
      jobs: 4,
      users: 2,
      programs: 3,
      core_hours: 111,
      io_core_hours: 60,
      saved_core_hours: 20,
      bytes: 1.005e12,
      timed: 3,
      judged: 3,
      partial: 1,
    });
    expect(sentenceOf(of)).toBe(
      "I/O takes 54\u202f% of 111\u202fcore-hours in 4 jobs. Estimated saving of all fixes: 20\u202fcore-hours.",
    );
  });
  it("follows the filter", () =>
    expect(headlineOf(jobs, Uint32Array.of(2))).toMatchObject({ jobs: 1, core_hours: 1, io_core_hours: 0, bytes: 0 }));
  it("does not take unknown for nothing", () => {
    expect(sentenceOf(headlineOf(jobs, Uint32Array.of(2)))).toContain("The saving is unknown");
    expect(sentenceOf(headlineOf(jobs, Uint32Array.of(3)))).toContain("core-hours are unknown");
    expect(sentenceOf(headlineOf(jobs, new Uint32Array()))).toBe("No job matches the filters.");
  });
  it("of the totals is the same", () => {
    const totals = {
      jobs: 4,
      users: 2,
      programs: 3,
      core_hours: 111,
      io_core_hours: 60,
      recoverable_core_hours: 20,
      bytes_read: 1e12,
      bytes_written: 5e9,
      timed_jobs: 3,
      judged_jobs: 3,
      partial_jobs: 1,
      first_start: "2026-03-01T00:00:00",
      last_start: "2026-03-03T00:00:00Z",
    };
    expect(headlineOfTotals(parseHead({ version: 1, totals }).totals)).toEqual(headlineOf(jobs, all));
  });
});

it("coverage names what is missing", () => {
  const files = [
    { status: "ok", files: 4 },
    { status: "quarantine", files: 1, example_error: "no log" },
    { status: "duplicate", files: 2 },
  ];
  const head: Head = parseHead({ version: 1, files });
  expect(coverageOf(head, headlineOf(jobs, all))).toEqual([
    "1 file could not be read as a log (quarantine)",
    "2 files are copies of a log that counts once",
    "1 job with a damaged or incomplete log: their numbers are at least these",
    "1 job without run time or number of processes: not in the core-hours",
    "1 job without checks: not in the estimated saving",
  ]);
});

it("data of another version are refused", () => expect(() => parseHead({ version: 99 })).toThrow(/make it again/));
it("names come with the most frequent first", () =>
  expect(namesOf(jobs, "system").map(({ name }) => name)).toEqual(["alpha", "beta"]));

it("a command is quoted for the shell", () => {
  expect(openCommand("/logs/a-1.darshan")).toBe("diya open /logs/a-1.darshan");
  expect(openCommand("/logs/it's $(rm).darshan")).toBe("diya open '/logs/it'\\''s $(rm).darshan'");
  expect(openCommand("-odd")).toBe("diya open -- '-odd'");
});

it("a hundred thousand jobs are filtered and summed within 0.2 s", () => {
  const many = jobsOf(packed({ jobs: manyJobs(100_000) }));
  const order = sortedJobs(many, "saved_core_hours", true);
  filteredJobs(many, order, { ...NO_FILTER, search: "x" });
  const begin = performance.now();
  const found = filteredJobs(many, order, { ...NO_FILTER, user: "user5", search: "darshan" });
  const of = headlineOf(many, found);
  expect(of.jobs).toBe(101);
  expect(performance.now() - begin).toBeLessThan(200);
});

describe("an answer in a file, under a filter", () => {
  const table = (columns: string, ...rows: (string | number)[][]): MetricTable =>
    ({
      title: "",
      columns: columns.split(" ").map((name) => ({ name, unit: "1", doc: "" })),
      rows,
      rows_in_all: rows.length,
    }) as unknown as MetricTable;
  const narrowed = (answer: MetricTable, part: Partial<JobFilter>): unknown[] | null => {
    const filter = { ...NO_FILTER, ...part };
    const of = narrowedAnswer(answer, jobs, filteredJobs(jobs, all, filter), filter);
    return of && of.rows.map((row) => row[0]);
  };
  const users = table("user_name jobs", ["anna", 2], ["bert", 1]);
  it("keeps the rows of whom it is about", () => expect(narrowed(users, { user: "anna" })).toEqual(["anna"]));
  it("is of all jobs where its rows count those of several", () => {
    expect(narrowed(users, { system: "beta" })).toBeNull();
    expect(narrowed(users, { from_s: START_S })).toBeNull();
  });
  it("keeps the jobs that are left", () => {
    const worst = table("path lost_s", ["/logs/anna_sim_1.darshan", 1], ["/logs/bert's.darshan", 2]);
    expect(narrowed(worst, { before_s: START_S + DAY_S })).toEqual(["/logs/anna_sim_1.darshan"]);
  });
});
