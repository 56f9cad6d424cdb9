//! Columns of table `counter_sample` that traces for other tools need.

use diya_tables::{columns, counter_sample};

columns! {
    /// Values of counters.
    pub(super) struct CounterColumns of counter_sample {
        log: i32,
        name: str,
        part: str,
        unit: str,
        kind: str,
        holds: str,
        rank: i32,
        thread: u64,
        host: str,
        time_s: f64,
        value: f64,
    }
}
