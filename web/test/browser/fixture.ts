/**
 * A small run with known answers: 16 ranks on 2 nodes, 3 phases.
 *
 * In each phase ranks write 4 MiB collectively (ranks 0 and 8 do it for all),
 * then all read the same 544 bytes 12 times. In phase 1 rank 5 sits 0.6 s in a
 * write of 544 bytes. Target 1 gets the most bytes.
 */

const RANKS = 16;
const PHASES = 3;

/**
 * The same with call stacks: all is called by main, reads by load, and writes by save and by flush, which save calls.
 */
export const stacked = (): string => {
  const [names, ...rows] = timeline().split("\n");
  const stack = (row: string): number => (row.includes("MPI_File") ? 1 : row.includes("pwrite") ? 2 : 3);
  return [
    `${names} stack`,
    ...rows.map((row) => `${row} ${stack(row)}`),
    "#stack 1 sim.c:31 save|sim.c:12 main",
    "#stack 2 out.c:7 flush|sim.c:33 save|sim.c:12 main",
    "#stack 3 in.c:5 load|sim.c:10 main",
  ].join("\n");
};

export function timeline(
  paths: { readonly out: string; readonly inn: string } = { out: "/scratch/run/out.h5", inn: "/scratch/run/in.h5" },
): string {
  const rows = ["rank host layer op file function start end offset size"];
  const row = (...words: (string | number)[]): void => void rows.push(words.join(" "));
  for (let phase = 0; phase < PHASES; phase += 1) {
    const t = 1 + phase * 2;
    for (let rank = 0; rank < RANKS; rank += 1) {
      const host = rank < 8 ? "nid00001" : "nid00002";
      row(
        rank,
        host,
        "mpiio",
        "write",
        paths.out,
        "MPI_File_write_all",
        t,
        t + 0.7,
        (phase * RANKS + rank) * 262144,
        262144,
      );
      for (let k = 0; k < 12; k += 1)
        row(
          rank,
          host,
          "posix",
          "read",
          paths.inn,
          "pread",
          (t + 0.8 + k * 0.01).toFixed(3),
          (t + 0.805 + k * 0.01).toFixed(3),
          96,
          544,
        );
    }
    for (const rank of [0, 8])
      row(
        rank,
        rank < 8 ? "nid00001" : "nid00002",
        "posix",
        "write",
        paths.out,
        "pwrite",
        (t + 0.05).toFixed(3),
        (t + 0.25).toFixed(3),
        (phase * RANKS + rank) * 262144,
        8 * 262144,
      );
    if (phase === 1)
      row(5, "nid00001", "posix", "write", paths.out, "pwrite", (t + 0.1).toFixed(3), (t + 0.7).toFixed(3), 96, 544);
  }
  return rows.join("\n");
}

type Cell = string | number | null;

/** Columns as `name:unit`. */
function table(title: string, columns: string, ...rows: Cell[][]): object {
  const named = columns.split(" ").map((column) => {
    const [name, unit = ""] = column.split(":");
    return { name, type: "f64", unit, doc: "" };
  });
  return { title, columns: named, rows, rows_in_all: rows.length };
}

const FINDING = {
  id: "posix/stuck-calls",
  layer: "posix",
  code: "PX900",
  title: "Few calls hold up a phase",
  severity: "high",
  lost_low_s: 0.4,
  lost_high_s: 0.6,
  explained_by: null,
  text: "1 write of rank 5 takes 600 ms for 544 B, and all other ranks wait.",
  evidence: [
    {
      text: "1 write of rank 5 takes 600 ms for 544 B, and all other ranks wait.",
      values: { layer: "posix", op: "write", calls: 1 },
    },
    { text: "It is in phase 1.", values: {} },
  ],
  evidence_rows: 2,
  thresholds: { times: { value: 10, unit: "1", why: "ten times what such a request takes" } },
  files: ["/scratch/run/out.h5"],
  ranks: [5],
  window_s: [3.1, 3.7],
  targets: [],
  source: [],
  actions: [
    { stack: "any", fits: true, text: "Write small blocks from one rank." },
    { stack: "HDF5", op: "write", fits: true, text: "```c\nH5Pset_coll_metadata_write(fapl, 1);\n```" },
    { stack: "HDF5", op: "read", text: "`H5Pset_all_coll_metadata_ops(fapl, 1);`" },
    { stack: "Python", text: "Write once." },
  ],
  gain: "2 times, elsewhere.",
  contraindications: ["None known."],
  verify: "`longest_s` of phase 1.",
  wrong_when: "The node was busy with something else.",
};

