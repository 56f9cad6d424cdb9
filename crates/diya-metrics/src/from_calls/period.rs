//! The period of I/O: how often a job comes back to read or write.
//!
//! The bytes moved over time are a signal. Its power spectrum shows at which
//! frequencies it repeats, its autocorrelation after which time it resembles
//! itself: pulses that are short against the period spread their power over
//! many multiples of the frequency, of which the spectrum alone may pick any.
//! So the autocorrelation chooses, and the spectrum has to agree. The idea of
//! judging a period by both is that of FTIO: Tarraf and others, "Capturing
//! Periodic I/O Using Frequency Techniques", IPDPS 2024.

use super::spectrum::{autocorrelation, power};

/// Samples of a signal of many calls; a period below two of them is not seen.
const MAX_SAMPLES: usize = 4096;
/// Samples of a signal of few calls, of which many logs may have one each.
const LEAST_SAMPLES: usize = 256;

/// The spectrum's peak counts from this many standard deviations above its
/// mean; the value of FTIO.
const OUTLIER: f64 = 3.0;

/// A shorter lag wins when it is nearly as good as the best: after two periods
/// a signal resembles itself as well as after one.
const NEARLY: f64 = 0.8;

/// Autocorrelation below which a repetition is chance.
const RESEMBLES: f64 = 0.2;

/// Autocorrelation from which on a repetition is clear to the sample.
const CLEAR: f64 = 0.8;

/// A period and what speaks for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Period {
    pub period_s: f64,
    /// Autocorrelation after one period: 1 is perfect repetition.
    pub autocorrelation: f64,
    /// Share of the power at the frequency and its multiples.
    pub spectral: f64,
    /// Standard deviations by which the strongest of these stands out.
    pub outlier: f64,
    /// 1 where the strongest frequency of the spectrum is this one or a
    /// multiple of it; less as it lies between.
    pub agreement: f64,
    /// Mean of the three, 0 to 1.
    pub confidence: f64,
}

/// A signal: equal samples from `start_s` on.
#[derive(Debug)]
pub(super) struct Signal {
    start_s: f64,
    width_s: f64,
    samples: Vec<f64>,
}

impl Signal {
    /// Nothing yet, from here to there, with room for so many calls.
    pub fn over(start_s: f64, end_s: f64, calls: usize) -> Self {
        let wanted = calls.saturating_mul(4).clamp(LEAST_SAMPLES, MAX_SAMPLES);
        let samples = wanted.next_power_of_two();
        let width_s = ((end_s - start_s) / samples as f64).max(f64::MIN_POSITIVE);
        Self { start_s, width_s, samples: vec![0.0; samples] }
    }

    /// Samples that were taken before.
    pub fn of(samples: Vec<f64>, width_s: f64) -> Self {
        Self { start_s: 0.0, width_s, samples }
    }

    /// Adds bytes that moved between two points in time.
    pub fn add(&mut self, from_s: f64, to_s: f64, bytes: f64) {
        let last = self.samples.len() - 1;
        // Saturates on bad input.
        let place = |at_s: f64| (((at_s - self.start_s) / self.width_s) as usize).min(last);
        let (first, end) = (place(from_s), place(to_s));
        if first == end {
            self.samples[first] += bytes;
            return;
        }
        let rate = bytes / (to_s - from_s);
        for at in first..=end {
            let start_s = self.start_s + at as f64 * self.width_s;
            let here_s = to_s.min(start_s + self.width_s) - from_s.max(start_s);
            self.samples[at] += rate * here_s.max(0.0);
        }
    }

