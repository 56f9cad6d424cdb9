//! The answer of Prometheus to a range query.

use super::server_value::push;
use super::time::from_seconds;
use super::{Fault, Sink};
use std::collections::HashMap;

/// Labels that name a target or a server, the closest first.
const SERVERS: [&str; 7] = ["target", "ost", "component", "server", "hostname", "host", "instance"];

#[derive(serde::Deserialize)]
struct Answer {
    data: Data,
}

#[derive(serde::Deserialize)]
struct Data {
    result: Vec<Series>,
}

#[derive(serde::Deserialize)]
struct Series {
    metric: HashMap<String, String>,
    #[serde(default)]
    values: Vec<(f64, String)>,
}

/// The server that labels name.
pub fn server_of<'l>(label: impl Fn(&str) -> Option<&'l String>) -> Option<&'l str> {
    let named = |name: &&str| label(name).map(String::as_str).filter(|value| !value.is_empty());
    SERVERS.iter().find_map(named)
}

pub fn read(text: &str, sink: &mut Sink<'_>) -> Result<(), Fault> {
    let answer: Answer = serde_json::from_str(text).map_err(|e| {
        Fault::File(format!("it is no answer of Prometheus to /api/v1/query_range: {e}"))
    })?;
    for (number, series) in (1..).zip(&answer.data.result) {
        let Some(server) = server_of(|name| series.metric.get(name)) else {
            sink.bad(number, &format!("a series without a label of {SERVERS:?}"));
            continue;
        };
        // An expression has no name.
        let name = series.metric.get("__name__").map_or("value", String::as_str);
        for (time, value) in &series.values {
            match (from_seconds(*time), value.parse()) {
                (Some(time), Ok(value)) => push(time, server, name, false, value, sink)?,
                _ => sink.bad(number, &format!("[{time}, {value:?}] is no time and number")),
            }
        }
    }
    Ok(())
}
