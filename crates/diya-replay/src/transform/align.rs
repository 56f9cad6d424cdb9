//! `align`: each request starts at a multiple of a size; between them is what alignment costs.

use crate::operation::Operation;
use crate::recording::Recording;
use std::collections::{BTreeMap, HashMap};

pub(super) fn apply(recording: &mut Recording, size: u64) {
    let size = size.max(1);
    // By file: where requests start, and where they will.
    let mut starts: HashMap<u32, BTreeMap<u64, u64>> = HashMap::new();
    for step in
        recording.steps.iter().filter(|step| step.operation.is_transfer() && !step.is_dropped)
    {
        if let Some(offset) = step.offset {
            starts.entry(step.file).or_default().insert(offset, 0);
        }
    }
    for starts in starts.values_mut() {
        let mut before: Option<(u64, u64)> = None;
        for (start, aligned) in starts.iter_mut() {
            let place = before.map_or(*start, |(old, new)| new.saturating_add(start - old));
            *aligned = place.checked_next_multiple_of(size).unwrap_or(place);
            before = Some((*start, *aligned));
        }
    }
    for step in &mut recording.steps {
        let is_placed = step.operation.is_transfer()
            || matches!(
                step.operation,
                Operation::Seek | Operation::Truncate | Operation::Ftruncate
            );
        let Some((offset, starts)) = step.offset.filter(|_| is_placed).zip(starts.get(&step.file))
        else {
            continue;
        };
        if let Some((start, aligned)) = starts.range(..=offset).next_back() {
            step.offset = Some(aligned.saturating_add(offset - start));
        }
    }
}
