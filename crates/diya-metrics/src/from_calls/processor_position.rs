//! To which call, and to which file, a sample of the processor belongs.

use super::call::Call;
use super::calls::Calls;
use super::processor_samples::{TakenSample, Toward};
use diya_tables::{Layer, Op};

/// Where work was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Position {
    /// Inside a recorded call, the innermost.
    Call,
    /// Between the calls of a thread.
    Between,
}

/// One row of table `call`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub start_s: f64,
    pub end_s: f64,
    /// Share of the span that is spent in the calls: of one call all.
    pub busy_ratio: f64,
    stream: u32,
    is_outer: bool,
}

impl Item {
    pub fn of(call: &Call) -> Self {
        let span_s = call.end_s - call.start_s;
        let is_one = call.calls <= 1 || span_s <= 0.0;
        Self {
            start_s: call.start_s,
            end_s: call.end_s,
            busy_ratio: if is_one { 1.0 } else { (call.busy_s / span_s).clamp(0.0, 1.0) },
            stream: call.stream,
            is_outer: call.parent == 0,
        }
    }

    /// The layer of the call.
    pub fn layer(&self, calls: &Calls) -> Layer {
        calls.streams[self.stream as usize].layer
    }
}

/// Says of every sample, by its number, where it was taken, and for which stream; of a row
/// of several calls a share of it.
pub(super) fn attribute_to(
    items: &[Item],
    taken: &[TakenSample],
    calls: &Calls,
    each: &mut impl FnMut(Position, Option<u32>, usize, f64),
) {
    let outer: Vec<&Item> = items.iter().filter(|item| item.is_outer).collect();
    let neighbours = Neighbours::of(&outer, calls);
    let (mut next, mut next_outer, mut open) = (0, 0, Vec::<&Item>::new());
    for (at, sample) in taken.iter().enumerate() {
        while let Some(item) = items.get(next).filter(|item| item.start_s <= sample.time_s) {
            while open.last().is_some_and(|last| last.end_s < item.end_s) {
                open.pop();
            }
            open.push(item);
            next += 1;
            next_outer += usize::from(item.is_outer);
        }
        while open.last().is_some_and(|last| last.end_s < sample.time_s) {
            open.pop();
        }
        match open.last() {
            Some(item) => {
                each(Position::Call, Some(item.stream), at, item.busy_ratio);
                if item.busy_ratio < 1.0 {
                    each(Position::Between, Some(item.stream), at, 1.0 - item.busy_ratio);
                }
            }
            None => {
                let owner = neighbours.owner(next_outer, &outer, sample.toward);
                each(Position::Between, owner, at, 1.0);
            }
        }
    }
}

/// The transfers nearest to each pause of a thread.
struct Neighbours {
    /// By number of the call: the last transfer up to it, the first one from it on.
    before: Vec<Option<usize>>,
    after: Vec<Option<usize>>,
    /// Of the calls that transfer: true: they write.
    writes: Vec<bool>,
}

impl Neighbours {
    fn of(outer: &[&Item], calls: &Calls) -> Self {
        let stream = |at: usize| &calls.streams[outer[at].stream as usize];
        let is_transfer = |at: &usize| stream(*at).is_transfer();
        let mut last = None;
        let before = (0..outer.len()).map(|at| {
            last = Some(at).filter(is_transfer).or(last);
            last
        });
        let before = before.collect();
        let mut first = None;
        let after = (0..outer.len()).rev().map(|at| {
            first = Some(at).filter(is_transfer).or(first);
            first
        });
        let mut after: Vec<Option<usize>> = after.collect();
        after.reverse();
        let writes = (0..outer.len()).map(|at| stream(at).op == Op::Write).collect();
        Self { before, after, writes }
    }

    /// The stream that the pause before call `at` is for.
    fn owner(&self, at: usize, outer: &[&Item], toward: Toward) -> Option<u32> {
        let before = at.checked_sub(1).and_then(|last| self.before.get(last).copied().flatten());
        let after = self.after.get(at).copied().flatten();
        let read = before.filter(|of| !self.writes[*of]);
        let write = after.filter(|of| self.writes[*of]);
        let owner = match (read, write) {
            (Some(read), Some(_)) if toward == Toward::Read => Some(read),
            (Some(_), Some(write)) if toward == Toward::Write => Some(write),
            // The nearer one; as near as each other, the write.
            (Some(read), Some(write)) if write - at <= at - 1 - read => Some(write),
            (Some(read), _) => Some(read),
            (None, Some(write)) => Some(write),
            (None, None) => before.or(after),
        };
        owner.map(|owner| outer[owner].stream)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(times_s: &[f64]) -> Vec<TakenSample> {
        times_s
            .iter()
            .map(|time_s| TakenSample {
                time_s: *time_s,
                weight_s: 0.001,
                code: 0,
                toward: Toward::Unknown,
                helps: Default::default(),
            })
            .collect()
    }

    fn placed(text: &str, times_s: &[f64]) -> Vec<(Position, Option<u64>)> {
        let calls = Calls::from_text(text);
        let mut items = Vec::new();
        calls.each_of(|_| true, |call| items.push(Item::of(call)));
        items.sort_by(|a, b| a.start_s.total_cmp(&b.start_s).then(b.end_s.total_cmp(&a.end_s)));
        let mut placed = Vec::new();
        attribute_to(&items, &taken(times_s), &calls, &mut |place, stream, _, _| {
            placed.push((place, stream.map(|stream| calls.streams[stream as usize].file_id)));
        });
        placed
    }

    #[test]
    fn work_before_a_write_and_after_a_read_is_for_that_file() {
        let calls = "0 posix open  - 0   0.0 0.1 7
                     0 posix read  0 100 0.2 0.3 7
                     0 posix close - 0   0.5 0.6 7
                     0 posix open  - 0   1.0 1.1 8
                     0 posix write 0 100 1.5 1.6 8";
        let between = |file| (Position::Between, Some(file));
        assert_eq!(
            placed(calls, &[0.15, 0.4, 0.8, 1.3, 2.0]),
            [between(7), between(7), between(8), between(8), between(8)]
        );
        assert_eq!(
            placed(calls, &[0.25, 1.55]),
            [(Position::Call, Some(7)), (Position::Call, Some(8))]
        );
    }

    #[test]
    fn inside_calls_the_innermost_counts() {
        let calls = "0 hdf5_dataset write 0 100 0.0 1.0 5
                     0 posix        write 0 100 0.4 0.6 7 1 - 1";
        assert_eq!(
            placed(calls, &[0.2, 0.5, 0.8]),
            [(Position::Call, Some(5)), (Position::Call, Some(7)), (Position::Call, Some(5))]
        );
    }
}
