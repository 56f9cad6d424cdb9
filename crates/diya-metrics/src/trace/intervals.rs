//! Sets of intervals `[from, to)`: spans of time, or extents of a file.

/// Sorts the intervals and joins those that touch or overlap.
///
/// Bounds must be comparable with each other: no NaN.
pub(super) fn join<T: Copy + PartialOrd>(intervals: &mut Vec<(T, T)>) {
    intervals.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
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

/// Length of joined extents, in bytes.
pub(super) fn bytes(joined: &[(i64, i64)]) -> i64 {
    joined.iter().fold(0, |sum: i64, (from, to)| sum.saturating_add(to.saturating_sub(*from)))
}

/// Length of joined spans, in seconds.
pub(super) fn seconds(joined: &[(f64, f64)]) -> f64 {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_touches_is_joined_and_what_lies_inside_adds_nothing() {
        let mut extents = vec![(10, 20), (0, 5), (5, 7), (12, 15), (30, 30)];
        join(&mut extents);
        assert_eq!(extents, [(0, 7), (10, 20), (30, 30)]);
        assert_eq!(bytes(&extents), 17);
    }

    #[test]
    fn only_common_time_overlaps() {
        let a = [(0.0, 2.0), (4.0, 6.0)];
        let b = [(1.0, 5.0), (5.5, 9.0)];
        assert!((overlap_s(&a, &b) - 2.5).abs() < 1e-12);
        assert!(overlap_s(&a, &[]).abs() < 1e-12);
    }
}
