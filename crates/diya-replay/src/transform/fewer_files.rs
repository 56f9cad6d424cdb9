//! `fewer-files`: a file of each rank becomes a part of one shared file.
//!
//! Files of one folder whose names differ only in digits are taken for the files of ranks, or
//! of steps. Each gets a part of the shared file that begins at a multiple of a MiB.

use crate::effect::{EXCLUSIVE, TRUNCATE};
use crate::operation::Operation;
use crate::recording::{Recording, ReplayFile};
use std::collections::{BTreeMap, HashMap};

/// Parts begin at multiples of this: no block, page or stripe is shared.
const PART: u64 = 1 << 20;

pub(super) fn apply(recording: &mut Recording) {
    let parts = parts(recording);
    let mut last_removal: HashMap<u32, usize> = HashMap::new();
    for at in 0..recording.steps.len() {
        let step = &mut recording.steps[at];
        let Some((shared, base)) = parts.get(&step.file) else { continue };
        step.file = *shared;
        match step.operation {
            // The others have their parts in it.
            Operation::Open => step.aux = step.aux.map(|flags| flags & !(EXCLUSIVE | TRUNCATE)),
            Operation::Truncate | Operation::Ftruncate => step.is_dropped = true,
            Operation::Unlink | Operation::Rename => {
                if let Some(before) = last_removal.insert(*shared, at) {
                    recording.steps[before].is_dropped = true;
                }
            }
            _ => step.offset = step.offset.map(|offset| offset.saturating_add(*base)),
        }
    }
}

/// For each file of a group: the shared file, and where its part begins.
fn parts(recording: &Recording) -> HashMap<u32, (u32, u64)> {
    let mut sizes: HashMap<u32, u64> = HashMap::new();
    let mut is_written: HashMap<u32, bool> = HashMap::new();
    for step in recording.steps.iter().filter(|step| step.operation.is_transfer()) {
        let end = step.offset.unwrap_or(0).saturating_add(step.requested);
        let size = sizes.entry(step.file).or_default();
        *size = end.max(*size);
        *is_written.entry(step.file).or_default() |= step.operation.is_write();
    }
    let mut groups: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for (file, number) in recording.files.iter().zip(0..) {
        if is_written.get(&number).copied().unwrap_or(false) && !file.is_directory {
            groups.entry(pattern(file)).or_default().push(number);
        }
    }
    let mut parts = HashMap::new();
    for group in groups.values().filter(|group| group.len() > 1) {
        let mut base: u64 = 0;
        for file in group {
            parts.insert(*file, (group[0], base));
            let end = base.saturating_add(sizes.get(file).copied().unwrap_or(0));
            base = end.checked_next_multiple_of(PART).unwrap_or(end);
        }
    }
    parts
}

/// The path, with one `#` for each run of digits in the name.
fn pattern(file: &ReplayFile) -> String {
    let (folder, name) = file.below.rsplit_once('/').unwrap_or(("", &file.below));
    let mut pattern = format!("{folder}/");
    for letter in name.chars() {
        match letter.is_ascii_digit() {
            true if pattern.ends_with('#') => {}
            true => pattern.push('#'),
            false => pattern.push(letter),
        }
    }
    pattern
}
