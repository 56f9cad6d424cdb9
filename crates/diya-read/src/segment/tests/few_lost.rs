//! Calls that their moment lost: a few of many decide nothing.

use super::builder::{Builder, name};
use super::{issues, tables, write};

/// Header field of calls lost in a signal handler.
const LOST_IN_HANDLER: usize = 152;

/// A process that made so many calls, and lost so many more in signal handlers.
fn process(pid: u32, calls: usize, lost: u64) -> Vec<u8> {
    let mut builder = Builder::new(pid);
    builder.set_u64(LOST_IN_HANDLER, lost);
    let mut records = vec![name(7, "/scratch/a")];
    records.extend((0..calls).map(|_| write(0, 10)));
    // A window has room for a hundred.
    let windows = records.chunks(100).zip(0..);
    windows.fold(builder, |builder, (part, place)| builder.window(pid, place, part)).bytes()
}

fn kinds(segments: Vec<Vec<u8>>) -> Vec<String> {
    issues(&tables(segments).0).into_iter().map(|(kind, _)| kind).collect()
}

#[test]
fn one_of_a_thousand_calls_of_all_processes_is_no_loss() {
    let shell = process(5, 20, 1);
    assert_eq!(kinds(vec![shell.clone(), process(6, 980, 0)]), ["few_not_recorded"]);
    assert_eq!(kinds(vec![shell, process(6, 979, 0)]), ["not_recorded"]);
    assert!(kinds(vec![process(5, 20, 0)]).is_empty());
}

#[test]
fn one_call_is_said_as_one() {
    let (tables, _) = tables(vec![process(5, 1000, 1)]);
    let effect = "process 5 (sim): 1 call is missing: made in a signal handler that interrupted \
        the recorder";
    assert_eq!(issues(&tables), [("few_not_recorded".to_string(), effect.to_string())]);
}
