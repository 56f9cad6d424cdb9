//! Steps, epochs and waits that a program names.

use super::family::Key;
use super::found::Found;
use super::libraries::is_wait;
use crate::from_calls::intervals::join;
use crate::from_calls::lane::Span;
use diya_tables::{BatchSource, region};
use std::collections::HashMap;
use std::sync::Arc;

diya_tables::columns! {
    struct RegionColumns of region {
        log: i32,
        process: i32,
        thread: u64,
        name: str,
        category: str,
        start_s: f64,
        end_s: f64,
        number: i64,
    }
}

/// What one process names.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// In the order of time; no two at a time.
    pub steps: Vec<Found>,
    /// The thread that makes the steps, where it is known.
    pub thread: Option<u64>,
    pub epochs: Vec<(Span, i64)>,
    /// Joined.
    pub waits: Vec<Span>,
}

/// Of all processes that name a step or wait.
pub(super) fn named(tables: &[Arc<dyn BatchSource>]) -> HashMap<Key, Named> {
    let mut all: HashMap<Key, Named> = HashMap::new();
    for of in RegionColumns::all(tables) {
        for row in 0..of.rows() {
            let span = (of.start_s.value(row), of.end_s.value(row));
            if !span.0.is_finite() || !span.1.is_finite() || span.0 > span.1 {
                continue;
            }
            let (category, number) = (of.category.get(row), of.number.get(row));
            let key = (of.log.value(row), of.process.value(row));
            match category {
                Some("step") => {
                    let named = all.entry(key).or_default();
                    named.steps.push(Found { span, number });
                    named.thread = named.thread.or(of.thread.get(row));
                }
                Some("epoch") => {
                    let epoch = (span, number.unwrap_or(0));
                    all.entry(key).or_default().epochs.push(epoch);
                }
                _ if is_wait(of.name.value(row)) => {
                    let named = all.entry(key).or_default();
                    named.waits.push(span);
                    named.thread = named.thread.or(of.thread.get(row));
                }
                _ => {}
            }
        }
    }
    all.retain(|_, named| !named.steps.is_empty() || !named.waits.is_empty());
    for named in all.values_mut() {
        named.steps.sort_by(|a, b| a.span.0.total_cmp(&b.span.0));
        let mut end_s = f64::NEG_INFINITY;
        named.steps.retain(|step| {
            let is_next = step.span.0 >= end_s;
            end_s = if is_next { step.span.1 } else { end_s };
            is_next
        });
        join(&mut named.waits);
        // Who names the waits only has a step from each to the next.
        if named.steps.is_empty() {
            let pairs = named.waits.windows(2);
            let step = |two: &[Span]| Found { span: (two[0].0, two[1].0), number: None };
            named.steps = pairs.map(step).collect();
        }
    }
    all
}
