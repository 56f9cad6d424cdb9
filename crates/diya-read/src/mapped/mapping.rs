//! The mapping: a TOML text that says which column is what, in which unit.

use crate::ReadError;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The text says so in its first line.
pub(super) const VERSION: &str = "diya-mapping-1";

/// A mapping, as written. docs/formats/mapping.md describes each field.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Mapping {
    pub format: String,
    /// Name of the file with the calls; the caller has opened it.
    #[allow(dead_code)] // Whoever opens the files has read it.
    pub file: String,
    #[serde(default = "comma")]
    pub separator: char,
    /// Layer of operations such as `read`; functions have their own.
    #[serde(default)]
    pub layer: Option<String>,
    pub columns: Columns,
    /// Names in the file, and the functions that they stand for.
    #[serde(default)]
    pub functions: BTreeMap<String, String>,
}

fn comma() -> char {
    ','
}

/// Columns by what they hold.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Columns {
    pub start: Measured<TimeUnit>,
    pub end: Option<Measured<TimeUnit>>,
    pub duration: Option<Measured<TimeUnit>>,
    pub function: String,
    pub path: Option<String>,
    pub rank: Option<String>,
    pub thread: Option<String>,
    pub host: Option<String>,
    pub size: Option<Measured<SizeUnit>>,
    pub requested: Option<Measured<SizeUnit>>,
    pub offset: Option<Measured<SizeUnit>>,
    pub error: Option<String>,
}

/// A column of numbers with a unit.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Measured<U> {
    pub column: String,
    pub unit: U,
    /// Where times count from.
    #[serde(default)]
    pub since: Since,
}

/// Where times count from.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) enum Since {
    /// The start of the run, or any other moment.
    #[default]
    #[serde(rename = "start")]
    Start,
    /// 1970-01-01 00:00 UTC.
    #[serde(rename = "1970")]
    Epoch,
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) enum TimeUnit {
    #[serde(rename = "s")]
    Seconds,
    #[serde(rename = "ms")]
    Milliseconds,
    #[serde(rename = "us")]
    Microseconds,
    #[serde(rename = "ns")]
    Nanoseconds,
}

impl TimeUnit {
    /// Nanoseconds of one.
    pub fn ns(self) -> i64 {
        match self {
            Self::Seconds => 1_000_000_000,
            Self::Milliseconds => 1_000_000,
            Self::Microseconds => 1_000,
            Self::Nanoseconds => 1,
        }
    }
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub(super) enum SizeUnit {
    B,
    KiB,
    MiB,
    GiB,
    #[serde(rename = "kB")]
    Kilobytes,
    #[serde(rename = "MB")]
    Megabytes,
    #[serde(rename = "GB")]
    Gigabytes,
}

impl SizeUnit {
    /// Bytes of one.
    pub fn bytes(self) -> i64 {
        match self {
            Self::B => 1,
            Self::KiB => 1 << 10,
            Self::MiB => 1 << 20,
            Self::GiB => 1 << 30,
            Self::Kilobytes => 1_000,
            Self::Megabytes => 1_000_000,
            Self::Gigabytes => 1_000_000_000,
        }
    }
}

/// Reads a mapping.
pub(super) fn mapping(bytes: &[u8]) -> Result<Mapping, ReadError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|e| refusal(format!("byte {} is not UTF-8", e.valid_up_to())))?;
    let mapping: Mapping = toml::from_str(text).map_err(|e| {
        let before = e.span().and_then(|span| text.get(..span.start));
        let line = before.map_or(1, |before| before.matches('\n').count() + 1);
        refusal(format!("line {line}: {}", e.message().replace('\n', "; ")))
    })?;
    if mapping.format != VERSION {
        return Err(refusal(format!("format is {:?}, but {VERSION:?} is known", mapping.format)));
    }
    if mapping.columns.end.is_some() && mapping.columns.duration.is_some() {
        return Err(refusal("columns.end and columns.duration are both there: name one".into()));
    }
    if !mapping.separator.is_ascii() {
        return Err(refusal(format!("separator {:?} is not ASCII", mapping.separator)));
    }
    Ok(mapping)
}

pub(super) fn refusal(reason: String) -> ReadError {
    ReadError::Mapping { reason }
}
