//! What two runs of one job differ by anyway.

use diya_report::comparison::Noise;

/// Of 100 runs of one job, 95 lie within this of the usual, as a share.
///
/// Source: Isakov et al., SC22: 5.7 % for 68 of 100 and 10.6 % for 95 of 100
/// concurrent duplicate runs on Theta (7.2 and 15.0 % on Cori), I/O throughput.
pub const USUAL_NOISE: f64 = 0.106;

/// Repeats in both runs together, beyond one of each, from which their own
/// spread is used: with fewer it is not known well enough.
const MEASURED_FROM: usize = 2;

/// Repeats that the usual noise counts for.
const USUAL_FREEDOM: usize = 2;

/// Of 100 values of a normal distribution, 95 lie within so many deviations.
const NORMAL_95: f64 = 1.96;

/// Quantile 0.975 of Student's t by degrees of freedom, from 1.
const STUDENT_T: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];

/// Times of the repeats of two runs, in seconds.
#[derive(Debug, Default)]
pub(super) struct Times {
    pub run_before: Vec<f64>,
    pub run_after: Vec<f64>,
    pub io_before: Vec<f64>,
    pub io_after: Vec<f64>,
}

/// The noise of comparing two runs.
///
/// `usual_ratio` holds where the repeats cannot tell. Run times in whole
/// seconds (Darshan before 3.41) are uncertain by one second on top.
pub(super) fn noise(times: &Times, usual_ratio: f64) -> Noise {
    let (run_ratio, is_measured) = half_width(&times.run_before, &times.run_after, usual_ratio);
    let (io_ratio, _) = half_width(&times.io_before, &times.io_after, usual_ratio);
    let all = || times.run_before.iter().chain(&times.run_after);
    let is_whole = all().all(|s| s.fract() == 0.0);
    let shortest_s = all().copied().filter(|s| *s > 0.0).reduce(f64::min);
    let of_clock = shortest_s.filter(|_| is_whole).map_or(0.0, |s| 1.0 / s);
    Noise { run_ratio: run_ratio + of_clock, io_ratio, is_measured }
}

/// Half width of the range of the quotient of two means, and whether it is
/// from these values.
fn half_width(before: &[f64], after: &[f64], usual_ratio: f64) -> (f64, bool) {
    let known = |times: &[f64]| times.iter().filter(|s| **s > 0.0).count();
    Spread::of([before, after]).half_width(known(before), known(after), usual_ratio)
}

/// What repeats differ by, measured over groups of them. Times spread by factors, so
/// logarithms are compared: the test of Student with pooled variance.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spread {
    variance: f64,
    freedom: usize,
}

impl Spread {
    /// Of the repeats of several runs, one group for each.
    pub fn of<'t>(groups: impl IntoIterator<Item = &'t [f64]>) -> Self {
        let (mut deviations, mut freedom) = (0.0, 0);
        for group in groups {
            let logs: Vec<f64> = group.iter().filter(|s| **s > 0.0).map(|s| s.ln()).collect();
            let mean = logs.iter().sum::<f64>() / logs.len().max(1) as f64;
            deviations += logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>();
            freedom += logs.len().saturating_sub(1);
        }
        Self { variance: deviations / freedom.max(1) as f64, freedom }
    }

    /// Half width of the range of the quotient of two means over so many values, and whether
    /// it is measured. `usual_ratio` holds where the repeats are too few.
    pub fn half_width(&self, before: usize, after: usize, usual_ratio: f64) -> (f64, bool) {
        if before == 0 || after == 0 {
            return (usual_ratio, false);
        }
        let of_means = 1.0 / before as f64 + 1.0 / after as f64;
        if self.freedom < MEASURED_FROM {
            // For one run of each this is the usual noise itself.
            return (usual_ratio * (of_means / 2.0).sqrt(), false);
        }
        let t = STUDENT_T[self.freedom.min(STUDENT_T.len()) - 1];
        ((t * (self.variance * of_means).sqrt()).exp_m1(), true)
    }

    /// The same where each repeat is dear: `usual_ratio` counts as much as [`USUAL_FREEDOM`]
    /// repeats of these runs, so that one pair of repeats neither decides alone nor is ignored.
    pub fn half_width_beside_usual(&self, before: usize, after: usize, usual_ratio: f64) -> f64 {
        let of_means = 1.0 / before.max(1) as f64 + 1.0 / after.max(1) as f64;
        let usual_variance = (usual_ratio.ln_1p() / NORMAL_95).powi(2);
        let freedom = self.freedom + USUAL_FREEDOM;
        let deviations = self.variance * self.freedom as f64;
        let variance = (deviations + usual_variance * USUAL_FREEDOM as f64) / freedom as f64;
        let t = STUDENT_T[freedom.min(STUDENT_T.len()) - 1];
        (t * (variance * of_means).sqrt()).exp_m1()
    }

    /// Whether some run was repeated.
    pub fn is_measured(&self) -> bool {
        self.freedom > 0
    }
}

