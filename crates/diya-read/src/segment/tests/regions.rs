//! Regions, steps, epochs and notes.

use super::builder::{Builder, definition, name};
use super::{issues, tables, write};
use diya_tables::{TableId, Tables, region};

/// Kind, name, number, start and end in ticks: one nanosecond each.
fn said(kind: u32, name: u32, number: i64, start: u64, end: u64) -> Vec<u8> {
    let payload = [
        &start.to_le_bytes()[..],
        &end.to_le_bytes(),
        &number.to_le_bytes(),
        &name.to_le_bytes(),
        &kind.to_le_bytes(),
    ];
    definition(0x20, &payload.concat())
}

fn named(name: u8, text: &str) -> Vec<u8> {
    definition(0x1e, &[&[name], text.as_bytes()].concat())
}

/// Category, name, number, nanoseconds of start and end, thread.
fn rows(tables: &Tables) -> Vec<(String, String, Option<i64>, i64, i64, u64)> {
    let Some(rows) = tables.table(TableId::Region) else { return Vec::new() };
    let text = |column, row| rows.str(column, row).unwrap_or_default().to_owned();
    let ns = |column, row| (rows.f64(column, row).unwrap_or(-1.0) * 1e9).round() as i64;
    let row = |row| {
        let thread = rows.u64(region::THREAD, row).unwrap_or_default();
        let (start, end) = (ns(region::START_S, row), ns(region::END_S, row));
        let number = rows.i64(region::NUMBER, row);
        (text(region::CATEGORY, row), text(region::NAME, row), number, start, end, thread)
    };
    (0..rows.rows()).map(row).collect()
}

/// Ticks at the start of the process.
const FIRST: u64 = 100_000_000_000;

#[test]
fn a_region_has_its_name_thread_and_times() {
    let records = [
        named(1, "checkpoint"),
        said(0, 1, -1, FIRST + 10, FIRST + 50),
        said(1, 0, 3, FIRST + 5, FIRST + 60),
        said(3, 1, -1, FIRST + 60, FIRST + 60),
    ];
    let (tables, _) = tables(vec![Builder::new(5).window(6, 0, &records).bytes()]);
    let row = |category: &str, name: &str, number, start, end| {
        (category.to_owned(), name.to_owned(), number, start, end, 6)
    };
    assert_eq!(
        rows(&tables),
        [
            row("step", "step", Some(3), 5, 60),
            row("region", "checkpoint", None, 10, 50),
            row("note", "checkpoint", None, 60, 60),
        ]
    );
    assert_eq!(issues(&tables), []);
}

#[test]
fn the_record_with_the_end_counts() {
    let open = [named(1, "all"), said(0, 1, -1, FIRST + 10, 0)];
    let ended = [said(0, 1, -1, FIRST + 10, FIRST + 90)];
    let segment = Builder::new(5).window(6, 0, &open).window(6, 0, &ended).bytes();
    let times: Vec<_> = rows(&tables(vec![segment]).0).into_iter().map(|r| (r.3, r.4)).collect();
    assert_eq!(times, [(10, 90)]);
}

#[test]
fn an_open_region_lasts_as_long_as_its_process() {
    let records = [name(7, "/scratch/a"), said(0, 9, -1, FIRST + 10, 0), write(0, 1000)];
    let (tables, calls) = tables(vec![Builder::new(5).window(6, 0, &records).bytes()]);
    assert_eq!(calls.len(), 1);
    let found = rows(&tables);
    // The process recorded for a second; a name that was not written is empty.
    assert_eq!((found[0].1.as_str(), found[0].3, found[0].4), ("", 10, 1_000_000_000));
}

#[test]
fn records_that_cannot_be_are_left_out() {
    let records = [
        said(9, 0, -1, FIRST, FIRST),
        said(0, 0, -1, 0, 0),
        said(0, 0, -1, FIRST + 50, FIRST + 10),
        definition(0x20, &[1, 2, 3]),
    ];
    let (tables, _) = tables(vec![Builder::new(5).window(6, 0, &records).bytes()]);
    // An end before the start is none.
    let times: Vec<_> = rows(&tables).into_iter().map(|r| (r.3, r.4)).collect();
    assert_eq!(times, [(50, 1_000_000_000)]);
}

#[test]
fn regions_without_room_are_a_loss_of_this_table_alone() {
    let mut segment = Builder::new(5).window(6, 0, &[name(7, "/scratch/a")]).bytes();
    segment[7320..7328].copy_from_slice(&12u64.to_le_bytes());
    let (tables, _) = tables(vec![segment]);
    let found = issues(&tables);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].0 == "not_recorded" && found[0].1.contains("12 begins and ends"), "{found:?}");
}
