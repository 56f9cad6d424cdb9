//! `no-fsync`: a crash of the machine may lose what was written; the times show what that costs.

use crate::effect::SYNC;
use crate::operation::Operation;
use crate::recording::Recording;
use std::collections::HashSet;

pub(super) fn apply(recording: &mut Recording) {
    // Files whose writes waited for the disk each.
    let mut synchronous: HashSet<u32> = HashSet::new();
    for step in &mut recording.steps {
        match step.operation {
            Operation::Sync | Operation::DataSync | Operation::SyncAll => step.is_dropped = true,
            Operation::Open => {
                if let Some(flags) = step.aux.filter(|flags| flags & SYNC != 0) {
                    step.aux = Some(flags & !SYNC);
                    synchronous.insert(step.file);
                }
            }
            _ => step.is_changed |= step.operation.is_write() && synchronous.contains(&step.file),
        }
    }
}
