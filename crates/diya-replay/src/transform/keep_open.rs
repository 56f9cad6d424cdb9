//! `batch-metadata`: a process opens each file once, and closes it when it no longer needs it.

use crate::effect::{EXCLUSIVE, SYNC, TRUNCATE};
use crate::kind::Kind;
use crate::recording::Recording;
use std::collections::HashMap;

/// An open with its flags, where they are recorded.
type Opened = (Kind, Option<i64>);

pub(super) fn apply(recording: &mut Recording) {
    // By file and process: the close after which the next open is not needed, if it is of the same kind.
    let mut closed: HashMap<u32, HashMap<i32, (usize, Opened)>> = HashMap::new();
    let mut open: HashMap<(i32, u32), Vec<Opened>> = HashMap::new();
    for at in 0..recording.steps.len() {
        let step = recording.steps[at];
        let Some(stream) = recording.streams.get(step.stream as usize).filter(|_| !step.is_dropped)
        else {
            continue;
        };
        let key = (stream.process, step.file);
        let closed = closed.entry(step.file).or_default();
        match step.kind {
            Kind::Open | Kind::OpenStream if !step.has_failed => {
                let before = closed.remove(&stream.process);
                let opened =
                    match before.filter(|(_, opened)| serves(*opened, (step.kind, step.aux))) {
                        None => (step.kind, step.aux),
                        Some((close, opened)) => {
                            recording.steps[close].is_dropped = true;
                            recording.steps[at].is_dropped = true;
                            opened
                        }
                    };
                open.entry(key).or_default().push(opened);
            }
            Kind::Close => {
                if let Some(opened) = open.get_mut(&key).and_then(Vec::pop) {
                    closed.insert(stream.process, (at, opened));
                }
            }
            // Gone, or another file: the next open is needed.
            Kind::Rename | Kind::Unlink | Kind::Dup => closed.clear(),
            _ => {}
        }
    }
}

/// Whether a file that was opened so can be used instead of opening it anew.
fn serves(opened: Opened, again: Opened) -> bool {
    const ACCESS: i64 = 3;
    const READ_AND_WRITE: i64 = 2;
    const DIRECT: i64 = 0o40_000;
    const WAYS: i64 = DIRECT | SYNC;
    let flags_serve = match (opened.1, again.1) {
        (None, None) => true,
        (Some(one), Some(two)) => {
            let access = one & ACCESS == two & ACCESS || one & ACCESS == READ_AND_WRITE;
            access && one & WAYS == two & WAYS && two & (EXCLUSIVE | TRUNCATE) == 0
        }
        _ => false,
    };
    opened.0 == again.0 && flags_serve
}
