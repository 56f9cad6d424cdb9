//! One value of a metric of a server.

use super::Sink;
use crate::FleetError;
use crate::generated::ServerMetricRow;

/// Adds a value.
pub fn push(
    start: i64,
    server: &str,
    metric: &str,
    is_counter: bool,
    value: f64,
    sink: &mut Sink<'_>,
) -> Result<(), FleetError> {
    let is_counter = is_counter || metric.ends_with("_total");
    push_of_kind(start, server, (metric, kind(metric)), is_counter, value, sink)
}

/// Adds a counter that is a part of another one: of a job, or of a distribution.
pub fn push_part(
    start: i64,
    server: &str,
    metric: &str,
    value: f64,
    sink: &mut Sink<'_>,
) -> Result<(), FleetError> {
    push_of_kind(start, server, (metric, "other"), true, value, sink)
}

fn push_of_kind(
    start: i64,
    server: &str,
    (metric, kind): (&str, &str),
    is_counter: bool,
    value: f64,
    sink: &mut Sink<'_>,
) -> Result<(), FleetError> {
    if !value.is_finite() || metric.is_empty() {
        return Ok(());
    }
    let identity = format!("{server}\0{metric}\0{start}");
    let shown = sink.names.text("host", server);
    let start = sink.names.moment(start);
    sink.row(identity.as_bytes(), Some(start), |row_hash, table| {
        ServerMetricRow {
            row_hash,
            start_time: Some(start),
            server: &shown,
            ost_id: ost(server),
            metric,
            kind,
            is_counter,
            value,
        }
        .push(table);
    })
}

/// What a metric measures, from its name: exporters differ.
fn kind(metric: &str) -> &'static str {
    let name = metric.to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| name.contains(part));
    let is_bytes = has(&["byte", "bandwidth", "throughput", "mbs", "kbs"]);
    match () {
        () if has(&["latency", "wait", "response", "service_time"]) => "latency",
        () if has(&["busy", "util", "cpu", "load"]) => "busy",
        () if is_bytes && has(&["free", "avail", "size", "capacity", "used"]) => "other",
        () if is_bytes && has(&["read"]) => "read_bytes",
        () if is_bytes && has(&["writ"]) => "write_bytes",
        () if has(&["ops", "request", "rpc", "open", "stat", "samples"]) => "requests",
        () => "other",
    }
}

/// The number of a Lustre target: `scratch-OST001f`.
fn ost(server: &str) -> Option<i64> {
    let after = server.split("OST").nth(1)?;
    i64::from_str_radix(after.get(..4)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_exporters_have_one_kind() {
        let of =
            ["lustre_read_bytes_total", "WRITE_BYTES", "pct_cpu", "disk_utilisation", "rpc_wait_s"];
        assert_eq!(of.map(kind), ["read_bytes", "write_bytes", "busy", "busy", "latency"]);
        assert_eq!(["kbytes_free", "opens"].map(kind), ["other", "requests"]);
    }

    #[test]
    fn targets_have_a_hexadecimal_number() {
        assert_eq!(ost("scratch-OST001f"), Some(31));
        assert_eq!([ost("oss1"), ost("OSTx"), ost("OST00\u{e9}1")], [None; 3]);
    }
}
