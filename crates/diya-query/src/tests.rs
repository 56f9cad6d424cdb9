//! Queries that are ended before they end by themselves.

use super::*;
use diya_tables::{Batches, TableId};

#[test]
fn columns_with_other_meanings_meet_in_a_union() {
    let tables = [TableId::Call, TableId::File]
        .map(|id| Arc::new(Batches::new(id.def(), Vec::new())) as Arc<dyn BatchSource>);
    let query = Query::new(&tables, 1).unwrap();
    let sql = "select file_id, count(*) as rows from
        (select file_id from call union all select file_id from file) group by file_id";
    assert!(query.run(sql).is_ok(), "their units and docs differ");
}

#[test]
fn groups_above_a_join_of_ordered_rows_come_out_once() {
    let query = Query::new(&[], 1).unwrap();
    // Each rank of a file has rounds 1 and 2: ordered by rank below, by file above the join.
    let sql = "with c(f, rank, t) as (values (1, 0, 5), (1, 0, 6), (1, 1, 7), (1, 1, 8)),
        n as (select f, rank, row_number() over (partition by f, rank order by t) as round from c),
        r as (select f, round, max(rank) as last from n group by f, round)
        select n.f, n.rank, count(*) as calls from n join r on r.f = n.f and r.round = n.round
        group by n.f, n.rank";
    let rows = query.run(sql).unwrap();
    let groups: usize = rows.batches.iter().map(|batch| batch.num_rows()).sum();
    assert_eq!(groups, 2, "one for each rank");
}

/// Asks for the pairs of 10^14 rows.
fn endless() -> String {
    let ten = "with n(v) as (values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9))";
    let from = ["n"; 14].iter().enumerate().map(|(place, n)| format!("{n} as n{place}"));
    let from = from.collect::<Vec<_>>().join(" cross join ");
    format!("{ten} select count(*) from {from} where n0.v + n13.v < n6.v")
}

/// Waits until nothing works on a query any more.
fn comes_to_rest(query: &Query) -> bool {
    let latest = std::time::Instant::now() + Duration::from_secs(20);
    while query.workers.alive() > 0 && std::time::Instant::now() < latest {
        std::thread::sleep(Duration::from_millis(20));
    }
    query.workers.alive() == 0
}

#[test]
fn a_query_without_end_is_given_up_and_nobody_waits_for_it() {
    let limits = Limits { time: Duration::from_millis(200), ..Limits::OF_A_PERSON };
    let query = Query::new(&[], 1).unwrap();
    let error = query.run_within(&endless(), limits).unwrap_err();
    assert_eq!(error.to_string(), "the query failed while running: longer than 200ms");
    assert!(comes_to_rest(&query), "it works on without anybody who waits");
}

#[test]
fn a_recursion_without_end_is_ended() {
    let query = Query::new(&[], 1).unwrap();
    let limits = Limits { time: Duration::from_millis(200), ..Limits::OF_A_PERSON };
    let sql = "with recursive t as (select 1 as x union all select x + 1 from t) \
        select count(*) from t where x < 0";
    query.run_within(sql, limits).unwrap_err();
    assert!(comes_to_rest(&query), "it works on without anybody who waits");
}

#[test]
fn a_query_ends_when_it_is_cancelled() {
    let query = Query::new(&[], 1).unwrap();
    let begin = std::time::Instant::now();
    let is_cancelled = || begin.elapsed() >= Duration::from_millis(300);
    let error = query.run_cancellable(&endless(), Limits::NONE, Some(&is_cancelled)).unwrap_err();
    assert_eq!(error.to_string(), "the query failed while running: it was cancelled");
    assert!(comes_to_rest(&query), "it works on without anybody who waits");
    let rows = query.run_cancellable("select 1 as one", Limits::NONE, Some(&|| true)).unwrap();
    assert_eq!(rows.batches[0].num_rows(), 1, "what is done at once is handed over");
}

#[test]
fn planning_ends_when_its_time_is_over() {
    let limits = Limits { planning: Duration::ZERO, ..Limits::OF_A_PERSON };
    let error = Query::new(&[], 1).unwrap().run_within("select 1 as one", limits).unwrap_err();
    assert!(error.to_string().contains("planning takes too long"), "{error}");
}

#[test]
fn a_query_that_would_fill_the_memory_ends_before() {
    let query = Query::within_memory(&[], 1, 1 << 20).unwrap();
    let ten = "n(v) as (values (0), (1), (2), (3), (4), (5), (6), (7), (8), (9))";
    let many = "many(v) as (select a.v from n as a, n as b, n as c, n as d, n as e, n as f)";
    let sql = format!("with {ten}, {many} select a.v, b.v from many as a cross join many as b");
    let limits = Limits { rows: 1_000_000, time: Duration::from_secs(60), ..Limits::OF_A_PERSON };
    let error = query.run_within(&sql, limits).unwrap_err();
    assert!(error.to_string().contains("more memory than half of what is free"), "{error}");
}
