//! What belongs to calls beside their requests: the own time of a library, and locks.
//!
//! Between two requests lies computing, which a replay keeps. Part of it is no computing: the
//! time of a library call around its requests, and the wait for a lock before one. It goes when
//! a transform drops all requests of the call, or the one behind the lock.

use crate::step::{LibraryCall, Step};

/// Start and end, s.
type Span = (f64, f64);

/// A call of a library.
#[derive(Debug, Clone, Copy)]
struct OneCall {
    span: Span,
    /// Number of its file, if that is one of the replay.
    file: Option<u32>,
}

/// Calls of libraries and locks, by the number of the stream.
#[derive(Debug, Default, Clone)]
pub struct Libraries {
    /// Outermost calls, in the order of time.
    calls: Vec<Vec<OneCall>>,
    /// Locks: they are not issued, the order of ranks is kept instead.
    locks: Vec<Vec<Span>>,
}

impl Libraries {
    /// A call of a library.
    pub(crate) fn add_call(&mut self, stream: u32, span: Span, file: Option<u32>) {
        add(&mut self.calls, stream, span, OneCall { span, file });
    }

    /// The file of a call.
    pub(crate) fn file(&self, (stream, call): (u32, LibraryCall)) -> Option<u32> {
        self.calls.get(stream as usize)?.get(call as usize)?.file
    }

    /// A lock, or its release.
    pub(crate) fn add_lock(&mut self, stream: u32, span: Span) {
        add(&mut self.locks, stream, span, span);
    }

    /// All calls are there: each step learns in which call of a library it lies.
    pub(crate) fn bind(&mut self, steps: &mut [Step]) {
        self.calls.iter_mut().for_each(outermost);
        for step in steps {
            let Some(spans) = self.calls.get(step.stream as usize) else { continue };
            let at = spans.partition_point(|call| call.span.0 <= step.start_s);
            let inside = at.checked_sub(1).filter(|at| step.end_s <= spans[*at].span.1);
            step.library = inside.map(|at| (step.stream, at as LibraryCall));
        }
    }

    /// Time that goes with dropped requests, by the number of the stream.
    pub(crate) fn gone(&self, steps: &[Step]) -> Vec<DroppedSpans> {
        // By call: whether it has requests, and whether one is kept.
        let mut seen: Vec<Vec<(bool, bool)>> =
            self.calls.iter().map(|spans| vec![(false, false); spans.len()]).collect();
        for step in steps {
            let Some((stream, call)) = step.library else { continue };
            if let Some(of) = seen.get_mut(stream as usize).and_then(|s| s.get_mut(call as usize)) {
                *of = (true, of.1 || !step.is_dropped);
            }
        }
        let streams = self.calls.len().max(self.locks.len());
        (0..streams)
            .map(|stream| {
                let calls = self.calls.get(stream).into_iter().flatten();
                let seen = seen.get(stream).into_iter().flatten();
                let always: Vec<Span> = calls
                    .zip(seen)
                    .filter(|(_, seen)| **seen == (true, false))
                    .map(|(call, _)| call.span)
                    .collect();
                let mut dropped = always.clone();
                dropped.extend(self.locks.get(stream).into_iter().flatten());
                DroppedSpans { always, before_dropped: union(dropped) }
            })
            .collect()
    }
}

/// Spans of a stream that no longer take time.
#[derive(Debug, Default)]
pub(crate) struct DroppedSpans {
    /// Calls of which no request is left.
    always: Vec<Span>,
    /// The same, and locks: they go if the next request is dropped.
    before_dropped: Vec<Span>,
}

impl DroppedSpans {
    /// What is left of the time between two requests, s.
    pub fn left_s(&self, from_s: f64, to_s: f64, is_dropped: bool) -> f64 {
        let spans = if is_dropped { &self.before_dropped } else { &self.always };
        let first = spans.partition_point(|(_, end)| *end <= from_s);
        let gone: f64 = spans[first..]
            .iter()
            .take_while(|(start, _)| *start < to_s)
            .map(|(start, end)| end.min(to_s) - start.max(from_s))
            .sum();
        (to_s - from_s - gone).max(0.0)
    }
}

fn add<T: Clone>(of_streams: &mut Vec<Vec<T>>, stream: u32, span: Span, item: T) {
    let at = stream as usize;
    if of_streams.len() <= at {
        of_streams.resize(at + 1, Vec::new());
    }
    // Damaged logs have any times.
    if span.0.is_finite() && span.1 > span.0 {
        of_streams[at].push(item);
    }
}

/// Without calls that lie in others.
fn outermost(calls: &mut Vec<OneCall>) {
    calls.sort_by(|a, b| a.span.0.total_cmp(&b.span.0).then(b.span.1.total_cmp(&a.span.1)));
    calls.dedup_by(|call, before| {
        let is_inside = call.span.0 < before.span.1;
        if is_inside {
            before.span.1 = before.span.1.max(call.span.1);
        }
        is_inside
    });
}

/// Spans in order, those that overlap as one.
fn union(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut joined: Vec<Span> = Vec::with_capacity(spans.len());
    for (start, end) in spans {
        match joined.last_mut() {
            Some(last) if start < last.1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::Operation;
    use diya_tables::Op;

    fn step(start_s: f64, is_dropped: bool) -> Step {
        Step {
            operation: Operation::Write,
            op: Op::Write,
            stream: 0,
            file: 0,
            function: 0,
            offset: Some(0),
            bytes: 1,
            requested: 1,
            aux: None,
            calls: 1,
            start_s,
            end_s: start_s + 1.0,
            busy_s: 1.0,
            has_failed: false,
            library: None,
            is_dropped,
            is_changed: false,
        }
    }

    #[test]
    fn a_library_call_goes_with_its_last_request() {
        let mut libraries = Libraries::default();
        // A call in another one, and one without requests.
        libraries.add_call(0, (10.0, 20.0), Some(7));
        libraries.add_call(0, (11.0, 19.0), Some(8));
        libraries.add_call(0, (30.0, 40.0), None);
        let mut steps = [step(5.0, true), step(12.0, true), step(15.0, false)];
        libraries.bind(&mut steps);
        let calls: Vec<_> = steps.iter().map(|step| step.library).collect();
        assert_eq!(calls, [None, Some((0, 0)), Some((0, 0))]);
        assert_eq!(libraries.file((0, 0)), Some(7));
        let left_s = |libraries: &Libraries, steps: &[Step]| {
            libraries.gone(steps)[0].left_s(6.0, 45.0, false)
        };
        assert_eq!(left_s(&libraries, &steps), 39.0, "one request is kept");
        steps[2].is_dropped = true;
        assert_eq!(left_s(&libraries, &steps), 29.0);
    }

    #[test]
    fn locks_go_before_a_dropped_request() {
        let mut libraries = Libraries::default();
        libraries.add_lock(0, (1.0, 3.0));
        libraries.add_lock(0, (f64::NAN, 9.0));
        let gone = libraries.gone(&[]);
        assert_eq!(gone[0].left_s(0.0, 4.0, true), 2.0);
        assert_eq!(gone[0].left_s(2.0, 4.0, true), 1.0);
        assert_eq!(gone[0].left_s(0.0, 4.0, false), 4.0);
        assert_eq!(gone[0].left_s(4.0, 0.0, false), 0.0);
    }
}