export function report(out = "/scratch/run/out.h5"): Record<string, unknown> {
  const ranks = Array.from({ length: RANKS }, (_, rank) => rank);
  return {
    schema_version: 1,
    program: "diya test",
    logs: ["run.darshan"],
    job: {
      id: 7,
      command: `./app ${out}`,
      nprocs: RANKS,
      nodes: 2,
      start: "2026-01-01T00:00:00Z",
      run_s: 7,
      stacks: ["MPI-IO", "POSIX", "HDF5"],
    },
    verdict: {
      text: "I/O took 3 s of the 7 s run (43 %).",
      io_share: 0.43,
      io_s: 3,
      io_low_s: 3,
      io_high_s: 3,
      run_s: 7,
      bytes: 12_582_912,
      throughput_bytes_per_s: 4_194_304,
      confidence: "high",
      not_captured: ["memory-mapped files"],
    },
    time_account: [
      ["mpiio", "wait", 2.1],
      ["posix", "read", 0.18],
      ["posix", "write", 0.7],
      ["posix", "metadata", 0.02],
      ["program", "computing", 4],
    ].map(([layer, of, time_s]) => ({
      layer,
      class: of,
      op: null,
      function: null,
      time_s,
      calls: 1,
      bytes: 0,
      files: 1,
      is_at_speed: false,
    })),
    all_fixed: { lost_low_s: 0.4, lost_high_s: 0.6 },
    findings: [
      { ...FINDING, files: [out] },
      {
        ...FINDING,
        id: "posix/extents-reread",
        title: "Reads of the same bytes",
        severity: "info",
        lost_low_s: null,
        lost_high_s: 0.05,
        ranks: [],
        files: [],
        window_s: null,
        text: "576 reads go to 1 extent.",
      },
    ],
    passed: [{ id: "a/b", title: "Passed check" }],
    not_applicable: [],
    unknown: [{ id: "c/d", title: "Unknown check", reason: "no DXT" }],
    problems: [],
    metrics: {
      rank_io: table(
        "Time in I/O of each rank",
        "rank:rank io_s:s bytes:bytes",
        ...ranks.map((rank) => [rank, rank === 5 ? 2.7 : 2.1, rank % 8 === 0 ? 6_291_456 : 6528]),
      ),
      rank_layer: table(
        "What each rank did",
        "rank:rank layer bytes_read:bytes bytes_written:bytes",
        ...ranks.map((rank) => [rank, "posix", 19_584, rank % 8 === 0 ? 6_291_456 : 0]),
      ),
      phase: table(
        "Phases",
        "layer phase:index start_s:s end_s:s duration_s:s bytes_read:bytes bytes_written:bytes ranks:ranks",
        ...[0, 1, 2].map((p) => ["posix", p, 1 + p * 2, 1.93 + p * 2, 0.93, 104_448, 4_194_304, 16]),
      ),
      phase_summary: table("Phases in short", "layer phases:phases duty_ratio:1 period_s:s period_spread_ratio:1", [
        "posix",
        3,
        0.4,
        2,
        0,
      ]),
      phase_straggler: table(
        "The straggler of each phase",
        "layer phase:index slowest_rank:rank slowest_io_s:s median_io_s:s waited_s:s",
        ["posix", 0, 0, 0.26, 0.06, 0],
        ["posix", 1, 5, 0.66, 0.06, 0.45],
        ["posix", 2, 8, 0.26, 0.06, 0],
      ),
      phase_rank: table(
        "Ranks in phases",
        "layer phase:index rank:rank io_s:s longest_s:s first_s:s",
        ...ranks.map((rank) => ["posix", 1, rank, rank === 5 ? 0.66 : 0.06, rank === 5 ? 0.6 : 0.005, 3]),
      ),
      target_load: table(
        "Load of targets",
        "ost_id:id op bytes:bytes time_s:s bandwidth_bytes_per_s:bytes/s",
        [0, "write", 4_194_304, 0.4, 1e7],
        [1, "write", 8_388_608, 0.8, 1e7],
      ),
      redundancy: table(
        "Bytes moved more than once",
        "file_id:file_id layer op calls:calls extents:extents bytes:bytes redundant_bytes:bytes time_s:s",
        ["1001", "posix", "read", 576, 1, 313_344, 312_800, 2.88],
      ),
      size_distribution: table(
        "Sizes",
        "layer op size_lo_bytes:bytes calls:calls",
        ["posix", "read", 101, 576],
        ["posix", "write", 1_048_577, 6],
        ["mpiio", "write", 102_401, 48],
      ),
      size_time: table(
        "Time by size",
        "layer op size_lo_bytes:bytes calls:calls bytes:bytes time_s:s calls_ratio:1 bytes_ratio:1 time_ratio:1",
        ["posix", "read", 101, 576, 313_344, 2.88, 0.99, 0.02, 0.7],
        ["posix", "write", 1_048_577, 6, 12_582_912, 1.2, 0.01, 0.98, 0.3],
      ),
      layer_transformation: table(
        "Layers",
        "file_id:file_id op mpiio_calls:calls mpiio_bytes:bytes posix_calls:calls posix_bytes:bytes",
        ["1000", "write", 48, 12_582_912, 7, 12_583_456],
      ),
      aggregation: table("Aggregators", "file_id:file_id op mpiio_ranks:ranks posix_ranks:ranks", [
        "1000",
        "write",
        16,
        3,
      ]),
      layer_op: table(
        "Layers",
        "layer op calls:calls bytes:bytes process_s:s",
        ["mpiio", "write", 48, 12_582_912, 2.1],
        ["posix", "read", 576, 313_344, 0.18],
        ["posix", "metadata", 32, null, 0.02],
      ),
      file_layer: table(
        "Files",
        "file_id:file_id layer sharing ranks:ranks opens:calls reads:calls writes:calls bytes_read:bytes " +
          "bytes_written:bytes size_bytes:bytes time_s:s metadata_ratio:1 slowest_s:s",
        ["1000", "posix", "all", 16, 16, 0, 7, 0, 12_583_456, 12_582_912, 1.8, 0.01, 0.6],
        ["1000", "mpiio", "all", 16, 16, 0, 48, 0, 12_582_912, 12_582_912, 33.6, 0, 2.1],
        ["1001", "posix", "all", 16, 16, 576, 0, 313_344, 0, 640, 2.88, 0.05, 0.2],
      ),
      job_summary: table("Summary", "layer files:files", ["posix", 2]),
    },
  };
}

export const LAYOUT = { "/scratch/run/out.h5": [1_048_576, 2] };
