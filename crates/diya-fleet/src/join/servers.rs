//! Metrics of storage servers: long CSV (`time,server,metric,value`), wide CSV as of LMT (a
//! column for each metric), and what the other files here read. The first lines say which.

use super::csv_text::CsvText;
use super::server_value::push;
use super::time::moment;
use super::{Fault, Sink, h5dump, lctl, lmt, openmetrics, prometheus};

const TIMES: [&str; 4] = ["time", "timestamp", "ts", "date"];
const SERVERS: [&str; 9] =
    ["server", "component", "target", "ost", "ost_name", "oss", "mdt_name", "host", "hostname"];

pub fn read(text: &str, sink: &mut Sink<'_>) -> Result<(), Fault> {
    if text.trim_start().starts_with('{') {
        return prometheus::read(text, sink);
    }
    if h5dump::is_it(text) {
        return h5dump::read(text, sink);
    }
    if lmt::is_it(text) {
        return lmt::read(text, sink);
    }
    if lctl::is_it(text) {
        return lctl::read(text, sink);
    }
    if openmetrics::is_it(text) {
        return openmetrics::read(text, sink);
    }
    let table = CsvText::parse(text)?;
    let (Some(time), Some(server)) = (table.place(&TIMES), table.place(&SERVERS)) else {
        return Err(Fault::File(
            "it is neither JSON of Prometheus, OpenMetrics, `lctl get_param`, a dump of LMT, the \
             output of h5dump, nor CSV with a column for the time (time, timestamp) \
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
