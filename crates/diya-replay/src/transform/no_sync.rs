//! `no-fsync`: a crash of the machine may lose what was written; the times show what that costs.

use crate::kind::Kind;
use crate::recording::Recording;

pub(super) fn apply(recording: &mut Recording) {
    for step in &mut recording.steps {
        step.is_dropped |= matches!(step.kind, Kind::Sync | Kind::DataSync | Kind::SyncAll);
    }
}
