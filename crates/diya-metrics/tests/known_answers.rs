//! What is known of public logs comes out. Without the shared logs beside the
//! repository there is nothing to ask.

use diya::{OpenOptions, Trace, input};
use diya_metrics::{Catalog, compute};
use diya_query::Query;

/// The first row of the answer, when the log is there.
fn ask(log: &str, metric: &str, sql: &str) -> Option<String> {
    let logs = diya_testkit::shared_logs();
    let path = logs.iter().find(|path| path.to_string_lossy().contains(log))?;
    let inputs = input::logs(&[path]).expect("the log is there");
    let trace = Trace::open(&inputs, &OpenOptions::default()).expect("the log is read");
    let computed = compute(Catalog::built_in(), trace.tables(), &[metric], 1).expect("runs");
    let mut tables = trace.tables().to_vec();
    tables.extend(computed.tables);
    let rows = Query::new(&tables, 1).expect("starts").run(sql).expect("is answered");
    let row = arrow::util::pretty::pretty_format_batches(&rows.batches).expect("is text");
    let cells = row.to_string().lines().nth(3)?.replace('|', " ");
    Some(cells.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn openpmd_reads_few_extents_many_times() {
    let sql = "select calls, extents from redundancy where layer = 'posix' and op = 'read'";
    if let Some(row) = ask("jeanbez_8_benchmark_parallel", "redundancy", sql) {
        assert_eq!(row, "122942 175");
    }
}

#[test]
fn openpmd_has_its_hottest_target() {
    let sql = "select ost_id, sum(bytes) as b from target_load group by ost_id order by b desc";
    if let Some(row) = ask("jeanbez_8_benchmark_parallel", "target_load", sql) {
        assert_eq!(row, "213 142988680");
    }
}

#[test]
fn openpmd_waits_for_rank_97_while_metadata_is_written() {
    let sql = "select slowest_rank, slowest_longest_bytes from phase_straggler \
               where layer = 'mpiio' and phase = 2";
    if let Some(row) = ask("jeanbez_8_benchmark_parallel", "phase_straggler", sql) {
        assert_eq!(row, "97 40");
    }
}

#[test]
fn badost_has_one_slow_target() {
    let sql = "select ost_id, cast(round(slowdown_ratio) as integer) as r from target_speed \
               order by slowdown_ratio desc";
    if let Some(row) = ask("sample-badost", "target_speed", sql) {
        assert_eq!(row, "14 44");
    }
}
