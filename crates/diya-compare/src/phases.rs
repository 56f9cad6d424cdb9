//! Phases of two runs side by side.
//!
//! Runs of one program do the same phases in the same order, but a fix can
//! remove some, and a longer run has more of them. So phases are aligned as
//! texts are by `diff`, by what they move and not by when: Needleman and
//! Wunsch, 1970.

use diya_report::comparison::{PhaseChange, PhaseSide};

/// What leaving a phase out costs; two that differ by more than a factor of
/// 20 in what they move are rather two phases than one.
const GAP: f64 = 1.5;

/// Pairs that are tried; beyond, phases are matched by their numbers.
const MAX_PAIRS: usize = 4_000_000;

/// Bytes below which amounts count as alike: a request or two.
const FEW_BYTES: f64 = 65_536.0;

/// The phases of both runs in their order.
pub(super) fn phases(layer: &str, before: &[PhaseSide], after: &[PhaseSide]) -> Vec<PhaseChange> {
    let pair = |a: Option<usize>, b: Option<usize>| PhaseChange {
        layer: layer.to_owned(),
        before: a.and_then(|a| before.get(a).copied()),
        after: b.and_then(|b| after.get(b).copied()),
    };
    let (rows, columns) = (before.len(), after.len());
    if rows.saturating_mul(columns) > MAX_PAIRS {
        return (0..rows.max(columns)).map(|at| pair(Some(at), Some(at))).collect();
    }
    aligned(before, after).into_iter().map(|(a, b)| pair(a, b)).collect()
}

type PhasePair = (Option<usize>, Option<usize>);

fn aligned(before: &[PhaseSide], after: &[PhaseSide]) -> Vec<PhasePair> {
    let (rows, columns) = (before.len() + 1, after.len() + 1);
    // Cost of aligning the first phases of one with the first of the other.
    let mut cost = vec![0.0; rows * columns];
    for row in 0..rows {
        for column in 0..columns {
            let at = |row: usize, column: usize| cost[row * columns + column];
            let best = match (row, column) {
                (0, 0) => 0.0,
                (0, column) => at(0, column - 1) + GAP,
                (row, 0) => at(row - 1, 0) + GAP,
                (row, column) => {
                    let both =
                        at(row - 1, column - 1) + distance(before, row - 1, after, column - 1);
                    both.min(at(row - 1, column) + GAP).min(at(row, column - 1) + GAP)
                }
            };
            cost[row * columns + column] = best;
        }
    }
    let mut places = Vec::new();
    let (mut row, mut column) = (rows - 1, columns - 1);
    while row > 0 || column > 0 {
        let here = cost[row * columns + column];
        let is_both = row > 0
            && column > 0
            && here
                == cost[(row - 1) * columns + column - 1]
                    + distance(before, row - 1, after, column - 1);
        if is_both {
            (row, column) = (row - 1, column - 1);
            places.push((Some(row), Some(column)));
        } else if column > 0 && here == cost[row * columns + column - 1] + GAP {
            column -= 1;
            places.push((None, Some(column)));
        } else {
            row -= 1;
            places.push((Some(row), None));
        }
    }
    places.reverse();
    places
}

/// How unlike two phases are: by what they read and write, and a little by
/// where in the run they stand, which decides among equals.
fn distance(before: &[PhaseSide], a: usize, after: &[PhaseSide], b: usize) -> f64 {
    let factor = |a: i64, b: i64| ((a as f64 + FEW_BYTES) / (b as f64 + FEW_BYTES)).ln().abs();
    let share = |at: usize, of: usize| if of > 1 { at as f64 / (of - 1) as f64 } else { 0.5 };
    let apart = (share(a, before.len()) - share(b, after.len())).abs();
    let (a, b) = (before[a], after[b]);
    factor(a.bytes_read, b.bytes_read) + factor(a.bytes_written, b.bytes_written) + 0.1 * apart
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: i64 = 1 << 20;

    /// Phases that read (negative) or write so many MiB.
    fn run(mib: &[i64]) -> Vec<PhaseSide> {
        let phase = |(at, mib): (usize, &i64)| PhaseSide {
            phase: at as i64,
            bytes_read: (-mib).max(0) * MIB,
            bytes_written: (*mib).max(0) * MIB,
            ..PhaseSide::default()
        };
        mib.iter().enumerate().map(phase).collect()
    }

    fn numbers(before: &[i64], after: &[i64]) -> Vec<(Option<i64>, Option<i64>)> {
        let changes = phases("posix", &run(before), &run(after));
        changes.iter().map(|c| (c.before.map(|p| p.phase), c.after.map(|p| p.phase))).collect()
    }

    #[test]
    fn the_same_phases_pair_by_number() {
        let both = (0..3).map(|n| (Some(n), Some(n))).collect::<Vec<_>>();
        assert_eq!(numbers(&[-8, 64, 64], &[-8, 64, 64]), both);
    }

    #[test]
    fn a_phase_that_a_fix_removed_stands_alone() {
        assert_eq!(
            numbers(&[-8, 512, 64, 64], &[-8, 64, 64]),
            [(Some(0), Some(0)), (Some(1), None), (Some(2), Some(1)), (Some(3), Some(2))]
        );
    }

    #[test]
    fn reading_is_not_writing() {
        assert_eq!(numbers(&[-64], &[64]), [(Some(0), None), (None, Some(0))]);
    }

    #[test]
    fn a_run_without_phases_has_none() {
        assert_eq!(numbers(&[], &[]), []);
        assert_eq!(numbers(&[], &[64]), [(None, Some(0))]);
    }
}
