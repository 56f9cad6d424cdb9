//! How long a pause must be to end an I/O phase.
//!
//! Pauses inside a phase (between two requests) and pauses between phases
//! (computing) are of different orders of magnitude. The limit lies in the
//! widest valley of the pauses on a logarithmic scale: a fixed number, or the
//! mean, would suit one program and not the next.

/// Pauses below this are never between phases: a scheduler's time slice.
const NEVER_S: f64 = 1e-3;

/// Share of the whole time below which a pause is never between phases; it
/// bounds the number of phases by 1000.
const NEVER_SHARE: f64 = 1e-3;

/// Pauses of about one length that make steps; fewer are phases.
const LEAST_STEPS: usize = 100;

/// A valley is at least this wide (upper edge over lower edge): an octave.
/// Of wider ones alone, reading back after a checkpoint would be lost where
/// the pause between is short (openPMD, 8a sample of DXT-Explorer). Pauses that
/// are spread more evenly belong to one long phase.
const VALLEY: f64 = 2.0;

/// The shortest pause between phases, in seconds; `None` when no pause is.
///
/// `pauses_s` are the times without any call, in any order; `span_s` is the
/// time from the first call to the end of the last; `call_s` is how long a
/// call usually takes: a pause shorter than one call separates nothing.
pub(crate) fn limit_s(pauses_s: &mut [f64], span_s: f64, call_s: f64) -> Option<f64> {
    pauses_s.sort_unstable_by(f64::total_cmp);
    valley_s(pauses_s, NEVER_S.max(span_s * NEVER_SHARE).max(call_s))
}

/// The shortest pause between steps: of the valleys with [`LEAST_STEPS`] longer
/// pauses the widest. Steps can be short: the whole time does not matter, and
/// the few long pauses between epochs do not hide them.
///
/// `pauses_s`: in order.
pub(super) fn step_limit_s(pauses_s: &[f64], call_s: f64) -> Option<f64> {
    limit_below(pauses_s, LEAST_STEPS, NEVER_S.max(call_s))
}

/// The same for at least so many longer pauses.
pub(super) fn repeated_limit_s(pauses_s: &[f64], least: usize) -> Option<f64> {
    limit_below(pauses_s, least, NEVER_S)
}

fn limit_below(pauses_s: &[f64], least: usize, floor: f64) -> Option<f64> {
    let most_s = *pauses_s.get(pauses_s.len().checked_sub(least)?)?;
    let upto = pauses_s.partition_point(|pause| *pause <= most_s);
    valley_s(&pauses_s[..upto], floor)
}

/// The middle of the widest valley above `floor`; pauses in order.
fn valley_s(pauses_s: &[f64], floor: f64) -> Option<f64> {
    let first = pauses_s.partition_point(|pause| *pause <= floor);
    let mut below = floor;
    let mut widest = None;
    for &pause in &pauses_s[first..] {
        let width = pause / below;
        if width >= VALLEY && widest.is_none_or(|(most, _)| width > most) {
            // The middle of the valley, on the logarithmic scale.
            widest = Some((width, (pause * below).sqrt()));
        }
        below = pause;
    }
    widest.map(|(_, limit)| limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_lies_between_short_and_long_pauses() {
        let mut pauses = [0.01, 10.0, 0.02, 11.0, 0.015, 9.0];
        let limit = limit_s(&mut pauses, 100.0, 0.001).expect("there is a valley");
        assert!(limit > 0.02 && limit < 9.0, "{limit}");
    }

    #[test]
    fn pauses_between_epochs_do_not_hide_steps() {
        let of_steps = (0..5000).map(|i| 0.02 + f64::from(i % 10) * 1e-3);
        let mut pauses: Vec<f64> = of_steps.chain([5.0; 10]).chain([1e-5; 500]).collect();
        let limit = limit_s(&mut pauses, 200.0, 1e-4).expect("there is a valley");
        assert!(limit > 0.1, "epochs: {limit}");
        let limit = step_limit_s(&pauses, 1e-4).expect("there is a valley");
        assert!(limit > 1e-3 && limit < 0.02, "steps: {limit}");
        assert_eq!(step_limit_s(&pauses[5500..], 1e-4), None);
    }

    #[test]
    fn equal_long_pauses_are_all_between_phases() {
        let limit = limit_s(&mut [10.0, 10.0, 10.0], 40.0, 0.5).expect("there is a valley");
        assert!(limit < 10.0);
    }

    #[test]
    fn pauses_without_a_valley_leave_one_phase() {
        let mut even: Vec<f64> = (0..50).map(|i| 0.05 * 1.1f64.powi(i)).collect();
        assert_eq!(limit_s(&mut even, 40.0, 0.04), None);
        assert_eq!(limit_s(&mut [], 40.0, 0.04), None);
    }

    #[test]
    fn pauses_of_microseconds_separate_nothing() {
        assert_eq!(limit_s(&mut [1e-5, 2e-5, 4e-4], 0.01, 1e-6), None);
    }
}
