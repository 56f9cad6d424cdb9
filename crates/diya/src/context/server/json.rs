//! Answers of Prometheus to a range query, or to an instant one.

use super::super::time::seconds;
use super::super::{Complaint, complaint};
use super::series::{Labels, SeriesType, Set};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Answer {
    status: Option<String>,
    error: Option<String>,
    data: Option<Data>,
    #[serde(default)]
    result: Vec<Measured>,
}

#[derive(Deserialize)]
struct Data {
    #[serde(default)]
    result: Vec<Measured>,
}

#[derive(Deserialize)]
struct Measured {
    metric: Labels,
    #[serde(default)]
    values: Vec<(Value, Value)>,
    value: Option<(Value, Value)>,
}

/// Reads an answer, or several in a list.
pub(super) fn read(text: &str) -> Result<Set, Complaint> {
    let wrong = |e: serde_json::Error| complaint(e.line().max(1), e.to_string());
    let answers: Vec<Answer> = match text.trim_start().starts_with('[') {
        true => serde_json::from_str(text).map_err(wrong)?,
        false => vec![serde_json::from_str(text).map_err(wrong)?],
    };
    let mut set = Set::default();
    for answer in answers {
        if answer.status.as_deref() == Some("error") {
            let what = answer.error.unwrap_or_else(|| "the query failed".into());
            return Err(complaint(1, what));
        }
        let of_data = answer.data.map(|data| data.result).unwrap_or_default();
        for result in answer.result.into_iter().chain(of_data) {
            let mut labels = result.metric;
            let name = labels.remove("__name__").unwrap_or_else(|| "value".into());
            for (time, value) in result.values.iter().chain(&result.value) {
                let sample = number(time).zip(number(value));
                let (time_s, value) = sample.ok_or_else(|| {
                    // Values have no line: that of the series' name is near.
                    let at = text.find(&name).unwrap_or_default();
                    let line = text[..at].matches('\n').count() + 1;
                    complaint(line, format!("{name}: [{time}, {value}] is no time and number"))
                })?;
                // A monitoring system marks a gap so: there is nothing to count.
                if value.is_finite() {
                    set.push(&name, &labels, (None, SeriesType::Unknown), (time_s, value));
                }
            }
        }
    }
    Ok(set)
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.parse().ok().or_else(|| seconds(text)),
        _ => None,
    }
}