    /// Its period; `None` when it never repeats within its length.
    pub fn period(&self) -> Option<Period> {
        let moved = self.samples.iter().filter(|s| **s > 0.0).count();
        if self.samples.len() < 8 || moved == 0 {
            return None;
        }
        let correlation = autocorrelation(&self.samples);
        let (lag, repeats) = best_lag(&correlation)?;
        let spectrum = Spectrum::of(&self.samples);
        let (spectral, outlier) = spectrum.comb(lag);
        let agreement = spectrum.agreement(lag);
        // Power in the comb is worth something only where it stands out.
        let stands_out = (outlier / OUTLIER).clamp(0.0, 1.0) * spectral.clamp(0.0, 1.0);
        Some(Period {
            period_s: lag * self.width_s,
            autocorrelation: repeats,
            spectral,
            outlier,
            agreement,
            confidence: (repeats.clamp(0.0, 1.0) + stands_out.sqrt() + agreement) / 3.0,
        })
    }
}

/// The lag after which the signal resembles itself best, or nearly so and
/// earlier, and how well. Two whole repetitions have to lie in the signal.
///
/// Bursts that wander a little meet only in part: what counts is the mean over
/// as many lags as a burst is long, so that one period is not passed over for
/// a multiple at which some happen to meet.
fn best_lag(correlation: &[f64]) -> Option<(f64, f64)> {
    let longest = correlation.len() / 2;
    // The first hill is the signal over itself: it ends where it turns down
    // to nothing, after the length of a burst.
    let start = correlation.iter().position(|c| *c <= 0.0)?.max(2);
    let smooth = smoothed(correlation, start);
    let is_peak = |lag: &usize| {
        smooth[*lag] > smooth[*lag - 1]
            && smooth.get(*lag + 1).is_none_or(|next| smooth[*lag] >= *next)
    };
    let peaks: Vec<usize> = (start..=longest).filter(is_peak).collect();
    let best = peaks.iter().map(|lag| smooth[*lag]).fold(f64::MIN_POSITIVE, f64::max);
    let near = peaks.into_iter().find(|lag| smooth[*lag] >= best * NEARLY)?;
    // On a slope of noise the first good lag may stand before its own summit.
    let lag = (near..=longest.min(near + near / 10))
        .filter(is_peak)
        .max_by(|a, b| smooth[*a].total_cmp(&smooth[*b]))?;
    let (from, to) = (lag.saturating_sub(start).max(start), (lag + start).min(longest));
    let summit = (from..=to).max_by(|a, b| correlation[*a].total_cmp(&correlation[*b]))?;
    let repeats = correlation[summit];
    // Where it repeats well the summit itself is exact; bursts that wander
    // have several, and only their mean is the period.
    let period = match repeats >= CLEAR {
        true => summit as f64 + shift(correlation, summit),
        false => lag as f64 + shift(&smooth, lag),
    };
    (repeats >= RESEMBLES).then_some((period, repeats))
}

/// Means over as many neighbours to either side.
fn smoothed(values: &[f64], reach: usize) -> Vec<f64> {
    let mut sums = vec![0.0];
    let mut sum = 0.0;
    for value in values {
        sum += value;
        sums.push(sum);
    }
    let mean = |at: usize| {
        let (from, to) = (at.saturating_sub(reach), (at + reach + 1).min(values.len()));
        (sums[to] - sums[from]) / (to - from) as f64
    };
    (0..values.len()).map(mean).collect()
}

/// Where between the samples the summit lies: that of a parabola.
fn shift(values: &[f64], at: usize) -> f64 {
    // At the edge of the signal there is no neighbour to lean to.
    let before = at.checked_sub(1).and_then(|before| values.get(before));
    let (Some(before), Some(here), Some(after)) = (before, values.get(at), values.get(at + 1))
    else {
        return 0.0;
    };
    let bend = before - 2.0 * here + after;
    if bend >= 0.0 { 0.0 } else { (0.5 * (before - after) / bend).clamp(-0.5, 0.5) }
}

/// Power over frequency.
struct Spectrum {
    power: Vec<f64>,
    /// Samples of the signal, and those with the zeros after it.
    samples: f64,
    padded: f64,
}

