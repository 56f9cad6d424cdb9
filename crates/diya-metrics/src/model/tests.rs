//! Small tables as text in, rows of the model's tables out.

use crate::Catalog;
use crate::from_calls::Calls;
use crate::parts::Parts;
use diya_tables::{BatchSource, Batches, Kind, TableBuilder, TableId};
use std::sync::Arc;

/// A base table of text, `-` for null; columns not named are 0, or null.
fn table(id: TableId, text: &str) -> Arc<dyn BatchSource> {
    let def = id.def();
    let mut table = TableBuilder::new(def);
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let names: Vec<&str> = lines.next().expect("names").split_whitespace().collect();
    assert!(names.iter().all(|name| def.column(name).is_some()), "columns of {}", def.name);
    for line in lines {
        let cells: Vec<&str> = line.split_whitespace().collect();
        for (at, column) in def.columns.iter().enumerate() {
            let cell = names.iter().position(|name| *name == column.name).map(|at| cells[at]);
            let zero =
                if column.kind == Kind::Str && column.null.is_some() { None } else { Some("0") };
            let text = cell.map_or(zero, |cell| Some(cell).filter(|cell| *cell != "-"));
            let real = text.map(|n| n.parse::<f64>().unwrap_or(0.0));
            match column.kind {
                Kind::Str => table.push_str(at, text),
                Kind::Bool => table.push_bool(at, text.map(|n| n == "true")),
                Kind::I32 => table.push_i32(at, real.map(|n| n as i32)),
                Kind::U64 => table.push_u64(at, real.map(|n| n as u64)),
                Kind::F64 => table.push_f64(at, real),
                Kind::I64 | Kind::TimestampNs => table.push_i64(at, real.map(|n| n as i64)),
            }
        }
        table.end_row();
    }
    Arc::new(Batches::new(def, vec![table.into_batch()]))
}

/// `rank layer op file size start end [thread [offset [parent [mode]]]]`, one call per line.
fn calls(text: &str) -> Calls {
    let line = |line: &str| {
        let w: Vec<&str> = line.split_whitespace().collect();
        let [rank, layer, op, file, size, start, end] = w[..7] else { panic!("{line}") };
        let (thread, offset) = (w.get(7).unwrap_or(&"0"), w.get(8).unwrap_or(&"-"));
        let more = w.get(9..).unwrap_or_default().join(" ");
        let parent = if more.is_empty() { more } else { format!(" - {more}") };
        format!("{rank} {layer} {op} {offset} {size} {start} {end} {file} {thread}{parent}\n")
    };
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    Calls::from_text(&lines.map(line).collect::<String>())
}

/// Rows of a table of the model: the columns asked for, real numbers with
/// three digits.
fn rows(name: &str, columns: &str, tables: &[(TableId, &str)], traced: &str) -> Vec<String> {
    let metric = Catalog::built_in().get(name).expect("is there");
    let def = metric.def;
    let tables: Vec<_> = tables.iter().map(|(id, text)| table(*id, text)).collect();
    let compute = metric.computation.expect("is one of the model");
    let rows = Parts::of_calls(calls(traced)).fill(compute, def, &tables);
    let cell = |row: usize, name: &str| {
        let column = def.column(name).unwrap_or_else(|| panic!("no column {name}"));
        let real = rows.f64(column, row).map(|n| ((n * 1e3).round() / 1e3).to_string());
        let whole = rows.i64(column, row).or_else(|| rows.i32(column, row).map(i64::from));
        let whole = whole.or_else(|| rows.u64(column, row).map(|id| id as i64));
        let whole = whole.map(|n| n.to_string());
        real.or(whole).or_else(|| rows.str(column, row).map(str::to_owned)).unwrap_or("-".into())
    };
    let line = |row| columns.split_whitespace().map(|c| cell(row, c)).collect::<Vec<_>>().join(" ");
    (0..rows.rows()).map(line).collect()
}

const JOB: (TableId, &str) = (TableId::Job, "log nprocs run_time_s\n 0 4 100");

const OWN: (TableId, &str) = (
    TableId::Posix,
    "log file_id rank reads writes bytes_written f_read_time f_write_time f_meta_time
     0   1       0    1     1      100           1           5            0
     0   2       1    1     1      100           1           8            1
     0   3       2    1     1      100           1           2            0",
);

