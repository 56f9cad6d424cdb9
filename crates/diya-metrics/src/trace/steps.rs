//! Steps: a program that reads a little again and again, such as a training, by
//! the thousand. Phases are for the course of a job, so there are a thousand of
//! them at most; steps are only counted and measured.

use super::{Phases, count};
use crate::rows;
use diya_tables::{Layer, TableBuilder};

/// The steps of one log and layer.
#[derive(Debug)]
pub(super) struct Steps {
    log: i32,
    layer: Layer,
    steps: usize,
    period_s: f64,
    busy_s: f64,
    bytes: i64,
}

impl Steps {
    /// `starts_s`: when steps start, two of them at least, in order; `busy_s`: time
    /// in which some rank was in a call; `bytes`: of all steps.
    pub fn of((log, layer): (i32, Layer), starts_s: Vec<f64>, busy_s: f64, bytes: i64) -> Self {
        let mut since_s: Vec<f64> = starts_s.windows(2).map(|two| two[1] - two[0]).collect();
        let middle = since_s.len() / 2;
        let period_s = match since_s.is_empty() {
            true => 0.0,
            false => *since_s.select_nth_unstable_by(middle, f64::total_cmp).1,
        };
        Self { log, layer, steps: starts_s.len(), period_s, busy_s, bytes }
    }
}

/// Rows of table `step_summary`.
pub(crate) fn write(phases: &Phases, table: &mut TableBuilder) {
    for of_layer in &phases.steps {
        rows::StepSummary {
            log: of_layer.log,
            layer: of_layer.layer.name(),
            steps: count(of_layer.steps),
            period_s: of_layer.period_s,
            busy_s: of_layer.busy_s,
            step_bytes: of_layer.bytes as f64 / of_layer.steps.max(1) as f64,
        }
        .push(table);
    }
}
