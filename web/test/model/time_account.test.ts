/** What the sentence of the first page leaves to the bar below it. */

import { expect, it } from "vitest";
import { parseReport } from "../../src/data/parse_report";
import { accountParts, accountRows, fillOf, outsideCalls, transferRate } from "../../src/model/time_account";

type Row = [layer: string, of: string, time_s: number, calls: number, named?: string];
const report = (nprocs: number, ...rows: Row[]) =>
  parseReport({
    schema_version: 1,
    job: { nprocs },
    verdict: { text: "", bytes: 1e9 },
    time_account: rows.map(([layer, of, time_s, calls, named = null]) => ({
      layer,
      class: of,
      op: null,
      function: named,
      time_s,
      calls,
      bytes: 0,
    })),
  });
const names = (...of: Parameters<typeof report>): string[] => accountParts(report(...of)).map((part) => part.name);

it("the parts have the names of the sentence: one process waits for its threads, not for ranks", () => {
  expect(names(1, ["posix", "wait", 2, 0], ["posix", "wait", 1, 0, "naps"])).toEqual([
    "waiting for other threads",
    "sleeping between polls",
  ]);
  expect(names(4, ["posix", "wait", 2, 0], ["mpiio", "wait", 1, 8])).toEqual([
    "waiting for other processes",
    "waiting and data exchange between ranks",
  ]);
  expect(
    names(
      1,
      ["hdf5_dataset", "library", 2, 9],
      ["posix", "library", 1, 9, "compression"],
      ["program", "computing", 3, 0],
    ),
  ).toEqual(["inside HDF5", "compression", "computing and other work"]);
});

it("parts of one class beside each other differ in shade", () => {
  const parts = accountParts(
    report(4, ["hdf5_dataset", "library", 2, 9], ["mpiio", "library", 1, 9], ["posix", "read", 1, 9]),
  );
  expect(parts.map((part) => [part.name, fillOf(part)])).toEqual([
    ["inside HDF5", "var(--library)"],
    ["inside MPI-IO", "color-mix(in srgb, var(--library) 62%, var(--shade))"],
    ["read", "var(--read)"],
  ]);
});

it("a wait between calls is of no layer, and rows of one name are one row", () => {
  const rows = accountRows(
    report(1, ["posix", "wait", 2, 0, "naps"], ["posix", "wait", 1, 0, "naps"], ["posix", "read", 1, 7, "read"]),
  );
  expect(rows.map(({ name, time_s, calls }) => [name, time_s, calls])).toEqual([
    ["sleeping between polls", 3, 0],
    ["POSIX, read", 1, 7],
  ]);
});

it("the picture of calls says what it does not have", () => {
  const made = report(
    1,
    ["posix", "wait", 0.95, 0],
    ["posix", "library", 0.5, 0, "compression"],
    ["posix", "read", 0.55, 9],
  );
  expect(outsideCalls(made, false)).toEqual(["waiting for other threads 0.95\u202fs", "compression 0.50\u202fs"]);
  expect(outsideCalls(made, true)).toEqual(["waiting for other threads 0.95\u202fs"]);
});

it("the speed is that of reads and writes, without waits; none where they are a small part", () => {
  expect(transferRate(report(2, ["posix", "wait", 3, 0], ["posix", "read", 1, 9], ["posix", "sync", 1, 9]))).toBe(5e8);
  expect(transferRate(report(1, ["posix", "wait", 10, 0], ["posix", "read", 0.5, 9]))).toBeNull();
});

it("the parts of the verdict are those of the bar: the wait for a late rank apart from the exchange of data", () => {
  const made = parseReport({
    schema_version: 1,
    job: { nprocs: 4 },
    verdict: { text: "" },
    time_account: [
      { layer: "mpiio", class: "wait", time_s: 2.5, calls: 9, late_s: 2, awaited: "rank 3" },
      { layer: "program", class: "computing", time_s: 2.5 },
    ],
    time_parts: [
      { name: "waiting for rank 3", class: "wait", time_s: 2, awaited: "rank 3" },
      { name: "data exchange between ranks", class: "exchange", time_s: 0.5 },
      { name: "computing and other work", class: "computing", time_s: 2.5 },
    ],
  });
  expect(accountParts(made).map(({ name, seconds }) => `${name} ${seconds}`)).toEqual([
    "waiting for rank 3 2",
    "data exchange between ranks 0.5",
    "computing and other work 2.5",
  ]);
  expect(accountRows(made).map(({ name }) => name)).toEqual(["MPI-IO, waiting for rank 3, and data exchange"]);
  expect(outsideCalls(made, false)).toEqual([]);
});
