//! Samples of storage servers, from files of a monitoring system: answers to a
//! range query of Prometheus (JSON), OpenMetrics text, or long CSV.

mod csv;
mod json;
mod openmetrics;
mod series;

use super::ContextError;
use diya_tables::{
    BatchSource, Batches, Column, ServerMetricRow, TableId, Tables, TimestampNs, columns, job,
};
use series::{Series, Set};
use std::sync::Arc;

pub use openmetrics::MetricSample;

/// Samples of all files.
#[derive(Debug, Default)]
pub struct Samples {
    set: Set,
}

/// When a log's job ran: seconds since 1970.
struct Run {
    log: i32,
    start_s: f64,
    end_s: f64,
}

impl Samples {
    /// Adds the samples of a file, whose format shows in its first sign.
    ///
    /// ```
    /// use diya::context::Samples;
    /// let mut samples = Samples::default();
    /// let text = "# TYPE read_bytes counter\n\
    ///             read_bytes_total{target=\"fs-OST000e\"} 4096 1700000000\n# EOF\n";
    /// samples.append("ost.txt", text).unwrap();
    /// assert_eq!(samples.len(), 1);
    /// assert!(samples.append("ost.txt", "read_bytes_total what 1\n").is_err());
    /// ```
    pub fn append(&mut self, file: &str, text: &str) -> Result<(), ContextError> {
        let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let read = if first.starts_with(['{', '[']) && !first.starts_with("{}") {
            json::read(text)
        } else if csv::is_header(first) {
            csv::read(text)
        } else {
            openmetrics::read(text)
        };
        let wrong = |(line, what)| ContextError::Format { file: file.to_owned(), line, what };
        self.set.append(read.map_err(wrong)?);
        Ok(())
    }

    /// Samples of all series.
    pub fn len(&self) -> usize {
        self.set.series().iter().map(|series| series.samples.len()).sum()
    }

    /// No sample.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Table `server_metric`: for each log the samples of its run, and the last
    /// one before and the first one after it, so that counters have a start
    /// and an end. A log that does not say when it ran has none.
    pub(super) fn table(&self, job: &Arc<dyn BatchSource>) -> Arc<dyn BatchSource> {
        let mut tables = Tables::new();
        for run in runs(job) {
            for (number, series) in (0..).zip(self.set.series()) {
                push(&run, number, series, &mut tables);
            }
        }
        let batches = tables.take(TableId::ServerMetric).map(|table| vec![table.into_batch()]);
        Arc::new(Batches::new(TableId::ServerMetric.def(), batches.unwrap_or_default()))
    }
}

fn push(run: &Run, number: i32, series: &Series, tables: &mut Tables) {
    let before = series.samples.partition_point(|sample| sample.0 <= run.start_s);
    let after = series.samples.partition_point(|sample| sample.0 < run.end_s);
    let from = before.saturating_sub(1);
    let to = (after + 1).min(series.samples.len());
    let named = |name: &Option<String>| name.clone();
    let (host, target) = (named(&series.host), named(&series.target));
    for (time_s, value) in series.samples.get(from..to).unwrap_or_default() {
        tables.push_server_metric(ServerMetricRow {
            log: run.log,
            series: number,
            name: &series.name,
            unit: series.unit.as_deref(),
            kind: series.kind.name(),
            op: series.op,
            host: host.as_deref(),
            target: target.as_deref(),
            ost_id: series.ost_id,
            labels: &series.labels,
            time_s: time_s - run.start_s,
            value: *value,
        });
    }
}

columns! {
    struct Jobs of job {
        log: i32,
        start_time: TimestampNs,
        end_time: TimestampNs,
        run_time_s: f64,
    }
}

fn runs(table: &Arc<dyn BatchSource>) -> Vec<Run> {
    let mut runs = Vec::new();
    for of in Jobs::batches(table.as_ref()) {
        for row in 0..of.rows() {
            let time_s = |times: &Column<TimestampNs>| times.get(row).map(|ns| ns as f64 / 1e9);
            let Some(start_s) = time_s(&of.start_time) else { continue };
            let end_s = of.run_time_s.get(row).map(|length_s| start_s + length_s);
            let end_s = end_s.or_else(|| time_s(&of.end_time));
            // A killed job has no end: then all that follows may be its time.
            let end_s = end_s.filter(|end_s| *end_s >= start_s).unwrap_or(f64::INFINITY);
            runs.push(Run { log: of.log.value(row), start_s, end_s });
        }
    }
    runs
}

#[cfg(test)]
mod tests;
