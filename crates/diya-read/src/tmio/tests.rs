//! Text in, rows out.

use super::*;
use crate::{Selection, Serial};
use diya_tables::{job, mpiio, read_issue, region};

fn read_made(text: &str) -> Tables {
    let source = text.as_bytes().to_vec();
    let request = Request {
        source: &source,
        log: 0,
        log_name: "2.json",
        outer_compression: None,
        selection: &Selection::all(),
        workers: &Serial,
    };
    let mut tables = Tables::new();
    crate::read(&request, &mut tables).expect("a trace");
    tables
}

fn issues(tables: &Tables) -> Vec<(String, Option<u64>)> {
    let Some(issues) = tables.table(TableId::ReadIssue) else { return Vec::new() };
    let kind = |row| issues.str(read_issue::KIND, row).unwrap_or_default().to_owned();
    (0..issues.rows()).map(|row| (kind(row), issues.u64(read_issue::COUNT, row))).collect()
}

/// Rank, bytes and times of each call.
fn calls(tables: &Tables) -> Vec<(i32, i64, f64, f64)> {
    let mut all = Vec::new();
    for chunk in tables.calls.chunks() {
        let mut at = 0;
        for run in &chunk.runs {
            all.extend((at..at + run.len).map(|at| {
                let call = chunk.call(at);
                (run.rank, call.size_bytes, call.start_s, call.end_s)
            }));
            at += run.len;
        }
    }
    all
}

const SYNC: &str = r#"{
	"write_sync":{
	"total_bytes": 6.00e+03,
	"max_io_phases_per_rank": 2, "total_io_phases": 3, "max_io_ops_in_phase": 1,
	"max_io_ops_per_rank": 2, "total_io_ops": 3, "number_of_ranks": 2,
	"bandwidth": { "median": NaN,
		"b_rank_avr": [ 1000.0, 4000.0, 2000.0],
		"t_rank_s": [ 1.0, 3.0, 1.0],
		"t_rank_e": [ 2.0, 3.5, 2.5]
	}},
	"io_time":{ "delta_t_agg": 3.00e+00 }
}"#;

#[test]
fn phases_of_one_request_are_calls_of_their_ranks() {
    let tables = read_made(SYNC);
    let expected = [(0, 1000, 0.0, 1.0), (0, 2000, 2.0, 2.5), (1, 3000, 0.0, 1.5)];
    assert_eq!(calls(&tables), expected);
    assert_eq!(
        tables.calls.name(tables.calls.chunk(0).runs[0].function.expect("a name")),
        "write_sync"
    );
    let jobs = tables.table(TableId::Job).expect("a job");
    assert_eq!((jobs.i64(job::NPROCS, 0), jobs.str(job::FORMAT, 0)), (Some(2), Some("tmio")));
    assert_eq!(issues(&tables), []);
}

#[test]
fn whether_calls_are_collective_is_unknown_and_not_zero() {
    let tables = read_made(SYNC);
    let counters = tables.table(TableId::Mpiio).expect("counters");
    assert_eq!(counters.i64(mpiio::BYTES_WRITTEN, 0), Some(3000));
    assert_eq!(counters.i64(mpiio::INDEP_WRITES, 0), None);
    assert_eq!(counters.i64(mpiio::COLL_WRITES, 0), None);
}

#[test]
fn single_requests_are_taken_where_they_are() {
    let text = r#"{"write_async_t":{"number_of_ranks":1,"max_io_ops_in_phase":2,"bandwidth":{
        "b_rank_avr":[30.0],"t_rank_s":[0.0],"t_rank_e":[1.0],
        "b_ind":[10.0,20.0],"t_ind_s":[0.0,0.0],"t_ind_e":[1.0,1.0]}},
      "write_async_b":{"number_of_ranks":1,"bandwidth":{
        "b_rank_avr":[60.0],"t_rank_s":[0.0],"t_rank_e":[0.5]}}}"#;
    let tables = read_made(text);
    assert_eq!(calls(&tables), [(0, 10, 0.0, 1.0), (0, 20, 0.0, 1.0)]);
    let regions = tables.table(TableId::Region).expect("what is needed");
    assert_eq!(regions.rows(), 1);
    assert_eq!(regions.f64(region::END_S, 0), Some(0.5));
    let grouped = text.replace("b_ind", "b_other").replace("t_ind", "t_other");
    let tables = read_made(&grouped);
    assert_eq!(calls(&tables), [(0, 30, 0.0, 1.0)]);
    assert_eq!(issues(&tables), [("not_recorded".to_owned(), Some(1))]);
}

#[test]
fn lines_are_added_to_each_other() {
    let line = |start: f64| {
        format!(
            "\t{{\"read_sync\":{{\"number_of_ranks\":1,\"bandwidth\":{{\"b_rank_avr\":[8.0],\
             \"t_rank_s\":[{start:?}],\"t_rank_e\":[{:?}]}}}}}}\n",
            start + 1.0
        )
    };
    let text = line(1.0) + &line(4.0);
    assert_eq!(calls(&read_made(&text)), [(0, 8, 0.0, 1.0), (0, 8, 3.0, 4.0)]);
    // The first line lost its end: what it has is read.
    let cut = line(1.0).replace("}}}\n", "\n") + &line(4.0);
    let tables = read_made(&cut);
    assert_eq!(calls(&tables).len(), 2);
    assert_eq!(issues(&tables), [("corrupt".to_owned(), Some(1))]);
}

#[test]
fn old_files_count_in_megabytes() {
    let old = SYNC.replace("\"total_io_ops\"", "\"max_transfersize_over_ranks\": 3.0, \"x\"");
    assert_eq!(calls(&read_made(&old))[0].1, 1_000_000_000);
}

#[test]
fn bandwidth_of_the_whole_program_is_bytes_over_time() {
    let text = r#"{"write_sync":{"bandwidth":{"b_overlap_avr":[100.0,0.0,50.0,0.0],
        "t_overlap":[1.0,2.0,3.0,5.0]}}}"#;
    let tables = read_made(text);
    assert_eq!(tables.calls.rows(), 0);
    let [record] = tables.heatmap.records() else { panic!("one record") };
    assert_eq!((record.rank, record.write.iter().sum::<i64>()), (-1, 200));
}

#[test]
fn ranks_that_cannot_be_told_apart_are_all_ranks() {
    let text = SYNC.replace("[ 1.0, 3.0, 1.0]", "[ 1.0, 2.0, 3.6]");
    let text = text.replace("[ 2.0, 3.5, 2.5]", "[ 1.5, 2.5, 4.0]");
    let tables = read_made(&text);
    assert!(calls(&tables).iter().all(|call| call.0 == -1), "{:?}", calls(&tables));
    assert_eq!(issues(&tables)[0], ("not_recorded".to_owned(), Some(3)));
}

#[test]
fn sums_that_differ_and_impossible_numbers_are_issues() {
    let text = SYNC.replace("6.00e+03", "9.00e+03").replace("4000.0", "inf");
    let tables = read_made(&text);
    assert_eq!(calls(&tables).len(), 2);
    let kinds: Vec<String> = issues(&tables).into_iter().map(|issue| issue.0).collect();
    assert_eq!(kinds, ["corrupt", "misfit"]);
}
