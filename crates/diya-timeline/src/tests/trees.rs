//! Nesting, call trees, areas, nearest calls.

use super::notation::store;
use crate::*;

/// One collective write of 4 s that became two writes below, on one of them
/// beside a stat that the program did not ask for.
const NESTED: &str = "
    0 mpiio write a 0.0-4.0 0+200
    0 posix write a 0.5-1.5 0+100
    0 posix write a 2.0-3.0 100+100
    0 posix write b 1.6-1.8 0+10
    0 posix stat  b 5.0-5.5
";

fn starts(store: &Store, calls: &[usize]) -> Vec<f64> {
    calls.iter().map(|call| s_of(store.calls.start_ns[*call])).collect()
}

fn call_at(store: &Store, start_s: f64) -> usize {
    (0..store.calls.len()).find(|call| s_of(store.calls.start_ns[*call]) == start_s).unwrap()
}

#[test]
fn without_ids_nesting_follows_from_time_and_file() {
    let store = store(NESTED);
    let outer = nesting(&store, call_at(&store, 0.0));
    assert_eq!(starts(&store, &outer.inside), [0.5, 2.0]);
    assert!(outer.is_inferred);
    let inner = nesting(&store, call_at(&store, 2.0));
    assert_eq!(starts(&store, &inner.around), [0.0]);
    assert!(nesting(&store, call_at(&store, 1.6)).around.is_empty());
}

#[test]
fn ids_decide_where_there_are_any() {
    let store = store(
        "0 mpiio write a 0.0-4.0 0+200 1<
         0 posix write a 0.5-1.5 0+100 2<1
         0 posix write b 2.0-3.0 0+100 3<2
         0 posix write a 3.0-3.5 0+100 4<",
    );
    let outer = nesting(&store, call_at(&store, 0.0));
    assert_eq!((starts(&store, &outer.inside), outer.is_inferred), (vec![0.5, 2.0], false));
    let innermost = nesting(&store, call_at(&store, 2.0));
    assert_eq!(starts(&store, &innermost.around), [0.5, 0.0]);
}

#[test]
fn a_tree_has_inclusive_and_exclusive_time() {
    let store = store(NESTED);
    let rows = |is_nested| {
        let rows = tree(&store, &Filter::default(), is_nested);
        let row = |row: &Branch| {
            let layer = store.layers[usize::from(row.layer)].clone();
            let round = |s: f64| (s * 1000.0).round() / 1000.0;
            (row.parent, layer, row.name.clone(), round(row.total.time_s), round(row.exclusive_s))
        };
        rows.iter().map(row).collect::<Vec<_>>()
    };
    let text = |parent, layer: &str, name: &str, inclusive, exclusive| {
        (parent, layer.to_owned(), name.to_owned(), inclusive, exclusive)
    };
    assert_eq!(
        rows(true),
        [
            text(None, "mpiio", "write", 4.0, 2.0),
            text(Some(0), "posix", "write", 2.0, 2.0),
            text(None, "posix", "write", 0.2, 0.2),
            text(None, "posix", "stat", 0.5, 0.5),
        ]
    );
    assert_eq!(rows(false)[1], text(None, "posix", "write", 2.2, 2.2));
}

#[test]
fn an_area_is_cut_at_its_window_and_counts_the_lowest_layer() {
    let store = store(NESTED);
    let filter = Filter { window_ns: (ns_of(1.0), ns_of(2.5)), ..Filter::default() };
    let area = area(&store, &filter, 10);
    let posix = area.kinds.iter().find(|row| row.kind == Kind::Write && row.layer == 1).unwrap();
    assert_eq!((posix.total.calls, posix.total.bytes), (3, 110.0));
    assert!((posix.total.time_s - 1.2).abs() < 1e-9);
    assert_eq!(posix.longest_ns, 1_000_000_000);
    assert_eq!(area.files.iter().map(|(file, _)| *file).collect::<Vec<_>>(), [0, 1]);
    assert!((area.files[0].1.time_s - 1.0).abs() < 1e-9, "the MPI-IO call is not counted again");
    assert_eq!(area.tracks[0].1.calls, 3);
    let bytes: f64 = area.targets.iter().map(|(_, total)| total.bytes).sum();
    assert_eq!(bytes, 110.0);
}

#[test]
fn the_innermost_call_is_under_the_pointer() {
    let store = store(NESTED);
    let at = |at_s: f64, within_s: f64| {
        let found = nearest(&store, &Filter::default(), 0, (ns_of(at_s), ns_of(within_s)));
        found.map(|call| s_of(store.calls.start_ns[call]))
    };
    assert_eq!(at(1.0, 0.0), Some(0.5));
    assert_eq!(at(3.5, 0.0), Some(0.0));
    assert_eq!(at(4.9, 0.05), None);
    assert_eq!(at(4.9, 0.2), Some(5.0));
    assert_eq!(at(5.6, 0.2), Some(5.0));
}

#[test]
fn a_list_is_in_the_order_asked_for() {
    let store = store(NESTED);
    let first = |by, limit| {
        let (calls, all) = list(&store, &Filter::default(), by, limit);
        (starts(&store, &calls), all)
    };
    assert_eq!(first(OrderBy::Duration, 2), (vec![0.0, 0.5], 5));
    assert_eq!(first(OrderBy::Start, 3), (vec![0.0, 0.5, 1.6], 5));
    assert_eq!(first(OrderBy::Size, 1), (vec![0.0], 5));
}

#[test]
fn activity_counts_tracks_by_layer_and_kind() {
    let store = store("0 posix write a 0.0-2.0 0+100\n1 posix write a 1.0-2.0 0+50");
    let filter = Filter { window_ns: (0, ns_of(2.0)), ..Filter::default() };
    let curves = activity(&store, &filter, 2);
    assert_eq!(curves.busy_tracks, [0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(curves.bytes_per_s[2..4], [50.0, 100.0]);
    assert_eq!(curves.longest_s, [2.0, 2.0]);
}

#[test]
fn calls_in_one_row_are_no_long_call() {
    let store = store(
        "0 stdio read a 0.0-9.0 0+300 30*3.0
         0 stdio read a 9.5-9.7 300+10",
    );
    let reads = area(&store, &Filter::default(), 10).kinds[0];
    assert_eq!((reads.total.calls, reads.longest_ns), (31, ns_of(0.2).unsigned_abs()));
    assert!(reads.total.time_s < 3.3);
    let rows = tree(&store, &Filter::default(), false);
    assert!((rows[0].longest_s - 0.2).abs() < 1e-9);
}
