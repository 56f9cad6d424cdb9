//! `drop-temporary`: files that the job makes and removes are not there, as in a program that hands
//! their data on in memory.

use crate::effect::CREATE;
use crate::operation::Operation;
use crate::recording::Recording;
use crate::step::Step;
use std::collections::HashMap;

pub(super) fn apply(recording: &mut Recording) {
    // By file: whether its first call makes it, and whether it is there at the end. A file may be
    // removed while it is open.
    let mut files: HashMap<u32, (bool, bool)> = HashMap::new();
    for step in recording.steps.iter().filter(|step| !step.is_dropped && !step.has_failed) {
        let (_, is_there) = files.entry(step.file).or_insert((makes(step), true));
        *is_there = (*is_there || makes(step)) && step.operation != Operation::Unlink;
    }
    for step in &mut recording.steps {
        let is_temporary = files.get(&step.file) == Some(&(true, false));
        step.is_dropped |= step.operation != Operation::Meet && is_temporary;
    }
}

/// Whether a call makes its file.
fn makes(step: &Step) -> bool {
    match step.operation {
        Operation::Open => step.aux.is_some_and(|flags| flags & CREATE != 0),
        // Only a stream for reading needs the file, and finds none here.
        Operation::OpenStream => true,
        _ => false,
    }
}
