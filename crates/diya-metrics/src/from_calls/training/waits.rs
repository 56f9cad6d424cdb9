//! When a consuming thread waits for data.

use super::found::LEAST_STEPS;
use super::messages::{self, Message};
use super::observations::{About, Item, Thread};
use crate::from_calls::intervals::{join, seconds_in};
use crate::from_calls::lane::{Span, gaps};

/// A thread that waits is not seen for so long; threads of Python hand their lock on
/// every 5 ms.
const LEAST_WAIT_S: f64 = 8e-3;

/// The same where data come through a pipe at the end: three samples.
const LEAST_PIPED_WAIT_S: f64 = 3e-3;

/// Shorter pauses lie between reads of one sample.
const BURST_PAUSE_S: f64 = 1e-3;

/// Share of a wait in which the loaders are seen at work, at least.
const LOADING_RATIO: f64 = 0.3;

/// How waits are known; the order is that of certainty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The program names them.
    Annotation,
    /// The thread was not seen while loaders were.
    Samples,
    /// Calls of the thread: at least.
    Calls,
}

impl Source {
    pub fn name(self) -> &'static str {
        match self {
            Self::Annotation => "annotation",
            Self::Samples => "samples",
            Self::Calls => "calls",
        }
    }
}

/// Spans of waiting, joined.
#[derive(Debug, PartialEq)]
pub(super) struct Waits {
    pub spans: Vec<Span>,
    pub source: Source,
}

/// Who loads for a consuming thread.
#[derive(Debug, Clone, Copy)]
pub(super) struct Loaders<'l> {
    pub threads: &'l [&'l Thread],
    /// So many other processes load at a time: data come through a pipe.
    pub processes: usize,
    /// What these send through pipes of multiprocessing.
    pub batches: &'l [Message],
    /// Samples of the processor were taken.
    pub has_samples: bool,
}

/// `named`: regions in which the program says that it waits. `None`: not known.
pub(super) fn waits(consumer: &Thread, loaders: Loaders<'_>, named: Vec<Span>) -> Option<Waits> {
    if !named.is_empty() {
        return Some(Waits { spans: named, source: Source::Annotation });
    }
    let is_wait = |about, is_read| match about {
        About::Data => true,
        About::Pipe => is_read && loaders.processes > 0,
        About::Other => false,
    };
    let of_calls = consumer.items.iter().filter(|item| is_wait(item.about, item.is_read));
    let mut spans: Vec<Span> = of_calls.map(|item| item.span).collect();
    let is_alone = loaders.threads.is_empty();
    let source = match loaders.has_samples && !is_alone {
        true => Source::Samples,
        false => Source::Calls,
    };
    // Nothing but samples says when a thread waits for another one, or polls.
    let is_polling = || !messages::are_waited_for(loaders.batches);
    if source == Source::Calls && (spans.is_empty() || is_polling()) {
        return None;
    }
    if source == Source::Samples {
        spans.extend(unseen(consumer, loaders.threads));
    }
    join(&mut spans);
    Some(Waits { spans, source })
}

/// When data arrive, by what is most certain of it.
#[derive(Debug)]
pub(super) struct Arrivals {
    /// From processes of which so many load at a time.
    pub batches: Vec<Message>,
    pub processes: usize,
    /// Reads of a pipe of the loaders, joined.
    pub piped: Vec<Span>,
    /// Own samples, one by one.
    pub samples: Vec<Span>,
    /// Own reads, joined.
    pub reads: Vec<Span>,
    /// Waits; data arrive at their ends.
    pub waits: Vec<Span>,
}

impl Arrivals {
    pub fn of(consumer: &Thread, loaders: Loaders<'_>, waits: Option<&Waits>) -> Self {
        let of = |is_wanted: &dyn Fn(&Item) -> bool| {
            let items = consumer.items.iter().filter(|item| is_wanted(item));
            items.map(|item| item.span).collect::<Vec<Span>>()
        };
        let joined = |mut spans: Vec<Span>| {
            join(&mut spans);
            spans
        };
        let is_own = |item: &Item| item.is_read && item.about == About::Data;
        let reads = joined(of(&is_own));
        let opened = of(&|item| item.is_open && item.about == About::Data);
        // A file for each sample, or else samples that are read from few files.
        let is_file = opened.len() >= LEAST_STEPS * 2;
        let samples = if is_file { opened } else { bursts(&reads) };
        let is_piped = |item: &Item| item.is_read && item.about == About::Pipe;
        let processes = loaders.processes;
        let piped = if processes > 0 { joined(of(&is_piped)) } else { Vec::new() };
        let waits = waits.map(|waits| waits.spans.clone()).unwrap_or_default();
        Self { batches: loaders.batches.to_vec(), processes, piped, samples, reads, waits }
    }
}

/// Reads that follow one another at once are of one sample.
fn bursts(reads: &[Span]) -> Vec<Span> {
    let mut all: Vec<Span> = Vec::new();
    for read in reads {
        match all.last_mut() {
            Some(last) if read.0 - last.1 < BURST_PAUSE_S => last.1 = read.1,
            _ => all.push(*read),
        }
    }
    all
}

