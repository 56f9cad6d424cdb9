//! The steps of a layer: how many, and how long one takes.

use diya_tables::Layer;

/// The steps of one log and layer.
#[derive(Debug)]
pub(super) struct Steps {
    pub log: i32,
    pub layer: Layer,
    pub steps: usize,
    pub period_s: f64,
    pub busy_s: f64,
    pub bytes: i64,
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