/// Is the quotient of two times more than chance explains?
pub fn is_beyond(before: f64, after: f64, noise_ratio: f64) -> bool {
    if before <= 0.0 || after <= 0.0 {
        return before != after;
    }
    (after / before).ln().abs() > noise_ratio.ln_1p()
}

/// The geometric mean; `None`: nothing is known.
pub fn mean(times: &[f64]) -> Option<f64> {
    if times.is_empty() {
        return None;
    }
    if times.iter().any(|s| *s <= 0.0) {
        return Some(times.iter().sum::<f64>() / times.len() as f64);
    }
    let logs: f64 = times.iter().map(|s| s.ln()).sum();
    Some((logs / times.len() as f64).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(before: &[f64], after: &[f64]) -> Times {
        Times { run_before: before.to_vec(), run_after: after.to_vec(), ..Times::default() }
    }

    #[test]
    fn one_run_of_each_has_the_usual_noise() {
        let noise = noise(&times(&[80.5], &[70.5]), USUAL_NOISE);
        assert_eq!((noise.run_ratio, noise.is_measured), (0.106, false));
    }

    #[test]
    fn steady_repeats_narrow_it_and_unsteady_ones_widen_it() {
        let steady = noise(&times(&[80.1, 80.2, 80.3], &[79.1, 79.2, 79.3]), USUAL_NOISE);
        assert!(steady.is_measured && steady.run_ratio < 0.01, "{steady:?}");
        let unsteady = noise(&times(&[60.1, 80.2, 100.3], &[60.1, 80.2, 100.3]), USUAL_NOISE);
        assert!(unsteady.run_ratio > 0.5, "{unsteady:?}");
    }

    #[test]
    fn whole_seconds_are_uncertain_by_one() {
        let noise = noise(&times(&[5.0], &[4.0]), USUAL_NOISE);
        assert!((noise.run_ratio - 0.356).abs() < 1e-9);
    }

    #[test]
    fn the_limit_itself_is_noise() {
        assert!(!is_beyond(100.0, 110.6, USUAL_NOISE));
        assert!(is_beyond(100.0, 110.7, USUAL_NOISE));
        // Half the time is as far as twice the time.
        assert!(!is_beyond(110.6, 100.0, USUAL_NOISE));
        assert!(is_beyond(0.0, 1.0, USUAL_NOISE));
    }

    #[test]
    fn few_repeats_count_beside_the_usual_noise() {
        let width = |groups: &[&[f64]]| {
            Spread::of(groups.iter().copied()).half_width_beside_usual(2, 1, USUAL_NOISE)
        };
        let (unknown, steady, unsteady) =
            (width(&[]), width(&[&[10.0, 10.1]]), width(&[&[10.0, 15.0]]));
        assert!(steady < unknown && unknown < unsteady, "{steady} {unknown} {unsteady}");
        // Alone, the pair of steady repeats would say 8 %, and that of unsteady ones a factor of 88.
        assert!(steady > 0.15 && unsteady < 1.0, "{steady} {unsteady}");
        assert!(!Spread::of([[10.0].as_slice()]).is_measured());
    }

    #[test]
    fn means_are_geometric() {
        assert_eq!(mean(&[]), None);
        assert!((mean(&[1.0, 4.0]).unwrap() - 2.0).abs() < 1e-12);
        assert_eq!(mean(&[0.0, 4.0]), Some(2.0));
    }
}
