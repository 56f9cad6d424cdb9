//! Record sizes that the version of a module does not tell.
//!
//! Some logs hold modules whose bytes are no multiple of the record size that
//! their version has: builds of Darshan that append counters to a record
//! without a new version number (a public set of library 3.4.2 has POSIX
//! records of 720 instead of 704 bytes), and modules with stray bytes at their
//! end. The records say themselves where they begin: with an id that the log
//! names, a rank, and counters of which each is a whole number or a real one
//! in its place.

use super::bytes::{Cursor, Order};
use super::layout::{Layout, Word};

/// Longer records than this many times the known size are not looked for.
const MAX_TIMES: usize = 2;

/// No counter is as large: real numbers taken for whole ones are.
const MAX_COUNTER: u64 = 1 << 60;

/// No time is as small: whole numbers taken for real ones are.
const MIN_REAL: f64 = 1e-30;

/// One record in so many may belong to a file without a name: recorders run out
/// of memory for names before they run out of it for records.
const UNNAMED_ONE_IN: usize = 10;

/// Bytes of a record's id and rank.
const HEAD_BYTES: usize = 16;

/// The bytes from one record to the next, when all whole records at this
/// distance are records of this layout.
pub(super) fn stride(
    bytes: &[u8],
    layout: &Layout,
    order: Order,
    is_named: &dyn Fn(u64) -> bool,
) -> Option<usize> {
    let longer = (layout.size + 8..=layout.size * MAX_TIMES).step_by(8);
    let longer = longer.filter(|stride| bytes.len().is_multiple_of(*stride));
    std::iter::once(layout.size).chain(longer).find(|&stride| {
        let mut records = bytes.chunks_exact(stride);
        let is_longer = stride > layout.size;
        let unnamed = records.clone().filter(|r| !has_name(r, order, is_named)).count();
        records.len() > 0
            && unnamed <= records.len() / UNNAMED_ONE_IN
            && records.clone().all(|r| is_record(r, layout, order))
            && (records.len() > 1 || (!is_longer && is_cut(records.remainder(), order, is_named)))
            && (!is_longer || records.any(|r| has_first_real(r, layout, order)))
    })
}

/// Whether what follows the only record may be the begin of a second one, or is
/// too short to tell. Else the distance is a guess: two shorter records look alike.
fn is_cut(rest: &[u8], order: Order, is_named: &dyn Fn(u64) -> bool) -> bool {
    rest.len() < HEAD_BYTES || has_name(rest, order, is_named)
}

fn has_name(record: &[u8], order: Order, is_named: &dyn Fn(u64) -> bool) -> bool {
    matches!(Cursor::new(record, order).base(), Some(Ok((id, _))) if is_named(id))
}

/// Whether the first real number stands where it is expected. One more whole
/// number in front of it would put a whole number, mostly 0, in its place.
fn has_first_real(record: &[u8], layout: &Layout, order: Order) -> bool {
    let is_real = |word: &Word| matches!(word, Word::Float(_));
    let Some(first) = layout.words.iter().position(is_real) else { return true };
    let mut at = Cursor::new(record, order);
    let before = layout.words.iter().take(first);
    let bytes: usize = before.map(|w| if matches!(w, Word::Uuid(_)) { 16 } else { 8 }).sum();
    at.take(16 + bytes).is_some() && at.f64().is_some_and(|real| real != 0.0)
}

fn is_record(record: &[u8], layout: &Layout, order: Order) -> bool {
    let mut at = Cursor::new(record, order);
    matches!(at.base(), Some(Ok(_))) && layout.words.iter().all(|word| is_in_place(*word, &mut at))
}

fn is_in_place(word: Word, at: &mut Cursor<'_>) -> bool {
    match word {
        Word::Int(_) | Word::Opens(_) | Word::Stdio(_) => {
            at.i64().is_some_and(|count| count.unsigned_abs() < MAX_COUNTER)
        }
        Word::Float(_) => {
            at.f64().is_some_and(|real| real == 0.0 || (real.is_finite() && real.abs() >= MIN_REAL))
        }
        Word::Uuid(_) => at.take(16).is_some(),
        Word::Id(_) | Word::Skip => at.u64().is_some(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::darshan::layout::layout;
    use diya_tables::TableId;

    /// A record that counts 3 of everything and took half a second each.
    fn record(id: u64, layout: &Layout, more: usize) -> Vec<u8> {
        let mut bytes = id.to_le_bytes().to_vec();
        bytes.extend(2_i64.to_le_bytes());
        for word in &layout.words {
            match word {
                Word::Float(_) => bytes.extend(0.5_f64.to_le_bytes()),
                _ => bytes.extend(3_i64.to_le_bytes()),
            }
        }
        bytes.resize(bytes.len() + more, 0);
        bytes
    }

    fn found(ids: &[u64], more: usize, stray: usize) -> Option<usize> {
        let layout = layout(TableId::Posix, 4).expect("a version");
        let mut bytes: Vec<u8> = ids.iter().flat_map(|id| record(*id, &layout, more)).collect();
        bytes.resize(bytes.len() + stray, 0xff);
        stride(&bytes, &layout, Order::Little, &|id| (100..200).contains(&id))
    }

    #[test]
    fn stray_bytes_at_the_end_leave_the_records_where_they_are() {
        assert_eq!(found(&[100, 101], 0, 80), Some(704));
        assert_eq!(found(&[100], 0, 8), Some(704));
    }

    #[test]
    fn longer_records_are_found_by_where_they_begin() {
        assert_eq!(found(&[100, 101, 102], 16, 0), Some(720));
    }

    #[test]
    fn bytes_that_begin_with_no_known_file_are_no_records() {
        assert_eq!(found(&[100, 7, 102], 16, 0), None);
        assert_eq!(found(&[], 0, 80), None);
    }

    #[test]
    fn one_record_in_ten_may_have_lost_its_name() {
        let mut ids: Vec<u64> = (100..120).collect();
        ids[7] = 7;
        assert_eq!(found(&ids, 16, 0), Some(720));
    }

    #[test]
    fn one_record_before_bytes_that_begin_no_other_is_a_guess() {
        assert_eq!(found(&[100], 0, 552), None);
    }

    #[test]
    fn counters_in_other_places_are_another_record() {
        let layout = layout(TableId::Posix, 4).expect("a version");
        let mut bytes = record(100, &layout, 0);
        // One more counter in the middle shifts the times behind it.
        bytes.splice(200..200, 7_i64.to_le_bytes());
        assert_eq!(stride(&bytes, &layout, Order::Little, &|_| true), None);
    }
}
