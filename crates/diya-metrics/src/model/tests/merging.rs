//! What merging requests saves: holes, exchange, memory, pauses, threads.

use super::{JOB, rows};
use diya_tables::TableId;

const ONE: (TableId, &str) = (TableId::Job, "log nprocs run_time_s\n 0 1 0.01");

/// `calls` requests of a rank, each `each_s` long, `pause_s` apart, `step`
/// bytes from start to start, all inside one call of a library.
fn stream(rank: i32, op: &str, calls: u32, bytes: u32, step: u32, times: (f64, f64)) -> String {
    let (each_s, pause_s) = times;
    let line = |i: u32| {
        let start_s = f64::from(i) * (each_s + pause_s);
        let from = i * step + rank as u32 * bytes;
        format!("{rank} posix {op} 7 {bytes} {start_s} {} 0 {from} 9\n", start_s + each_s)
    };
    (0..calls).map(line).collect()
}

fn lost(columns: &str, job: (TableId, &str), traced: &str) -> Vec<String> {
    let posix = "log file_id rank\n 0 7 0";
    rows("lost_small_requests", columns, &[job, (TableId::Posix, posix)], traced)
}

fn real(cells: &[String]) -> f64 {
    cells.first().and_then(|cell| cell.parse().ok()).expect("one number")
}

#[test]
fn short_pauses_count_to_what_a_fix_wins_at_most() {
    // 1000 reads of 1 us, 3 us apart: 1 ms in calls, 3 ms between them, of which as much
    // counts as the calls take.
    let close = stream(0, "read", 1000, 64, 64, (1e-6, 3e-6));
    assert!((real(&lost("lost_high_s", ONE, &close)) - 0.002).abs() < 2e-4);
    // What a program does between calls that it makes itself is its computing.
    let own = close.replace(" 9\n", "\n");
    assert!(real(&lost("lost_high_s", ONE, &own)) <= 0.001);
    // 100 us apart is computing.
    let apart = stream(0, "read", 1000, 64, 64, (1e-6, 1e-4));
    assert!(real(&lost("lost_high_s", ONE, &apart)) <= 0.001);
}

#[test]
fn pauses_between_requests_of_different_files_count_nothing() {
    let of = |files: u32| {
        let line = |i: u32| {
            let start_s = f64::from(i) * 4e-6;
            let (file, from) = (7 + i % files, i * 64);
            format!("0 posix read {file} 64 {start_s} {} 0 {from} 9\n", start_s + 1e-6)
        };
        real(&lost("lost_high_s", ONE, &(0..1000).map(line).collect::<String>()))
    };
    assert!(of(1) > 0.0015 && of(2) <= 0.001);
}

#[test]
fn pauses_of_a_job_that_computes_are_no_matter_of_io() {
    let long = (TableId::Job, "log nprocs run_time_s\n 0 1 100");
    let close = stream(0, "read", 1000, 64, 64, (1e-6, 3e-6));
    assert!(real(&lost("lost_high_s", long, &close)) <= 0.001);
}

#[test]
fn interleaved_writes_are_not_merged_without_exchange() {
    let of = |ranks: &[i32]| {
        let all = ranks.iter().map(|rank| stream(*rank, "write", 100, 512, 1024, (1e-3, 0.0)));
        lost("lost_low_s", JOB, &all.collect::<String>())
    };
    assert_eq!(of(&[0, 1]), ["0"]);
    assert_eq!(of(&[0]), ["0"]);
}

#[test]
fn requests_that_memory_serves_win_no_more_than_their_system_calls() {
    // 64 KiB in 20 us: 3 GB/s.
    let of = |op| {
        let traced = stream(0, op, 1000, 65_536, 65_536, (20e-6, 0.0));
        real(&lost("lost_high_s", JOB, &traced))
    };
    assert!((of("read") - 0.001).abs() < 5e-4, "1 us each");
    assert!((of("write") - 0.002).abs() < 5e-4, "2 us each");
}

#[test]
fn quick_requests_of_one_size_win_nothing_for_sure() {
    // The second rank is slower: that is no latency.
    let ranks = [(0, 15e-6), (1, 40e-6)];
    let all = ranks.map(|(rank, s)| stream(rank, "read", 1000, 65_536, 65_536, (s, 0.0)));
    assert_eq!(lost("lost_low_s", JOB, &all.concat()), ["0"]);
}

#[test]
fn calls_that_move_next_to_nothing_are_sure_to_be_spared() {
    // 64 B in 0.5 us: at 1 GB/s a system call is left of it.
    let traced = stream(0, "read", 10_000, 64, 64, (0.5e-6, 0.0));
    assert_eq!(lost("lost_low_s", JOB, &traced), ["0.004"]);
}

#[test]
fn exchange_in_memory_costs_what_merging_spares() {
    // Two ranks in turn, 16 KiB in 6 us each: a copy takes the 4 us that a
    // system call leaves, so handing them on saves nothing.
    let both: String =
        [0, 1].map(|rank| stream(rank, "write", 1000, 16_384, 32_768, (6e-6, 0.0))).concat();
    assert_eq!(lost("lost_high_s", JOB, &both), ["0"]);
    // One rank that merges its own ones spares the calls.
    let own = stream(0, "write", 1000, 16_384, 16_384, (6e-6, 0.0));
    assert_eq!(lost("lost_high_s", JOB, &own), ["0.002"]);
}

