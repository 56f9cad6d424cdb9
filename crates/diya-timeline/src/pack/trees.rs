//! The trees of all calls in a pack: the page shows them without going through its calls.

use super::numbers::{Numbers, put};
use crate::{Branch, Kind, Store, Total};

/// Appends a tree.
pub(super) fn put_tree(out: &mut Vec<u8>, rows: &[Branch]) {
    for row in rows {
        put(out, row.parent.map_or(0, |parent| parent as u64 + 1));
        put(out, row.layer.into());
        put(out, row.kind as u64);
        put(out, row.name.len() as u64);
        row.name.bytes().for_each(|byte| put(out, byte.into()));
        put(out, row.total.calls);
        put(out, row.max_track.into());
        put(out, row.tracks);
        for number in [
            row.total.bytes,
            row.total.time_s,
            row.exclusive_s,
            row.min_track_s,
            row.max_track_s,
            row.longest_s,
        ] {
            put(out, number.to_bits());
        }
    }
}

/// Reads a tree; `None`: it is damaged.
pub(super) fn next_tree(numbers: &mut Numbers, store: &Store) -> Option<Vec<Branch>> {
    let mut rows: Vec<Branch> = Vec::new();
    while !numbers.0.is_empty() {
        // Callers stand before what they call: so no row leads back to itself.
        let parent = numbers.next_as::<usize>()?.checked_sub(1);
        parent.is_none_or(|parent| parent < rows.len()).then_some(())?;
        let (layer, kind) = (numbers.next_as()?, *Kind::ALL.get(numbers.next_as::<usize>()?)?);
        let length = numbers.next_as::<usize>()?;
        (length <= numbers.0.len()).then_some(())?;
        let name: Option<Vec<u8>> = (0..length).map(|_| numbers.next_as()).collect();
        let calls = numbers.next()?;
        let max_track = numbers.next_as::<u32>()?;
        ((max_track as usize) < store.tracks.len()).then_some(())?;
        let tracks = numbers.next()?;
        let mut real = || numbers.next().map(f64::from_bits).filter(|number| number.is_finite());
        let (bytes, time_s) = (real()?, real()?);
        rows.push(Branch {
            parent,
            layer,
            name: String::from_utf8(name?).ok()?,
            kind,
            total: Total { calls, bytes, time_s },
            exclusive_s: real()?,
            min_track_s: real()?,
            max_track_s: real()?,
            max_track,
            tracks,
            longest_s: real()?,
        });
    }
    Some(rows)
}
