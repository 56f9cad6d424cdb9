//! A session keeps what it has read and computed.

use diya::input::logs;
use diya::{OpenOptions, Session, TableId};
use diya_testkit::root;
use std::sync::Arc;

fn session(log: &str) -> Session<'static> {
    let inputs = logs(&[root().join("corpus/logs").join(log)]).expect("a log of the corpus");
    Session::new(inputs, OpenOptions::default())
}

/// The table itself, to see whether it is still the same.
fn address(session: &Session<'_>, table: &str) -> *const () {
    Arc::as_ptr(session.table(table).expect("was prepared")).cast()
}

#[test]
fn a_further_table_or_metric_leaves_the_others_as_they_are() {
    let mut session = session("ior_mpiio_coll_hints.darshan");
    session.prepare(&["posix", "posix_file"]).expect("a whole log");
    let kept = ["posix", "posix_file"].map(|table| address(&session, table));
    session.prepare(&["mpiio"]).expect("a further table");
    session.prepare(&["request_path"]).expect("a further metric");
    assert_eq!(["posix", "posix_file"].map(|table| address(&session, table)), kept);
    let answers = session.ask("select count(*) from mpiio").expect("an answer");
    assert!(answers[0].batches[0].num_rows() == 1 && session.table("mpiio").unwrap().rows() > 0);
}

#[test]
fn tables_read_one_by_one_have_the_rows_of_those_read_together() {
    let logs =
        ["ior_mpiio_coll_hints.darshan", "noredux_strided.darshan", "mmap_kill_rank1.darshan.gz"];
    for log in logs {
        let names = TableId::ALL.map(|id| id.def().name);
        let mut together = session(log);
        together.prepare(&names).expect("a log");
        let mut one_by_one = session(log);
        for name in names {
            one_by_one.prepare(&[name]).expect("a log");
        }
        for name in names {
            let rows = |session: &Session<'_>| session.table(name).expect("was prepared").rows();
            assert_eq!(rows(&one_by_one), rows(&together), "{log}: {name}");
        }
        assert_eq!(one_by_one.issues(), together.issues(), "{log}");
    }
}
