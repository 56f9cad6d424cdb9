//! Numbers of a row, for people and for files.

use crate::path;
use diya::model::{about_s, bytes_text, calls_text, percent_text};
use diya::report::Value;

/// A whole number, where the value is one: SQL gives powers as reals.
pub fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Real(real) if real.is_finite() && real.abs() < 9.0e15 => Some(real.round() as i64),
        other => other.integer(),
    }
}

/// For a file: digits, or a word that needs no quotes.
pub fn written(value: &Value) -> Result<String, String> {
    match value {
        Value::Text(text) if path::is_plain(text) => Ok(text.clone()),
        Value::Text(text) => Err(format!("{text:?} would need quotes")),
        Value::Flag(flag) => Ok(flag.to_string()),
        other => match whole(other) {
            Some(number) => Ok(number.to_string()),
            None => Err("it is not known".to_owned()),
        },
    }
}

/// For people: with the unit that the name of the column carries.
pub fn shown(column: &str, value: &Value) -> Result<String, String> {
    let natural = |number: f64| number.max(0.0).round() as u64;
    Ok(match value {
        Value::Null => "not recorded".to_owned(),
        Value::Text(_) | Value::Flag(_) => written(value)?,
        other => match other.number() {
            Some(number) if column.ends_with("_bytes") => bytes_text(natural(number)),
            Some(number) if column.ends_with("_ratio") => percent_text(number),
            Some(number) if column.ends_with("_s") => about_s(number),
            Some(number) => calls_text(natural(number)),
            None => "not recorded".to_owned(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_column_says_its_unit() {
        let of = |name: &str, value: f64| shown(name, &Value::Real(value)).expect("a number");
        assert_eq!(of("mean_bytes", 4096.0), "4.00 KiB");
        assert_eq!(of("calls", 12_000.0), "12,000");
        assert_eq!(shown("nodes", &Value::Null).as_deref(), Ok("not recorded"));
    }

    #[test]
    fn words_that_need_quotes_do_not_go_into_a_file() {
        assert!(written(&Value::Text("a b".into())).is_err());
        assert_eq!(written(&Value::Real(8.0)).as_deref(), Ok("8"));
        assert!(written(&Value::Null).is_err());
    }
}
