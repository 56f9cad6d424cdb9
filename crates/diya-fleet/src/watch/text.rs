//! Values as people read them.

use crate::AnswerColumn;
use serde_json::Value;

/// A value of a column.
pub fn shown(value: Option<&Value>, column: &AnswerColumn) -> String {
    match value {
        None | Some(Value::Null) => "–".to_owned(),
        Some(Value::Bool(flag)) => if *flag { "yes" } else { "no" }.to_owned(),
        Some(Value::String(text)) if column.kind == "timestamp" => {
            text.split('T').next().unwrap_or(text).to_owned()
        }
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(of)) if ["id", "hash", "year"].contains(&column.unit.as_str()) => {
            of.to_string()
        }
        // Of things that are counted the column says what they are.
        Some(Value::Number(of)) if column.kind == "i64" && column.unit != "bytes" => {
            number(of.as_f64().unwrap_or(0.0))
        }
        Some(Value::Number(of)) => measured(of.as_f64().unwrap_or(0.0), &column.unit),
        Some(other) => other.to_string(),
    }
}

/// A number with its unit.
pub fn measured(value: f64, unit: &str) -> String {
    let bytes = || diya::model::bytes_text(value.max(0.0) as u64);
    match unit {
        "bytes" => bytes(),
        "bytes/s" => format!("{}/s", bytes()),
        "s" => diya::model::seconds_text(value),
        "1" => number(value),
        _ => format!("{} {unit}", number(value)),
    }
}

/// Three digits, thousands separated.
pub fn number(value: f64) -> String {
    if value.fract() == 0.0 || value.abs() >= 100.0 {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}{}", diya::model::calls_text(value.abs().round() as u64));
    }
    // Digits after the point.
    let digits = (2.0 - value.abs().log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{value:.digits$}")
}

/// A path as one word of a shell; what cannot be seen is shown as an escape.
pub fn shell_word(path: &str) -> String {
    let path = diya::report::printable(path);
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    match !path.is_empty() && path.chars().all(is_plain) {
        true => path.into_owned(),
        false => format!("'{}'", path.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_and_words_one_meaning() {
        let numbers = [0.00123, 0.123, 1.234, 12.34, 1234.5, 7.0, -0.5].map(number);
        assert_eq!(numbers, ["0.00123", "0.123", "1.23", "12.3", "1,235", "7", "-0.500"]);
        assert_eq!(measured(268_435_456.0, "bytes/s"), "256 MiB/s");
        assert_eq!(shell_word("/logs/a.darshan"), "/logs/a.darshan");
        assert_eq!(shell_word("/logs/a; rm b"), "'/logs/a; rm b'");
        assert_eq!(shell_word("it's\n"), "'it'\\''s\\n'");
    }
}
