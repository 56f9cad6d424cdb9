//! Sets of intervals `[from, to)`: spans of time, or extents of a file.

use std::cmp::Ordering;

/// Sorts the intervals and joins those that touch or overlap.
///
/// Bounds must be comparable with each other: no NaN.
pub(super) fn join<T: Copy + PartialOrd>(intervals: &mut Vec<(T, T)>) {
    intervals.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    join_sorted(intervals);
}

fn join_sorted<T: Copy + PartialOrd>(intervals: &mut Vec<(T, T)>) {
    let mut kept = 0;
    for at in 0..intervals.len() {
        let (from, to) = intervals[at];
        if kept > 0 && from <= intervals[kept - 1].1 {
            if to > intervals[kept - 1].1 {
                intervals[kept - 1].1 = to;
            }
        } else {
            intervals[kept] = (from, to);
            kept += 1;
        }
    }
    intervals.truncate(kept);
}

/// Spans that are joined while they come: as large as their union, not as all of
/// them.
#[derive(Debug, Default)]
pub(crate) struct Union {
    spans: Vec<(f64, f64)>,
    /// Spans at which they are joined again.
    most: usize,
}

/// Spans below which joining is not worth its while.
const FEW_SPANS: usize = 1 << 15;

impl Union {
    /// Adds a span, in seconds.
    pub fn add(&mut self, from_s: f64, to_s: f64) {
        // Most calls follow the one before.
        if let Some((first_s, last_s)) = self.spans.last_mut()
            && (*first_s..=*last_s).contains(&from_s)
        {
            *last_s = last_s.max(to_s);
            return;
        }
        if self.spans.len() >= self.most.max(FEW_SPANS) {
            self.join();
            self.most = self.spans.len() * 2;
        }
        self.spans.push((from_s, to_s));
    }

    /// The spans, joined.
    pub fn finish(mut self) -> Vec<(f64, f64)> {
        self.join();
        self.spans
    }

    fn join(&mut self) {
        // Stable, since that is quick where sorted runs follow each other:
        // those of the ranks, behind what was joined before.
        self.spans.sort_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
        join_sorted(&mut self.spans);
    }
}

/// Length of joined spans, in seconds.
pub(crate) fn seconds(joined: &[(f64, f64)]) -> f64 {
    joined.iter().map(|(from, to)| to - from).sum()
}

/// Seconds that lie in both; both are joined.
pub(super) fn overlap_s(a: &[(f64, f64)], b: &[(f64, f64)]) -> f64 {
    let (mut at, mut bt, mut sum) = (0, 0, 0.0);
    while let (Some(x), Some(y)) = (a.get(at), b.get(bt)) {
        sum += (x.1.min(y.1) - x.0.max(y.0)).max(0.0);
        if x.1 < y.1 {
            at += 1;
        } else {
            bt += 1;
        }
    }
    sum
}

/// Seconds of joined spans that lie in this one.
pub(super) fn seconds_in(joined: &[(f64, f64)], within: (f64, f64)) -> f64 {
    let from = joined.partition_point(|span| span.1 <= within.0);
    let inside = joined[from..].iter().take_while(|span| span.0 < within.1);
    inside.map(|span| span.1.min(within.1) - span.0.max(within.0)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_touches_is_joined_and_what_lies_inside_adds_nothing() {
        let mut extents = vec![(10, 20), (0, 5), (5, 7), (12, 15), (30, 30)];
        join(&mut extents);
        assert_eq!(extents, [(0, 7), (10, 20), (30, 30)]);
    }

    #[test]
    fn spans_that_come_one_by_one_are_joined_as_those_that_come_together() {
        let of_rank = |rank: u32| {
            (0..40_000).map(move |call| {
                let start_s = f64::from(call * 10 + rank);
                (start_s, start_s + 1.0)
            })
        };
        let (mut union, mut all) = (Union::default(), Vec::new());
        for (from_s, to_s) in of_rank(0).chain(of_rank(4)).chain(of_rank(1)) {
            union.add(from_s, to_s);
            all.push((from_s, to_s));
        }
        join(&mut all);
        assert_eq!(all.len(), 80_000);
        assert_eq!(union.finish(), all);
    }

    #[test]
    fn only_common_time_overlaps() {
        let a = [(0.0, 2.0), (4.0, 6.0)];
        let b = [(1.0, 5.0), (5.5, 9.0)];
        assert!((overlap_s(&a, &b) - 2.5).abs() < 1e-12);
        assert!(overlap_s(&a, &[]).abs() < 1e-12);
    }
}
