//! Calls that begin and end exactly with cells, whatever the length of a cell.

use super::notation::store;
use crate::*;

/// Cells of the first track that a call in whole nanoseconds is seen in, and the
/// share of each, over a window of `length_ns`.
fn seen(call: (i64, i64), length_ns: i64, cells: usize) -> Vec<(usize, f32)> {
    let text = format!("0 posix write a {}-{} 0+1", s_of(call.0), s_of(call.1));
    let request = TileRequest {
        filter: Filter::default(),
        x: Axis { of: AxisOf::Time, from: 0.0, to: s_of(length_ns), cells, is_log: false },
        y: Axis { of: AxisOf::Track, from: 0.0, to: 1.0, cells: 1, is_log: false },
        order: None,
        wanted: Wanted { busy: [true; 4], longest: true, ..Wanted::default() },
        is_refined: false,
    };
    let tile = tile(&store(&text), &request);
    let busy = &tile.busy[Kind::Write as usize];
    let is_seen = |cell: &usize| tile.longest_s[*cell] > 0.0;
    (0..cells).filter(is_seen).map(|cell| (cell, busy[cell])).collect()
}

#[test]
fn a_call_of_one_cell_is_in_that_cell_only() {
    // From microseconds to minutes, a prime between: cells of a whole length.
    for cell_ns in [1_000, 7_919, 1_000_000_000, 60_000_000_000] {
        for cell in [0, 1, 499, 999] {
            let call = (cell * cell_ns, (cell + 1) * cell_ns);
            let seen = seen(call, 1000 * cell_ns, 1000);
            assert_eq!(seen.len(), 1, "{cell} of {cell_ns} ns: {seen:?}");
            assert_eq!(seen[0].0 as i64, cell);
            assert!((seen[0].1 - 1.0).abs() < 1e-5, "{seen:?}");
        }
    }
}

#[test]
fn cells_may_be_shorter_than_a_nanosecond() {
    // Four cells a nanosecond, and as many cells as nanoseconds.
    let of_four = seen((1, 2), 10, 40);
    assert_eq!(of_four.iter().map(|(cell, _)| *cell).collect::<Vec<_>>(), [4, 5, 6, 7]);
    assert_eq!(seen((3, 5), 10, 10), [(3, 1.0), (4, 1.0)]);
}

#[test]
fn a_call_over_many_cells_fills_them_and_parts_of_the_ends() {
    let seen = seen((1_500, 4_250), 10_000, 10);
    assert_eq!(seen, [(1, 0.5), (2, 1.0), (3, 1.0), (4, 0.25)]);
}
