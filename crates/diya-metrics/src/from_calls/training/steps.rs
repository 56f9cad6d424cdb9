//! The steps of a training, and what happens in each.

use super::folded::folded;
use super::found::{ABOUT, Found, LEAST_STEPS};
use super::messages;
use super::observations::Item;
use super::waits::Arrivals;
use crate::from_calls::gap::repeated_limit_s;
use crate::from_calls::lane::Span;
use diya_model::median;
use std::collections::HashMap;

/// Steps of a thread, by what it does again and again: the first of these that repeats.
/// A step is from the start of one to the start of the next; `end_s` is when the thread was
/// seen last: when the last step ended is not known, so it is no longer than the middle one.
pub(super) fn recognised(arrivals: &Arrivals, end_s: f64) -> Vec<Found> {
    let Arrivals { batches, processes, piped, samples, reads, waits } = arrivals;
    let found = usual(messages::steps(batches, *processes, end_s));
    let found = if found.is_empty() { repeated(piped, end_s) } else { found };
    let found = if found.is_empty() { usual(folded(samples, end_s)) } else { found };
    let found = if found.is_empty() { repeated(reads, end_s) } else { found };
    if found.is_empty() { repeated(waits, end_s) } else { found }
}

/// None where they do not repeat. Spans are joined.
fn repeated(waits: &[Span], end_s: f64) -> Vec<Found> {
    let mut pauses_s: Vec<f64> = waits.windows(2).map(|two| two[1].0 - two[0].1).collect();
    pauses_s.sort_unstable_by(f64::total_cmp);
    let Some(limit_s) = repeated_limit_s(&pauses_s, LEAST_STEPS) else { return Vec::new() };
    let later = waits.windows(2).filter(|two| two[1].0 - two[0].1 >= limit_s);
    let mut starts_s: Vec<f64> = waits.first().map(|first| first.0).into_iter().collect();
    starts_s.extend(later.map(|two| two[1].0));
    starts_s.push(end_s.max(waits.last().map_or(end_s, |last| last.1)));
    let spans = starts_s.windows(2).map(|two| (two[0], two[1]));
    usual(spans.map(|span| Found { span, number: None }).collect())
}

/// None where they are few, or most are of other lengths than the middle one.
fn usual(mut steps: Vec<Found>) -> Vec<Found> {
    let length_s = |step: &Found| step.span.1 - step.span.0;
    let mut lengths_s: Vec<f64> = steps.iter().map(length_s).collect();
    let middle_s = median(&mut lengths_s).unwrap_or(0.0);
    let about = middle_s / ABOUT..=middle_s * ABOUT;
    let usual = steps.iter().filter(|step| about.contains(&length_s(step))).count();
    if steps.len() < LEAST_STEPS || usual * 2 < steps.len() {
        return Vec::new();
    }
    if let Some(last) = steps.last_mut() {
        last.span.1 = last.span.1.min(last.span.0 + middle_s);
    }
    steps
}

/// What is read and opened in a step.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moved {
    pub calls: i64,
    pub bytes: i64,
    pub opens: i64,
    /// How often most of the data had been read before.
    pub pass: Option<i64>,
}

/// Of each step; `items` are calls on data files in the order of their starts, and whether
/// another process makes them: what it reads between steps is for the next one. Steps
/// without reads are of the pass before them.
pub(super) fn moved(steps: &[Found], items: &[(bool, Item)]) -> Vec<Moved> {
    let mut all = vec![Moved::default(); steps.len()];
    let mut passes: Vec<Vec<f64>> = vec![Vec::new(); steps.len()];
    let mut times: HashMap<(u64, i64), u32> = HashMap::new();
    for (is_of_loader, item) in items {
        let pass = match item.is_read && item.bytes > 0 {
            true => {
                let seen = times.entry((item.file_id, item.offset)).or_default();
                *seen += 1;
                Some(*seen - 1)
            }
            false => None,
        };
        let next = steps.partition_point(|step| step.span.0 <= item.span.0);
        let now = next.checked_sub(1).filter(|at| item.span.0 < steps[*at].span.1);
        let ahead = || Some(next).filter(|next| *is_of_loader && *next < steps.len());
        let Some(at) = now.or_else(ahead) else { continue };
        if item.is_read {
            all[at].calls += item.calls;
            all[at].bytes = all[at].bytes.saturating_add(item.bytes);
        }
        all[at].opens += if item.is_open { item.calls } else { 0 };
        passes[at].extend(pass.map(f64::from));
    }
    let mut last: Option<i64> = None;
    for (of, passes) in all.iter_mut().zip(&mut passes) {
        // Loaders that read ahead begin a pass before the last step of the one before.
        let here = median(passes).map(|pass| pass as i64);
        last = last.max(here);
        of.pass = last;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::observations::About;
    use super::*;

    #[test]
    fn waits_that_repeat_make_steps_and_an_evaluation_between_epochs_does_not_hide_them() {
        // Twelve steps of 0.1 s, the wait of each in two pieces; half a second after six.
        let start_s = |step: i32| f64::from(step) * 0.1 + if step >= 6 { 0.5 } else { 0.0 };
        let of_step = |step| {
            [(start_s(step), start_s(step) + 0.01), (start_s(step) + 0.011, start_s(step) + 0.02)]
        };
        let waits: Vec<Span> = (0..12).flat_map(of_step).collect();
        let steps = repeated(&waits, 1.75);
        assert_eq!(steps.len(), 12);
        assert!((steps[5].span.1 - 1.1).abs() < 1e-9 && (steps[11].span.1 - 1.7).abs() < 1e-9);
        assert!(repeated(&waits[..18], 1.4).is_empty(), "nine steps");
        let irregular: Vec<Span> = (0..12).map(|n| 3f64.powi(n)).map(|at| (at, at + 0.1)).collect();
        assert!(repeated(&irregular, 4e5).is_empty());
    }

    #[test]
    fn a_pass_begins_where_data_are_read_again() {
        let item = |start_s: f64, is_read: bool, file_id: u64| Item {
            span: (start_s, start_s),
            about: About::Data,
            is_read,
            is_open: !is_read,
            calls: 1,
            bytes: 10,
            busy_s: 0.0,
            file_id,
            offset: 0,
            stack_id: None,
        };
        let step = |start_s: f64| Found { span: (start_s, start_s + 1.0), number: None };
        let steps = [step(0.0), step(1.0), step(2.0), step(3.0)];
        let items = [
            item(0.1, false, 1),
            item(0.2, true, 1),
            item(0.4, true, 2),
            item(2.1, false, 2),
            item(2.2, true, 2),
            item(9.0, true, 1),
        ]
        .map(|item| (false, item));
        let found: Vec<_> = moved(&steps, &items)
            .iter()
            .map(|of| (of.calls, of.bytes, of.opens, of.pass))
            .collect();
        let read =
            [(2, 20, 1, Some(0)), (0, 0, 0, Some(0)), (1, 10, 1, Some(1)), (0, 0, 0, Some(1))];
        assert_eq!(found, read);
        // A loader reads ahead of the first step.
        let ahead = moved(&steps[1..], &items.map(|(_, item)| (true, item)));
        assert_eq!(ahead.iter().map(|of| of.bytes).collect::<Vec<_>>(), [20, 10, 0]);
    }
}