impl Spectrum {
    fn of(samples: &[f64]) -> Self {
        let mut padded = samples.to_vec();
        let mean = samples.iter().sum::<f64>() / samples.len() as f64;
        // The mean, not zero, so that the end is no step.
        padded.resize(samples.len().next_power_of_two(), mean);
        let power = power(&padded);
        Self { power, samples: samples.len() as f64, padded: padded.len() as f64 }
    }

    /// Share of the power near the multiples of this period, and how far the
    /// strongest of them stands above the mean of all.
    fn comb(&self, period: f64) -> (f64, f64) {
        let total: f64 = self.power.iter().sum();
        if total <= 0.0 {
            return (0.0, 0.0);
        }
        let number = self.power.len() as f64;
        let mean = total / number;
        let spread =
            (self.power.iter().map(|p| (p - mean) * (p - mean)).sum::<f64>() / number).sqrt();
        // A signal of finite length smears a frequency over its neighbours.
        let reach = (self.padded / self.samples).ceil();
        let mut is_near = vec![false; self.power.len()];
        let mut multiple = self.padded / period;
        let step = multiple;
        // Where combs of neighbouring multiples touch they would cover all.
        while multiple < number && step > 2.0 * reach + 1.0 {
            let (from, to) = ((multiple - reach).ceil().max(1.0), (multiple + reach).floor());
            // Both lie between 1 and the number of frequencies.
            (from as usize..=(to as usize).min(self.power.len()))
                .for_each(|k| is_near[k - 1] = true);
            multiple += step;
        }
        let near = || self.power.iter().zip(&is_near).filter(|(_, near)| **near).map(|(p, _)| *p);
        let strongest = near().fold(0.0, f64::max);
        let outlier = if spread > 0.0 { (strongest - mean) / spread } else { 0.0 };
        (near().sum::<f64>() / total, outlier.max(0.0))
    }

    /// How well the strongest frequency is a multiple of that of the period.
    fn agreement(&self, period: f64) -> f64 {
        let strongest = self.power.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
        let Some((at, _)) = strongest else { return 0.0 };
        let multiple = (at + 1) as f64 * period / self.padded;
        if multiple < 0.5 {
            return 0.0;
        }
        // The frequency is known to one step of the unpadded spectrum.
        let off = (multiple - multiple.round()).abs() - 0.5 * period / self.samples;
        (1.0 - 2.0 * off.max(0.0)).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bursts of one second every `period_s` from `at` on.
    fn bursts(starts: &[f64], end_s: f64) -> Option<Period> {
        let mut signal = Signal::over(starts[0], end_s, 1000);
        starts.iter().for_each(|start| signal.add(*start, start + 1.0, 100.0));
        signal.period()
    }

    #[test]
    fn regular_bursts_have_their_period() {
        let starts: Vec<f64> = (0..8).map(|i| 3.0 + 10.0 * f64::from(i)).collect();
        let period = bursts(&starts, 74.0).expect("is periodic");
        assert!((period.period_s - 10.0).abs() < 0.05, "{period:?}");
        assert!(period.confidence > 0.8, "{period:?}");
    }

    #[test]
    fn bursts_that_wander_a_little_are_less_certain() {
        let off = [0.0, 0.3, 0.4, -0.3, -0.2, 0.4, 0.1, -0.3];
        let starts: Vec<f64> = (0..8).map(|i| 10.0 * i as f64 + off[i]).collect();
        let period = bursts(&starts, 72.0).expect("is periodic");
        assert!((period.period_s - 10.0).abs() < 0.6, "{period:?}");
        assert!(period.confidence < 0.9, "{period:?}");
    }

    #[test]
    fn one_burst_has_no_period() {
        assert_eq!(bursts(&[0.0], 1.0), None);
        assert_eq!(bursts(&[0.0, 30.0], 31.0), None);
    }

    #[test]
    fn irregular_bursts_have_no_certain_period() {
        let period = bursts(&[0.0, 3.0, 11.0, 13.0, 29.0, 34.0, 57.0, 61.0], 62.0);
        assert!(period.is_none_or(|p| p.confidence < 0.6), "{period:?}");
    }
}
