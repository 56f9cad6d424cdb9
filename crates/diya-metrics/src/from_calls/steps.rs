//! Steps: a program that reads a little again and again, such as a training, by
//! the thousand. Phases are for the course of a job, so there are a thousand of
//! them at most; steps are only counted and measured.

use super::{Phases, count};
use crate::rows;
use diya_tables::TableBuilder;

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