#[test]
fn what_a_rank_does_between_calls_of_a_kind_is_no_pause() {
    // Read, write, read, write without a pause; the log lists writes first.
    let call = |op: &str, i: u32, after_s: f64| {
        let start_s = f64::from(i) * 10e-6 + after_s;
        format!("0 posix {op} 7 64 {start_s} {} 0 {} 9\n", start_s + 5e-6, i * 64)
    };
    let writes: String = (0..1000).map(|i| call("write", i, 5e-6)).collect();
    let reads: String = (0..1000).map(|i| call("read", i, 0.0)).collect();
    let posix = [JOB, (TableId::Posix, "log file_id rank\n 0 7 0")];
    let path = rows("critical_path", "layer class high_s", &posix, &(writes + &reads));
    let pauses: Vec<_> = path.iter().filter(|row| row.starts_with("job pause")).collect();
    assert!(pauses.iter().all(|row| *row == "job pause 0"), "{path:?}");
}

#[test]
fn work_of_a_library_between_its_calls_stays() {
    let traced: String = (0..1000)
        .flat_map(|i| [0, 1].map(|rank| (rank, f64::from(i) * 20e-6)))
        .map(|(rank, s)| format!("{rank} mpiio read 7 512 {s} {} 0 - 9\n", s + 2e-6))
        .collect();
    let mpiio = "log file_id rank indep_reads bytes_read f_read_time
                 0   7       0    1000        512000     0.002
                 0   7       1    1000        512000     0.002";
    let high = |hdf5: &str| {
        let tables = [JOB, (TableId::Mpiio, mpiio), (TableId::Hdf5Dataset, hdf5)];
        let short = [(TableId::Job, "log nprocs run_time_s\n 0 2 0.03"), tables[1], tables[2]];
        real(&rows("lost_independent_requests", "lost_high_s", &short, &traced))
    };
    // One call of the program becomes a thousand, or each of them one.
    assert!(high("log file_id rank reads\n 0 9 0 1\n 0 9 1 1") > 0.003);
    assert!(high("log file_id rank reads\n 0 9 0 1000\n 0 9 1 1000") <= 0.002);
}

#[test]
fn a_request_of_threads_at_once_costs_their_share() {
    // Four threads write 4 KiB in 200 us each, all at once: 50 us each.
    let call = |i: u32| {
        let start_s = f64::from(i / 4) * 200e-6;
        format!("0 posix write 7 4096 {start_s} {} {} {}\n", start_s + 200e-6, i % 4, i * 4096)
    };
    let traced: String = (0..4000).map(call).collect();
    let of = |column| real(&rows("request_cost", column, &[JOB], &traced));
    assert!((of("bandwidth_low_bytes_per_s") - 4096.0 / 50e-6).abs() < 1e5);
}

#[test]
fn a_profile_of_another_way_to_the_storage_says_nothing() {
    // 4 KiB in 4 us from a cache; the profile went past it: 100 MB/s and 90 us.
    let profile = "log mount fs_type op is_shared workers latency_s latency_low_s latency_high_s \
                   bandwidth_bytes_per_s calls
                   0  -  -  write  false  1  0.00009  0.00008  0.0001  100000000  99";
    let traced = stream(0, "write", 1000, 4096, 4096, (4e-6, 0.0));
    let lost = |tables: &[(TableId, &str)]| {
        let posix = (TableId::Posix, "log file_id rank\n 0 7 0");
        let tables = [&[JOB, posix], tables].concat();
        rows("lost_small_requests", "lost_high_s", &tables, &traced)
    };
    assert_eq!(lost(&[(TableId::MachineProfile, profile)]), lost(&[]));
}

#[test]
fn edges_of_blocks_are_no_matter_to_memory() {
    let posix = "log file_id rank writes bytes_written file_not_aligned f_write_time
                 0   7       0    100    100           100              1
                 0   7       1    100    100           100              1";
    let on = |kind: &str| {
        let file = format!("log file_id path mount fs_type\n 0 7 /m/a /m {kind}");
        rows(
            "lost_unaligned",
            "lost_high_s",
            &[JOB, (TableId::Posix, posix), (TableId::File, &file)],
            "",
        )
    };
    assert_eq!((on("ext4"), on("tmpfs")), (vec!["0.5".to_owned()], vec!["0".to_owned()]));
}

#[test]
fn threads_at_once_take_the_time_that_passes() {
    let posix = "log file_id rank writes bytes_written f_write_time\n 0 7 0 2 200 4";
    let path = |threads: &str| {
        let tables = [JOB, (TableId::Posix, posix)];
        let all = rows("critical_path", "layer class high_s", &tables, threads);
        all.into_iter().find(|row| row.starts_with("job all")).expect("is there")
    };
    assert_eq!(path("0 posix write 7 100 0 2 1\n0 posix write 7 100 0 2 2"), "job all 2");
    assert_eq!(path("0 posix write 7 100 0 2 1\n0 posix write 7 100 2 4 1"), "job all 4");
}

#[test]
fn requests_that_move_nothing_cannot_be_merged() {
    let empty = stream(0, "read", 1000, 0, 0, (1e-6, 3e-6));
    assert_eq!(lost("small_calls lost_high_s", ONE, &empty), ["0 0"]);
}