#[test]
fn the_slowest_rank_is_the_path_of_files_of_single_ranks() {
    // Rank 1 takes 10 s, the next 6 s: without writes its 2 s are the most,
    // which wins 8 s.
    assert_eq!(
        rows("critical_path", "layer class low_s high_s", &[JOB, OWN], ""),
        [
            "job read 1 1",
            "job write 8 8",
            "job metadata 1 1",
            "job all 10 10",
            "posix read 1 1",
            "posix write 8 8",
            "posix metadata 1 1",
            "posix all 10 10",
        ]
    );
}

#[test]
fn a_file_of_the_slowest_rank_wins_what_the_next_one_leaves() {
    let of = rows("critical_file", "file_id class low_s high_s", &[JOB, OWN], "");
    // Without file 2 rank 0 is the slowest: 6 s are left of 10.
    assert!(of.contains(&"2 all 4 10".to_owned()), "{of:?}");
    assert!(of.contains(&"1 all 0 6".to_owned()), "{of:?}");
}

#[test]
fn a_shared_file_is_a_range() {
    let shared = "log file_id rank f_read_time f_slowest_rank_time\n 0 1 -1 40 16";
    assert_eq!(
        rows("critical_path", "layer class low_s high_s", &[JOB, (TableId::Posix, shared)], ""),
        ["job read 10 16", "job all 10 16", "posix read 10 16", "posix all 10 16"]
    );
}

#[test]
fn each_phase_has_its_slowest_rank() {
    let posix =
        "log file_id rank writes bytes_written f_write_time\n 0 1 0 2 200 4\n 0 1 1 2 200 4";
    let traced = "
        0 posix write 1 100 0  3
        1 posix write 1 100 0  1
        0 posix write 1 100 50 51
        1 posix write 1 100 50 53";
    // 3 s in each phase if ranks wait for each other there; 4 s each in all.
    assert_eq!(
        rows("critical_path", "layer class low_s high_s", &[JOB, (TableId::Posix, posix)], traced),
        ["job write 4 6", "job all 4 6", "posix write 4 6", "posix all 4 6"]
    );
}

#[test]
fn waiting_in_mpiio_is_a_class_of_its_own() {
    let posix = "log file_id rank writes f_write_time\n 0 1 0 1 9";
    let mpiio = "log file_id rank coll_writes f_write_time f_slowest_rank_time\n 0 1 -1 4 13 10";
    let tables = [JOB, (TableId::Posix, posix), (TableId::Mpiio, mpiio)];
    let path = rows("critical_path", "layer class low_s high_s", &tables, "");
    // 4 s of waiting in all, 1 s of them on the rank that writes.
    assert_eq!(path[..3], ["job write 9 9", "job wait 1 1", "job all 9 10"]);
}

#[test]
fn time_of_syncs_is_what_traced_writes_leave() {
    let posix = "log file_id rank writes bytes_written fsyncs f_write_time\n 0 1 0 10 100 10 5";
    let tables = [JOB, (TableId::Posix, posix)];
    let columns = "sync_calls sync_low_s sync_high_s lost_low_s lost_high_s";
    // A sync takes as long as a write at least, and at most all of the time.
    assert_eq!(rows("lost_syncs", columns, &tables, ""), ["10 2.5 5 2.25 4.5"]);
    let traced: String = (0..10).map(|i| format!("0 posix write 1 10 {i} {i}.1\n")).collect();
    assert_eq!(rows("lost_syncs", columns, &tables, &traced), ["10 4 4 3.6 3.6"]);
}

#[test]
fn a_sync_of_few_bytes_takes_time_for_the_sync_not_for_the_bytes() {
    // 0.2 s in a sync of 32 KiB: half of it writes them, at most.
    let posix = "log file_id rank writes bytes_written fsyncs f_write_time\n 0 1 0 10 327680 10 3";
    let traced: String = (0..10).map(|i| format!("0 posix write 1 32768 {i} {i}.1\n")).collect();
    let few = rows("lost_syncs", "lost_low_s", &[JOB, (TableId::Posix, posix)], &traced);
    assert_eq!(few, ["1.793"]); // 1.8 s less the bytes at 50 MB/s
    let posix = posix.replace("327680", "327680000");
    let traced: String = (0..10).map(|i| format!("0 posix write 1 32768000 {i} {i}.1\n")).collect();
    let tables = [JOB, (TableId::Posix, posix.as_str())];
    assert_eq!(rows("lost_syncs", "lost_low_s", &tables, &traced), ["0"]);
}

