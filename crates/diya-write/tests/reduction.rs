//! Reducing records per rank gives what Darshan itself wrote for the same
//! program when it reduced them.

use diya_read::{Request, Selection, Serial, read};
use diya_tables::{TableBuilder, TableId, Tables};
use diya_testkit::root;

fn tables(name: &str) -> Tables {
    let log = std::fs::read(root().join("corpus/logs").join(name)).expect("a log of the corpus");
    let mut tables = Tables::new();
    let request = Request {
        source: &log,
        log: 0,
        log_name: name,
        outer_compression: None,
        selection: &Selection::all(),
        workers: &Serial,
    };
    read(&request, &mut tables).expect("a log of the corpus");
    tables
}

fn posix(tables: &Tables) -> &TableBuilder {
    tables.table(TableId::Posix).expect("POSIX records")
}

#[test]
fn reduced_records_are_those_of_darshan() {
    // The same IOR run, once with reduction and once without.
    let by_darshan = tables("nodxt_strided.darshan");
    let mut by_diya = tables("noredux_strided.darshan");
    assert_eq!(diya_write::reduce(&mut by_diya, 0, 8), (9, 2));
    let (ours, theirs) = (posix(&by_diya), posix(&by_darshan));
    assert_eq!((ours.rows(), theirs.rows()), (1, 1));
    // After log, file (it has another name) and rank; times are of two runs.
    for column in 2..ours.def().columns.len() {
        let name = ours.def().columns[column].name;
        assert_eq!(ours.i64(column, 0), theirs.i64(column, 0), "{name}");
        assert_eq!(ours.f64(column, 0).is_some(), theirs.f64(column, 0).is_some(), "{name}");
    }
}

#[test]
fn a_log_that_is_reduced_already_stays_as_it_is() {
    let mut tables = tables("nodxt_strided.darshan");
    let before = posix(&tables).clone().into_batch();
    diya_write::reduce(&mut tables, 0, 8);
    assert!(posix(&tables).clone().into_batch() == before);
}
