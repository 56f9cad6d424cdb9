//! `drop-failed`: nothing is opened or asked that is not there, as by a program that has listed
//! the folder.

use crate::effect::EXCLUSIVE;
use crate::operation::Operation;
use crate::recording::Recording;
use crate::step::Step;

pub(super) fn apply(recording: &mut Recording) {
    for step in &mut recording.steps {
        step.is_dropped |= step.has_failed && is_question(step);
    }
}

/// Whether a listing of the folder answers it. A lock file is made to find out who is first.
fn is_question(step: &Step) -> bool {
    match step.operation {
        Operation::Open => step.aux.is_none_or(|flags| flags & EXCLUSIVE == 0),
        Operation::OpenStream
        | Operation::OpenDir
        | Operation::Stat
        | Operation::Lstat
        | Operation::Access => true,
        _ => false,
    }
}
