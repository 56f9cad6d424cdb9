//! Steps of a thread that gets its batches from other processes: one for each message that
//! Python's multiprocessing sends through a pipe.
//!
//! The length of pauses does not separate these steps. Of several loaders, one can be faster
//! than its turn: its message is read while the thread waits for another loader, two steps are
//! computed after that, and no message is read between these.

use super::folded::folded;
use super::found::{ABOUT, Found};
use super::observations::Item;
use crate::from_calls::lane::Span;
use diya_model::median;
use std::collections::HashMap;

/// `multiprocessing.connection`: the length of a message is read first, as one integer.
const LENGTH_BYTES: i64 = 4;

/// Fewer come through a pipe that hands over a file descriptor: three (`resource_sharer`).
const LEAST_OF_PIPE: usize = 4;

/// A message below this can say that a loader is done: `None` has 4 bytes, the end of an
/// `IterableDataset` of PyTorch about 100.
const DONE_BYTES: i64 = 256;

/// Such a message is at most so large a part of a batch.
const DONE_RATIO: f64 = 0.5;

/// In a shorter pause no step is computed, and a shorter read does not wait.
const SHORTEST_STEP_S: f64 = 1e-3;

/// Of so many batches the first read waits, at least, where reads wait: some reads are long
/// because another program had the processor.
const LEAST_WAITED_RATIO: f64 = 0.1;

/// One message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Message {
    /// From the start of its first read to the end of its last one.
    pub span: Span,
    pub file_id: u64,
    /// How long its first read took.
    first_s: f64,
    bytes: i64,
}

/// Batches that come through pipes, in the order of time; `reads` are those of pipes.
pub(super) fn batches<'i>(reads: impl Iterator<Item = &'i Item>) -> Vec<Message> {
    // None: what comes through this pipe is not of multiprocessing.
    let mut pipes: HashMap<u64, Option<Vec<Message>>> = HashMap::new();
    for read in reads {
        let is_length = read.calls == 1 && read.bytes == LENGTH_BYTES;
        let pipe = pipes.entry(read.file_id).or_insert_with(|| is_length.then(Vec::new));
        let Some(messages) = pipe else { continue };
        match messages.last_mut() {
            Some(last) if last.bytes == 0 || !is_length => {
                last.bytes = last.bytes.saturating_add(read.bytes);
                last.span.1 = last.span.1.max(read.span.1);
            }
            _ => messages.push(Message {
                span: read.span,
                file_id: read.file_id,
                first_s: read.busy_s,
                bytes: 0,
            }),
        }
    }
    let mut all: Vec<Message> =
        pipes.into_values().flatten().filter(|of| of.len() >= LEAST_OF_PIPE).flatten().collect();
    let usual = median(&mut all.iter().map(|of| of.bytes as f64).collect::<Vec<_>>());
    let done = usual.unwrap_or(0.0) * DONE_RATIO;
    all.retain(|of| of.bytes >= DONE_BYTES || of.bytes as f64 >= done);
    all.sort_by(|a, b| a.span.1.total_cmp(&b.span.1));
    all
}

/// The thread waits in its reads, as for a queue of multiprocessing. PyTorch polls first, which is
/// not recorded, and reads what is there.
pub(super) fn are_waited_for(batches: &[Message]) -> bool {
    let waited = batches.iter().filter(|of| of.first_s >= SHORTEST_STEP_S).count();
    waited as f64 >= batches.len() as f64 * LEAST_WAITED_RATIO
}

/// A step for each batch of so many loaders at a time; where batches follow one another
/// without a pause for a step, they are samples, and each so many of them make a step.
pub(super) fn steps(batches: &[Message], loaders: usize, end_s: f64) -> Vec<Found> {
    let mut spans: Vec<Span> = batches.iter().map(|of| of.span).collect();
    // Until the first batch arrives, loaders start.
    spans.first_mut().into_iter().for_each(|first| first.0 = first.1);
    let pauses = spans.windows(2);
    let short = pauses.filter(|two| two[1].0 - two[0].1 < SHORTEST_STEP_S).count();
    if short * 2 > spans.len() {
        let found = folded(&spans, end_s);
        // Loaders that deliver at once repeat, too.
        if !found.is_empty() && found.len() * loaders.max(1) < spans.len() {
            return found;
        }
    }
    one_each(&spans, loaders.max(1), end_s)
}

