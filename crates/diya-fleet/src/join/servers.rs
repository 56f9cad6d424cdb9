//! Metrics of storage servers: long CSV (`time,server,metric,value`), wide CSV as of LMT (a
//! column for each metric), and the JSON of a range query to Prometheus.

use super::table::Table;
use super::time::moment;
use super::{Fault, Sink, prometheus};
use crate::FleetError;
use crate::generated::ServerMetricRow;

const TIMES: [&str; 4] = ["time", "timestamp", "ts", "date"];
const SERVERS: [&str; 9] =
    ["server", "component", "target", "ost", "ost_name", "oss", "mdt_name", "host", "hostname"];

pub fn read(text: &str, sink: &mut Sink<'_>) -> Result<(), Fault> {
    if text.trim_start().starts_with('{') {
        return prometheus::read(text, sink);
    }
    let table = Table::parse(text)?;
    let (Some(time), Some(server)) = (table.place(&TIMES), table.place(&SERVERS)) else {
        return Err(Fault::File(
            "it is neither JSON of Prometheus nor CSV with a column for the time (time, timestamp) \
             and one for the server (server, component, target, ost_name)"
                .to_owned(),
        ));
    };
    let long = table.place(&["metric"]).zip(table.place(&["value"]));
    for (at, cells) in &table.rows {
        let cell = |place: usize| cells.get(place).map_or("", |cell| cell.trim());
        let Some(start) = moment(cell(time), sink.zone) else {
            sink.bad(*at, &format!("{:?} is no time", cell(time)));
            continue;
        };
        if cell(server).is_empty() {
            sink.bad(*at, "no server");
            continue;
        }
        if let Some((metric, value)) = long {
            match cell(value).parse() {
                Ok(value) => push(start, cell(server), cell(metric), false, value, sink)?,
                Err(_) => sink.bad(*at, &format!("{:?} is no number", cell(value))),
            }
            continue;
        }
        // Tables of LMT count bytes and requests since the start of a server.
        let metrics = (0..table.names.len()).filter(|place| *place != time && *place != server);
        for place in metrics {
            if let Ok(value) = cell(place).parse() {
                let name = table.names[place].clone();
                let is_counter = ["read_bytes", "write_bytes", "samples"].contains(&name.as_str());
                push(start, cell(server), &name, is_counter, value, sink)?;
            }
        }
    }
    Ok(())
}

/// Adds a value.
pub fn push(
    start: i64,
    server: &str,
    metric: &str,
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
            kind: kind(metric),
            is_counter: is_counter || metric.ends_with("_total"),
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
