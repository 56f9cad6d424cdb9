//! One event: the members that the Trace Event Format and DFTracer share.

use serde::Deserialize;
use serde_json::{Map, Number, Value};
use std::borrow::Cow;

/// An event as written.
#[derive(Debug, Deserialize)]
pub(super) struct Event<'e> {
    #[serde(borrow, default)]
    pub name: Cow<'e, str>,
    #[serde(borrow, default)]
    pub cat: Cow<'e, str>,
    /// A letter; in DFTracer 2.x a number.
    #[serde(default)]
    pub ph: Value,
    #[serde(default)]
    pub ts: Option<Number>,
    #[serde(default)]
    pub dur: Option<Number>,
    #[serde(default)]
    pub pid: Value,
    #[serde(default)]
    pub tid: Value,
    #[serde(default)]
    pub id: Value,
    #[serde(default)]
    pub args: Option<Map<String, Value>>,
}

/// What kind of event it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Complete,
    Begin,
    End,
    AsyncBegin,
    AsyncEnd,
    Metadata,
    /// Values at a moment.
    Counter,
    /// Moments, flows, sums over many events: no table holds them.
    Other,
}

impl Event<'_> {
    /// Its phase; `None`: it is no event.
    pub fn phase(&self) -> Option<Phase> {
        if let Some(number) = self.ph.as_i64() {
            // DFTracer 2.x.
            return Some(match number {
                1 => Phase::Complete,
                2 => Phase::Counter,
                4 => Phase::Metadata,
                _ => Phase::Other,
            });
        }
        Some(match self.ph.as_str()? {
            "X" => Phase::Complete,
            "B" => Phase::Begin,
            "E" => Phase::End,
            "b" => Phase::AsyncBegin,
            "e" => Phase::AsyncEnd,
            "M" => Phase::Metadata,
            "C" => Phase::Counter,
            _ => Phase::Other,
        })
    }

    /// A text among its arguments, by the first of these names that is there.
    pub fn text(&self, names: &[&str]) -> Option<&str> {
        let args = self.args.as_ref()?;
        names.iter().find_map(|name| args.get(*name)?.as_str()).filter(|text| !text.is_empty())
    }

    /// A number among its arguments; some writers put numbers into texts.
    pub fn number(&self, names: &[&str]) -> Option<i64> {
        let args = self.args.as_ref()?;
        names.iter().find_map(|name| {
            let value = args.get(*name)?;
            value.as_i64().or_else(|| value.as_str()?.parse().ok())
        })
    }
}

/// A number, also one that is written as a text; none where it is not finite.
pub(super) fn real(value: &Value) -> Option<f64> {
    let number = value.as_f64().or_else(|| value.as_str()?.parse().ok());
    number.filter(|number: &f64| number.is_finite())
}

/// A time as nanoseconds; `unit_ns` is what the numbers count.
pub(super) fn nanoseconds(number: Option<&Number>, unit_ns: i64) -> Option<i64> {
    let number = number?;
    if let Some(whole) = number.as_i64() {
        return whole.checked_mul(unit_ns);
    }
    let ns = number.as_f64()? * unit_ns as f64;
    // Beyond 2^62 a conversion would be wrong, and no clock is there.
    (ns.abs() < (1i64 << 62) as f64).then_some(ns.round() as i64)
}

/// Process and thread numbers can be texts.
pub(super) fn id(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs)),
        Value::String(text) => {
            Some(text.parse().unwrap_or_else(|_| diya_tables::record_id(text.as_bytes())))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_keep_their_nanoseconds() {
        let event: Event<'_> =
            serde_json::from_str(r#"{"ph":"X","ts":1795444950833260,"dur":0.125}"#).expect("JSON");
        assert_eq!(nanoseconds(event.ts.as_ref(), 1000), Some(1_795_444_950_833_260_000));
        assert_eq!(nanoseconds(event.dur.as_ref(), 1000), Some(125));
        assert_eq!(event.phase(), Some(Phase::Complete));
    }

    #[test]
    fn phases_are_letters_or_numbers() {
        let phase = |text: &str| serde_json::from_str::<Event<'_>>(text).ok()?.phase();
        assert_eq!(phase(r#"{"ph":4}"#), Some(Phase::Metadata));
        assert_eq!(phase(r#"{"ph":2}"#), Some(Phase::Counter));
        assert_eq!(phase(r#"{"ph":3}"#), Some(Phase::Other));
        assert_eq!(phase(r#"{"ph":"E"}"#), Some(Phase::End));
        assert_eq!(phase(r#"{"ph":"i"}"#), Some(Phase::Other));
        assert_eq!(phase(r#"{"name":"no event"}"#), None);
    }
}
