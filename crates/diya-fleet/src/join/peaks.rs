//! Peaks of file systems by date: CSV `mount,since,op,bytes_per_s`, or TOML `[[peak]]`.

use super::csv_text::CsvText;
use super::time::moment;
use super::{Fault, Sink};
use crate::generated::PeakRow;

const FORM: &str =
    "it is neither CSV with the columns mount,since,op,bytes_per_s nor TOML with [[peak]]";

#[derive(serde::Deserialize)]
struct Peaks {
    peak: Vec<Peak>,
}

#[derive(serde::Deserialize)]
struct Peak {
    mount: String,
    since: toml::Value,
    #[serde(default = "both")]
    op: String,
    bytes_per_s: f64,
}

fn both() -> String {
    "both".to_owned()
}

pub fn read(text: &str, sink: &mut Sink<'_>) -> Result<(), Fault> {
    if text.contains("[[peak]]") {
        let peaks: Peaks = toml::from_str(text).map_err(|e| Fault::File(e.to_string()))?;
        for peak in peaks.peak {
            let since = match &peak.since {
                toml::Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            push(&peak.mount, &since, &peak.op, peak.bytes_per_s, sink)
                .map_err(|why| Fault::File(format!("{}: {why}", peak.mount)))??;
        }
        return Ok(());
    }
    let table = CsvText::parse(text)?;
    let place = |name| table.place(&[name]).ok_or_else(|| Fault::File(FORM.to_owned()));
    let (mount, since, speed) = (place("mount")?, place("since")?, place("bytes_per_s")?);
    let op = table.place(&["op"]);
    for (at, cells) in &table.rows {
        let cell = |place: usize| cells.get(place).map_or("", |cell| cell.trim());
        let op = op.map_or("both", cell);
        let speed = cell(speed).parse().unwrap_or(f64::NAN);
        match push(cell(mount), cell(since), op, speed, sink) {
            Ok(pushed) => pushed?,
            Err(why) => sink.bad(*at, &why),
        }
    }
    Ok(())
}

/// Adds the row, or says why it is none.
fn push(
    mount: &str,
    since: &str,
    op: &str,
    bytes_per_s: f64,
    sink: &mut Sink<'_>,
) -> Result<Result<(), Fault>, String> {
    let start = moment(since, sink.zone).ok_or_else(|| format!("{since:?} is no date"))?;
    if !["read", "write", "both"].contains(&op) {
        return Err(format!("op is {op:?}, not read, write or both"));
    }
    if mount.is_empty() || !bytes_per_s.is_finite() || bytes_per_s <= 0.0 {
        return Err("no mount, or bytes_per_s is no positive number".to_owned());
    }
    let identity = format!("{mount}\0{op}\0{start}");
    let shown = sink.names.path("mount", mount);
    let pushed = sink.row(identity.as_bytes(), Some(start), |row_hash, table| {
        PeakRow { row_hash, start_time: Some(start), mount: &shown, op, bytes_per_s }.push(table);
    });
    Ok(pushed.map_err(Fault::from))
}