#[test]
fn merging_small_requests_saves_their_latency() {
    // 1 ms each, and 100 MB/s.
    let posix = "log file_id rank writes consec_writes bytes_written f_write_time
                 0   1       0    10000  9999          10240000      10.1024
                 0   2       0    10     9             1000000000    10.01";
    let bins = "log file_id rank layer op    size_lo_bytes size_hi_bytes calls
                0   1       0    posix write 101           1024          10000";
    let tables = [JOB, (TableId::Posix, posix), (TableId::SizeHistogram, bins)];
    assert_eq!(
        rows(
            "lost_small_requests",
            "op small_calls merged_calls lost_low_s lost_high_s",
            &tables,
            ""
        ),
        ["write 10000 3 9.997 9.997"]
    );
}

#[test]
fn small_requests_alone_do_not_tell_what_larger_ones_take() {
    let posix = "log file_id rank writes consec_writes bytes_written f_write_time
                 0   1       0    10000  9999          10240000      10";
    let bins = "log file_id rank layer op    size_lo_bytes size_hi_bytes calls
                0   1       0    posix write 101           1024          10000";
    let tables = [JOB, (TableId::Posix, posix), (TableId::SizeHistogram, bins)];
    let lost = rows("lost_small_requests", "lost_low_s lost_high_s", &tables, "");
    // If a request is all latency, three are left; if none of it, nothing is won.
    assert_eq!(lost, ["0 9.997"]);
}

#[test]
fn large_independent_requests_gain_nothing_by_collective_ones() {
    let of = |bytes: i64| {
        let mpiio = format!(
            "log file_id rank indep_writes bytes_written f_write_time f_slowest_rank_time
             0   1       -1   100          {bytes}       40           12"
        );
        rows("lost_independent_requests", "lost_high_s", &[JOB, (TableId::Mpiio, &mpiio)], "")
    };
    assert_eq!(of(100 * 1024), ["12"]);
    assert_eq!(of(100 * 4 * 1024 * 1024), Vec::<String>::new());
}

#[test]
fn opens_of_a_file_are_spared_but_one() {
    let posix = "log file_id rank opens f_meta_time\n 0 1 0 100 10";
    let columns = "open_calls per_rank_calls lost_low_s lost_high_s";
    assert_eq!(
        rows("lost_opens", columns, &[JOB, (TableId::Posix, posix)], ""),
        ["100 100 4.95 9.9"]
    );
}

#[test]
fn one_rank_that_does_all_is_found_in_both_kinds_of_records() {
    let columns = "op rank rank_bytes bytes lost_low_s lost_high_s";
    let own = "log file_id rank bytes_read f_read_time bytes_written f_write_time
               0   1       0    0          0           900           8
               0   2       1    300        1           100           1";
    assert_eq!(
        rows("lost_single_rank", columns, &[JOB, (TableId::Posix, own)], ""),
        ["read 1 300 300 0 0.75", "write 0 900 1000 0 6"]
    );
    let shared = "log file_id rank bytes_written f_write_time slowest_rank slowest_rank_bytes f_slowest_rank_time
                  0   1       -1   1000          8            3            990                7.6";
    assert_eq!(
        rows("lost_single_rank", columns, &[JOB, (TableId::Posix, shared)], ""),
        ["write 3 990 1000 0 5.7"]
    );
}

#[test]
fn reading_again_costs_its_time_however_quick_it_is() {
    // A gigabyte from memory in 0.1 s, of a file of 10 MB: 10 GB/s.
    let posix = "log file_id rank reads bytes_read max_byte_read f_read_time
                 0   1       0    100   1000000000 9999999       0.1";
    let lost = rows("lost_rereads", "lost_low_s lost_high_s", &[JOB, (TableId::Posix, posix)], "");
    assert_eq!(lost, ["0.05 0.099"]);
}

