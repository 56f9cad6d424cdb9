//! Steps of a thread that reads its own data: it computes after every so many samples.
//!
//! Reading a sample can take longer than computing a step, and both vary: then no length of a
//! pause separates them. But the longer pauses come after the same number of samples.

use super::found::{ABOUT, Found, LEAST_STEPS};
use crate::from_calls::lane::Span;
use diya_model::median;

/// Pauses that are looked at to find the number of samples of a step.
const MOST_PAUSES: usize = 20_000;

/// More samples of a step are not looked for.
const MOST_SAMPLES: usize = 2048;

/// Pauses below this are equal: clocks and schedulers do not tell them apart.
const SHORTEST_S: f64 = 1e-5;

/// How similar pauses are to those a step later, at least: 1 if all of the differences between
/// pauses come from their place in the step, 0 if none do.
const LEAST_LIKENESS: f64 = 0.25;

/// How many times more than by chance, of few pauses.
const ABOVE_CHANCE: f64 = 4.0;

/// Multiples of a step are nearly as similar: the first that comes so close to the best is it.
const NEAR_BEST: f64 = 0.85;

/// Steps of samples, by when each is read, in the order of time; none where no number of
/// samples repeats. `end_s` is when the thread was seen last.
pub(super) fn folded(samples: &[Span], end_s: f64) -> Vec<Found> {
    let pauses: Vec<f64> =
        samples.windows(2).map(|two| (two[1].0 - two[0].1).max(SHORTEST_S).ln()).collect();
    let Some(count) = samples_per_step(&pauses) else { return Vec::new() };
    let long = LongPause::of(&pauses, count);
    // What is read long before a whole step is no sample: a configuration, or a list of samples.
    let is_early = |at: &usize| pauses[at - 1] >= long.usual + ABOUT.ln();
    let mut at = (1..count).rev().find(is_early).unwrap_or(0);
    let mut starts = vec![at];
    while at + count < samples.len() {
        // The last step of an epoch can be shorter.
        let is_long = |next: &usize| pauses[next - 1] >= long.least;
        let full = at + count;
        let next = (at + 1..=full).rev().find(is_long).unwrap_or(full);
        starts.push(next);
        at = next;
    }
    let mut times_s: Vec<f64> = starts.iter().map(|at| samples[*at].0).collect();
    times_s.push(samples.last().map_or(end_s, |last| last.1.max(end_s)));
    let spans = times_s.windows(2).map(|two| (two[0], two[1]));
    spans.map(|span| Found { span, number: None }).collect()
}

/// The number of samples after which pauses are alike.
fn samples_per_step(pauses: &[f64]) -> Option<usize> {
    let pauses = &pauses[..pauses.len().min(MOST_PAUSES)];
    let most = (pauses.len() / LEAST_STEPS).min(MOST_SAMPLES);
    let middle = median(&mut pauses.to_vec())?;
    let spread =
        median(&mut pauses.iter().map(|pause| (pause - middle).abs()).collect::<Vec<_>>())?;
    let mean = pauses.iter().sum::<f64>() / pauses.len() as f64;
    // One pause of a minute is no more than one that is long.
    let most_away = (8.0 * spread).max(1.0);
    let of: Vec<f64> =
        pauses.iter().map(|pause| (pause - mean).clamp(-most_away, most_away)).collect();
    let all: f64 = of.iter().map(|away| away * away).sum::<f64>() / of.len() as f64;
    if all <= 0.0 {
        return None;
    }
    let likeness = |lag: usize| {
        let pairs = of.iter().zip(&of[lag..]);
        pairs.map(|(a, b)| a * b).sum::<f64>() / (of.len() - lag) as f64 / all
    };
    let likenesses: Vec<f64> =
        (0..=most).map(|lag| if lag < 2 { 0.0 } else { likeness(lag) }).collect();
    let best = likenesses.iter().copied().fold(0.0, f64::max);
    let chance = 1.0 / (of.len() as f64).sqrt();
    if best < LEAST_LIKENESS.max(ABOVE_CHANCE * chance) {
        return None;
    }
    likenesses.iter().position(|likeness| *likeness >= best * NEAR_BEST)
}

/// Pauses between steps.
struct LongPause {
    /// From here on a pause is one: between the middle one of these and of all.
    least: f64,
    usual: f64,
}

impl LongPause {
    fn of(pauses: &[f64], count: usize) -> Self {
        let mut sorted = pauses.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| sorted[((sorted.len() - 1) as f64 * share) as usize];
        let usual = at(1.0 - 0.5 / count as f64);
        Self { least: f64::midpoint(at(0.5), usual), usual }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look like chance, the same each time.
    fn noise() -> impl FnMut() -> f64 {
        let mut state = 7u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as f64 / (1u64 << 31) as f64
        }
    }

    /// Samples of epochs with so many each, in batches of so many; each takes 2 to 8 ms, and a
    /// step 10 to 14 ms.
    fn samples(epochs: usize, of_epoch: usize, batch: usize) -> (Vec<Span>, Vec<f64>) {
        let (mut now_s, mut noise) = (0.0, noise());
        let (mut all, mut starts_s) = (Vec::new(), Vec::new());
        for _ in 0..epochs {
            for sample in 0..of_epoch {
                if sample % batch == 0 {
                    starts_s.push(now_s);
                }
                all.push((now_s, now_s + 1e-4));
                now_s += 0.002 + 0.006 * noise();
                if sample % batch == batch - 1 || sample == of_epoch - 1 {
                    now_s += 0.010 + 0.004 * noise();
                }
            }
        }
        (all, starts_s)
    }

    #[test]
    fn steps_are_found_where_pauses_between_samples_are_nearly_as_long() {
        let (samples, starts_s) = samples(2, 240, 20);
        let found = folded(&samples, 100.0);
        let found_s: Vec<f64> = found.iter().map(|step| step.span.0).collect();
        assert_eq!(found_s, starts_s);
        assert!((found[23].span.1 - 100.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_read_long_before_is_no_sample() {
        let (mut samples, starts_s) = samples(2, 240, 20);
        samples.insert(0, (-2.0, -2.0));
        let found: Vec<f64> = folded(&samples, 9.0).iter().map(|step| step.span.0).collect();
        assert_eq!(found, starts_s);
    }

    #[test]
    fn the_last_batch_of_an_epoch_can_be_short() {
        let (samples, starts_s) = samples(3, 107, 10);
        assert_eq!(starts_s.len(), 33);
        let found: Vec<f64> = folded(&samples, 9.0).iter().map(|step| step.span.0).collect();
        let right = starts_s.iter().filter(|start_s| found.contains(start_s)).count();
        assert!(right >= 31 && found.len() <= 35, "{right} of 33, {} found", found.len());
    }

    #[test]
    fn pauses_that_do_not_repeat_are_no_steps() {
        let mut noise = noise();
        let mut now_s = 0.0;
        let mut next = || {
            now_s += 0.002 + 0.01 * noise();
            (now_s, now_s + 1e-4)
        };
        let samples: Vec<Span> = (0..2000).map(|_| next()).collect();
        assert!(folded(&samples, 99.0).is_empty());
        assert!(folded(&samples[..3], 99.0).is_empty() && folded(&[], 99.0).is_empty());
    }
}