/// Times in which a thread is not seen while loaders are, or at whose end it reads from a pipe.
fn unseen(consumer: &Thread, loaders: &[&Thread]) -> Vec<Span> {
    let mut working: Vec<Span> = loaders.iter().flat_map(|of| active(of)).collect();
    join(&mut working);
    let mut seen: Vec<Span> = active(consumer).collect();
    join(&mut seen);
    let Some((first, last)) = seen.first().zip(seen.last()) else { return Vec::new() };
    let is_piped = |item: &Item| item.is_read && item.about == About::Pipe;
    let piped: Vec<Span> =
        consumer.items.iter().filter(|of| is_piped(of)).map(|of| of.span).collect();
    // The processor time of the sample after a wait was in part used before the wait: the
    // sample seems to begin before the read.
    let sample_s = consumer.samples.iter().map(|of| of.1 - of.0).reduce(f64::min).unwrap_or(0.0);
    let arrival_s = |gap: &Span| {
        let at = piped.partition_point(|span| span.0 < gap.0);
        piped.get(at).map(|span| span.0).filter(|at_s| *at_s < gap.1 + sample_s)
    };
    let wait = |gap: Span| match arrival_s(&gap) {
        Some(at_s) => {
            let end_s = gap.1.max(at_s);
            (end_s - gap.0 >= LEAST_PIPED_WAIT_S).then_some((gap.0, end_s))
        }
        None => {
            let length_s = gap.1 - gap.0;
            let is_loading = || seconds_in(&working, gap) >= LOADING_RATIO * length_s;
            (length_s >= LEAST_WAIT_S && is_loading()).then_some(gap)
        }
    };
    gaps(&seen, (first.0, last.1)).into_iter().filter_map(wait).collect()
}

/// When a thread was seen at work, not joined: reads from pipes wait.
fn active(thread: &Thread) -> impl Iterator<Item = Span> {
    let calls = thread.items.iter().filter(|item| item.about != About::Pipe || !item.is_read);
    calls.map(|item| item.span).chain(thread.samples.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(about: About, start_s: f64, end_s: f64) -> Item {
        Item {
            span: (start_s, end_s),
            about,
            is_read: true,
            is_open: false,
            calls: 1,
            bytes: 1000,
            busy_s: end_s - start_s,
            file_id: 7,
            offset: 0,
            stack_id: None,
        }
    }

    fn loaders<'l>(threads: &'l [&'l Thread], has_samples: bool) -> Loaders<'l> {
        Loaders { threads, processes: 1, batches: &[], has_samples }
    }

    #[test]
    fn named_waits_are_taken_as_they_are() {
        let consumer = Thread { items: vec![item(About::Data, 0.0, 5.0)], ..Thread::default() };
        let named = vec![(1.0, 2.0)];
        let waits = waits(&consumer, loaders(&[], true), named.clone());
        assert_eq!(waits, Some(Waits { spans: named, source: Source::Annotation }));
    }

    #[test]
    fn calls_are_waits_and_with_samples_also_times_without_any() {
        // Computes for 10 ms, waits for 90 ms, the last millisecond of it in a read of a pipe.
        let consumer = Thread {
            items: vec![item(About::Pipe, 0.099, 0.1), item(About::Other, 0.0, 0.0)],
            samples: vec![(0.0, 0.01), (0.1, 0.11)],
        };
        let loader = Thread { items: vec![item(About::Data, 0.02, 0.08)], ..Thread::default() };
        let found = waits(&consumer, loaders(&[&loader], false), Vec::new()).expect("a pipe");
        assert_eq!((found.source, found.spans), (Source::Calls, vec![(0.099, 0.1)]));
        let found = waits(&consumer, loaders(&[&loader], true), Vec::new()).expect("a pipe");
        assert_eq!((found.source, found.spans), (Source::Samples, vec![(0.01, 0.1)]));
        // Nobody is seen to load meanwhile, but then data come through the pipe.
        let idle = Thread::default();
        let found = waits(&consumer, loaders(&[&idle], true), Vec::new()).expect("samples");
        assert_eq!(found.spans, [(0.01, 0.1)]);
        // The sample after the wait reaches back to before the read.
        let late = Thread { samples: vec![(0.0, 0.01), (0.098, 0.108)], ..consumer.clone() };
        let found = waits(&late, loaders(&[&idle], true), Vec::new()).expect("samples");
        assert_eq!(found.spans, [(0.01, 0.1)]);
        // The program waits for something else.
        let consumer = Thread { items: vec![item(About::Other, 0.0, 0.0)], ..consumer };
        let found = waits(&consumer, loaders(&[&idle], true), Vec::new()).expect("samples");
        assert_eq!(found.spans, []);
    }

    #[test]
    fn without_samples_the_wait_of_a_thread_that_polls_is_not_known() {
        // Ten messages that are there when they are read.
        let read = |n: i32, bytes: i64| Item {
            bytes,
            ..item(About::Pipe, f64::from(n), f64::from(n) + 1e-4)
        };
        let items = (0..10).flat_map(|n| [read(n, 4), read(n, 352)]).collect();
        let consumer = Thread { items, ..Thread::default() };
        let batches = messages::batches(consumer.items.iter());
        let polled = Loaders { batches: &batches, ..loaders(&[], false) };
        assert_eq!((batches.len(), waits(&consumer, polled, Vec::new())), (10, None));
    }

    #[test]
    fn without_samples_the_wait_for_a_thread_is_not_known() {
        let consumer = Thread { items: vec![item(About::Other, 0.0, 1.0)], ..Thread::default() };
        let loader = Thread { items: vec![item(About::Data, 0.0, 1.0)], ..Thread::default() };
        assert_eq!(waits(&consumer, loaders(&[&loader], false), Vec::new()), None);
    }
}