#[test]
fn streams_and_descriptors_read_one_file() {
    // numpy reads the header of a file by itself, the array through a stream.
    let posix = "file_id rank reads bytes_read max_byte_read f_read_time
                 7 0 100 1000 9 0.1";
    let stdio = "file_id rank reads bytes_read max_byte_read f_read_time
                 7 0 100 99000 999 0.9";
    let tables = [JOB, (TableId::Posix, posix), (TableId::Stdio, stdio)];
    let lost = rows("lost_rereads", "again_bytes lost_high_s", &tables, "");
    assert_eq!(lost, ["99000 0.99"]);
}

#[test]
fn passing_on_what_another_rank_read_wins_no_copy() {
    // Each of four ranks reads the file once: memory serves three of them.
    let posix = "log file_id rank reads bytes_read max_byte_read f_read_time f_slowest_rank_time
                 0   1       -1   100   1000000000 249999999     0.4         0.1";
    let lost = rows("lost_rereads", "lost_low_s lost_high_s", &[JOB, (TableId::Posix, posix)], "");
    assert_eq!(lost, ["0 0"]);
}

#[test]
fn calls_that_a_trace_holds_in_part_are_priced_by_their_counters() {
    // 10,000 reads of 1 ms, of which the trace has the first two.
    let posix = "log file_id rank reads consec_reads bytes_read f_read_time
                 0   1       0    10000 9999         10240000   10";
    let bins = "log file_id rank layer op   size_lo_bytes size_hi_bytes calls
                0   1       0    posix read 101           1024          10000";
    let tables = [JOB, (TableId::Posix, posix), (TableId::SizeHistogram, bins)];
    let traced = "0 posix read 1 1024 0 0.001\n0 posix read 1 1024 1 1.001";
    let lost = rows("lost_small_requests", "small_calls lost_high_s", &tables, traced);
    assert_eq!(lost, ["10000 9.997"]);
}

#[test]
fn opens_of_darshan_do_not_count_fileno_and_dup() {
    let posix = "log file_id rank opens filenos dups f_meta_time\n 0 1 0 1000 900 90 10";
    let of = |format: &str| {
        let job = format!("log format nprocs run_time_s\n 0 {format} 1 100");
        let tables = [(TableId::Job, job.as_str()), (TableId::Posix, posix)];
        rows("lost_opens", "open_calls", &tables, "")
    };
    assert_eq!((of("darshan"), of("diya")), (vec!["10".to_owned()], vec!["1000".to_owned()]));
}

#[test]
fn opens_of_streams_count() {
    let stdio = "log file_id rank opens f_meta_time\n 0 1 0 100 10";
    assert_eq!(rows("lost_opens", "lost_high_s", &[JOB, (TableId::Stdio, stdio)], ""), ["9.9"]);
}

#[test]
fn ranks_that_take_turns_are_as_slow_as_all_of_them() {
    let posix = "log file_id rank writes bytes_written f_write_time
                 0   1       0    1      100           2
                 0   1       1    1      100           2";
    let path = |second: &str| {
        let traced = format!("0 posix write 1 100 0 2\n1 posix write 1 100 {second}");
        let tables = [JOB, (TableId::Posix, posix)];
        rows("critical_path", "layer class low_s high_s", &tables, &traced)[0].clone()
    };
    assert_eq!(path("2 4"), "job write 4 4");
    assert_eq!(path("0 2"), "job write 2 2");
}

#[test]
fn no_fix_wins_more_than_the_run_took() {
    let posix = "log file_id rank opens f_meta_time\n 0 1 0 100 1000";
    assert_eq!(rows("lost_opens", "lost_high_s", &[JOB, (TableId::Posix, posix)], ""), ["100"]);
}

#[test]
fn a_profile_tells_what_the_log_leaves_open() {
    let posix = "log file_id rank writes bytes_written f_write_time\n 0 1 0 1000 1024000 1";
    let profile = "log mount fs_type op is_shared workers latency_s latency_low_s latency_high_s \
                   bandwidth_bytes_per_s calls
                   0  -  -  write  false  1  0.0009  0.0008  0.00095  100000000  99";
    let tables = [JOB, (TableId::Posix, posix), (TableId::MachineProfile, profile)];
    assert_eq!(
        rows("request_cost", "op source bandwidth_bytes_per_s", &tables, ""),
        ["write profile 100000000"]
    );
}

mod account;
mod independent;
mod merging;