/// Steps from the end of one read to that of the next. Batches that come together are
/// computed one after the other: their time is divided.
fn one_each(spans: &[Span], loaders: usize, end_s: f64) -> Vec<Found> {
    let mut times_s: Vec<f64> = spans.iter().map(|span| span.1).collect();
    // Several loaders together are regular.
    let turns = times_s.windows(loaders + 1);
    let mut steps_s: Vec<f64> = turns.map(|of| (of[loaders] - of[0]) / loaders as f64).collect();
    let step_s = median(&mut steps_s).unwrap_or(0.0);
    times_s.push(times_s.last().map_or(end_s, |last| last.max(end_s)));
    let mut at = 0;
    while at + 1 < times_s.len() {
        let pauses = times_s[at..].windows(2);
        let more = pauses.take_while(|two| two[1] - two[0] < step_s / ABOUT).count();
        let next = (at + more + 1).min(times_s.len() - 1);
        let (first_s, count) = (times_s[at], (next - at) as f64);
        if next + 1 == times_s.len() {
            // Nothing says when the last steps end.
            times_s[next] = times_s[next].min(first_s + step_s * count).max(times_s[next - 1]);
        }
        let each_s = (times_s[next] - first_s) / count;
        for (place, time_s) in times_s[at..next].iter_mut().enumerate().skip(1) {
            *time_s = first_s + each_s * place as f64;
        }
        at = next;
    }
    let spans = times_s.windows(2).map(|two| (two[0], two[1]));
    spans.map(|span| Found { span, number: None }).collect()
}

#[cfg(test)]
mod tests {
    use super::super::observations::About;
    use super::*;

    fn read(file_id: u64, at_s: f64, bytes: i64) -> Item {
        Item {
            span: (at_s, at_s + 1e-4),
            about: About::Pipe,
            is_read: true,
            is_open: false,
            calls: 1,
            bytes,
            busy_s: 1e-4,
            file_id,
            offset: -1,
            stack_id: None,
        }
    }

    /// Messages at these times.
    fn at(times_s: &[f64]) -> Vec<Message> {
        times_s
            .iter()
            .map(|at_s| Message {
                span: (*at_s - 1e-4, *at_s),
                file_id: 7,
                first_s: 1e-4,
                bytes: 352,
            })
            .collect()
    }

    #[test]
    fn a_message_is_a_length_and_its_bytes() {
        // A batch in two pieces; `None`, whose bytes are as many as those of a length.
        let batch = |at_s: f64| [(at_s, 4), (at_s + 0.1, 65_536), (at_s + 0.2, 1000)];
        let mut reads: Vec<Item> = [1.0, 2.0, 3.0, 4.0]
            .into_iter()
            .flat_map(batch)
            .chain([(5.0, 4), (5.1, 4)])
            .map(|(at_s, bytes)| read(7, at_s, bytes))
            .collect();
        // A file descriptor is handed over, and another program writes lines.
        reads.extend([(1.0, 4), (1.1, 20), (1.2, 4), (1.3, 64)].map(|of| read(8, of.0, of.1)));
        reads.extend((0..9).map(|line| read(9, f64::from(line), 90)));
        let found = batches(reads.iter());
        let starts_s: Vec<f64> = found.iter().map(|of| of.span.0).collect();
        assert_eq!(starts_s, [1.0, 2.0, 3.0, 4.0]);
        assert!((found[0].span.1 - 1.2001).abs() < 1e-9 && found[0].bytes == 66_536);
    }

    #[test]
    fn reads_that_find_a_batch_are_no_waits() {
        let polled = at(&[1.0, 2.0, 3.0]);
        assert!(!are_waited_for(&polled));
        let waited: Vec<Message> =
            polled.into_iter().map(|of| Message { first_s: 0.5, ..of }).collect();
        assert!(are_waited_for(&waited) && are_waited_for(&[]));
    }

    #[test]
    fn batches_of_two_loaders_that_come_together_are_two_steps() {
        // The second loader is ready first: its batch is read 3 ms before that of the first one,
        // and two steps are computed after both.
        let times_s: Vec<f64> =
            (0..10).flat_map(|n| [0.0, 0.003].map(|at| f64::from(n) * 0.05 + at)).collect();
        let found = steps(&at(&times_s), 2, 0.5);
        assert_eq!(found.len(), 20);
        assert!(found.iter().all(|of| (of.span.1 - of.span.0 - 0.025).abs() < 1e-9), "{found:?}");
    }

    #[test]
    fn batches_in_turn_are_steps_of_their_own_lengths() {
        let times_s: Vec<f64> =
            (0..10).flat_map(|n| [0.0, 0.015].map(|at| f64::from(n) * 0.05 + at)).collect();
        let found: Vec<f64> = steps(&at(&times_s), 2, 0.5).iter().map(|of| of.span.0).collect();
        assert_eq!(found, times_s);
    }

    #[test]
    fn messages_without_pauses_are_samples_of_a_step() {
        // Eight samples of a step, one after the other, and 10 ms of computing.
        let time_s = |n: u32| f64::from(n) * 2e-4 + f64::from(n / 8) * 0.01;
        let times_s: Vec<f64> = (0..160).map(time_s).collect();
        assert_eq!(steps(&at(&times_s), 2, 0.3).len(), 20);
        // Eight loaders that deliver eight batches at once.
        assert_eq!(steps(&at(&times_s), 8, 0.3).len(), 160);
    }
}
