//! Values of a row in words.

use crate::Value;
use diya_model::{bytes_text, calls_text, part_of_run_s, percent_text};

/// What a gap is a number of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Unit {
    Bytes,
    BytesPerSecond,
    Seconds,
    Percent,
    /// A number of things: the word for one, and for several.
    Things(&'static str, &'static str),
}

const THINGS: [(&str, &str); 4] =
    [("file", "files"), ("call", "calls"), ("rank", "ranks"), ("process", "processes")];

impl Unit {
    pub fn read(name: &str) -> Result<Self, String> {
        Ok(match name {
            "bytes" => Self::Bytes,
            "bytes_per_s" => Self::BytesPerSecond,
            "s" => Self::Seconds,
            "%" => Self::Percent,
            other => match THINGS.iter().find(|(_, many)| *many == other) {
                Some((one, many)) => Self::Things(one, many),
                None => {
                    let known = "bytes, bytes_per_s, s, %, files, calls, ranks, processes";
                    return Err(format!("unit {other:?} is none of {known}"));
                }
            },
        })
    }

    /// The unit that the name of the column has to end with.
    pub fn expected(self) -> Option<&'static str> {
        match self {
            Self::Bytes => Some("bytes"),
            Self::BytesPerSecond => Some("bytes_per_s"),
            Self::Seconds => Some("s"),
            Self::Percent => Some("1"),
            Self::Things(..) => None,
        }
    }
}

/// A value in words; seconds as a part of `run_s`.
pub(crate) fn shown(value: &Value, unit: Option<Unit>, run_s: Option<f64>) -> String {
    match (value, value.number(), unit) {
        (Value::Text(text), _, _) => text.clone(),
        (Value::Flag(flag), _, _) => flag.to_string(),
        // An `as` from a float saturates; sizes are not negative.
        (_, Some(number), Some(Unit::Bytes)) => bytes_text(number.max(0.0).round() as u64),
        (_, Some(number), Some(Unit::BytesPerSecond)) => {
            format!("{}/s", bytes_text(number.max(0.0).round() as u64))
        }
        (_, Some(number), Some(Unit::Seconds)) => part_of_run_s(number, run_s),
        (_, Some(number), Some(Unit::Percent)) => percent_text(number),
        (_, Some(number), Some(Unit::Things(one, many))) => {
            let text = calls_text(number.max(0.0) as u64);
            format!("{text} {}", if text == "1" { one } else { many })
        }
        (Value::Real(number), _, None) if number.fract() == 0.0 && *number >= 0.0 => {
            calls_text(*number as u64)
        }
        // A mean of a thousand and more needs no digit behind the point.
        (Value::Real(number), _, None) if *number >= 1000.0 => calls_text(number.round() as u64),
        (Value::Real(number), _, None) => format!("{number:.1}"),
        (Value::Integer(number), _, None) if *number >= 0 => calls_text(number.unsigned_abs()),
        (Value::Integer(number), _, None) => number.to_string(),
        (Value::Unsigned(number), _, None) => calls_text(*number),
        (Value::Null, _, Some(Unit::Seconds)) => "unknown".to_owned(),
        (Value::Null, ..) | (_, None, _) => "an unknown number of".to_owned(),
    }
}
