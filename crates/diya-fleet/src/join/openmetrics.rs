//! OpenMetrics text and the older format of Prometheus: `name{label="value"} value time`.

use super::prometheus::server_of;
use super::server_value::push;
use super::time::from_seconds;
use super::{Fault, Sink};
use diya::context::MetricSample;
use std::collections::HashSet;

/// Whether a text is of this form: its first line with a value is, or a comment says so.
pub fn is_it(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.next().is_some_and(|first| {
        let is_comment = ["# TYPE ", "# HELP ", "# UNIT "].iter().any(|c| first.starts_with(c));
        is_comment || (!first.starts_with('#') && MetricSample::parse(first).is_ok())
    })
}

pub fn read(text: &str, sink: &mut Sink<'_>) -> Result<(), Fault> {
    let mut counters = HashSet::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if let Some(comment) = line.strip_prefix('#') {
            match comment.split_whitespace().collect::<Vec<_>>()[..] {
                ["EOF"] => break,
                ["TYPE", name, "counter"] => drop(counters.insert(name)),
                _ => {}
            }
            continue;
        }
        if line.is_empty() {
            continue;
        }
        let sample = match MetricSample::parse(line) {
            Ok(sample) => sample,
            Err(why) => {
                sink.bad(number, &why);
                continue;
            }
        };
        // What an exporter shows has no times: they are added where it is scraped.
        let Some(time) = sample.time_s.and_then(from_seconds) else {
            sink.bad(number, "no time stamp (`promtool tsdb dump-openmetrics` writes them)");
            continue;
        };
        let Some(server) = server_of(|name| sample.labels.get(name)) else {
            sink.bad(number, "no label that names a server");
            continue;
        };
        let family = sample.name.strip_suffix("_total").unwrap_or(sample.name);
        let is_counter = counters.contains(family) || counters.contains(sample.name);
        push(time, server, sample.name, is_counter, sample.value, sink)?;
    }
    Ok(())
}
