//! The schemas that are published, and what their Rust types do not say.

use crate::generate::schema::KINDS;

/// A schema.
pub struct Document {
    /// The file is `schema/NAME.schema.json`.
    pub name: &'static str,
    pub title: &'static str,
    /// Ends the first sentence of the description.
    pub made_by: &'static str,
    /// The Rust type of the whole.
    pub root: &'static str,
    /// Its field for the version of the layout, and the constant with its value.
    pub version: (&'static str, &'static str),
    /// Files with the types, that of the root first.
    pub files: &'static [&'static str],
}

const REPORT: &str = "crates/diya-report/src/report.rs";
const FINDING: &str = "crates/diya-findings/src/finding.rs";
const VALUE: &str = "crates/diya-findings/src/value.rs";

pub const DOCUMENTS: [Document; 4] = [
    Document {
        name: "report",
        title: "Report of diya",
        made_by: "the output of `diya report --format json`",
        root: "Report",
        version: ("schema_version", "SCHEMA_VERSION"),
        files: &[REPORT, FINDING, VALUE],
    },
    Document {
        name: "comparison",
        title: "Comparison of diya",
        made_by: "the output of `diya compare --format json`",
        root: "Comparison",
        version: ("schema_version", "COMPARISON_VERSION"),
        files: &["crates/diya-report/src/comparison.rs", REPORT, FINDING, VALUE],
    },
    Document {
        name: "tune",
        title: "Settings of diya",
        made_by: "the output of `diya tune --json`, and tune.toml",
        root: "Plan",
        version: ("version", "LAYOUT_VERSION"),
        files: &["crates/diya-tune/src/plan.rs"],
    },
    Document {
        name: "tune-loop",
        title: "A loop of diya",
        made_by: "the output of `diya tune --loop --json`, and loop.json",
        root: "TrialsReport",
        version: ("version", "LAYOUT_VERSION"),
        files: &["crates/diya-tune/src/trials/answer.rs"],
    },
];

/// A field of text with a closed list of words. An enum in Rust needs no line here.
pub struct Choice {
    /// `RustType.field`, the field as in the JSON.
    pub field: &'static str,
    pub words: &'static [&'static str],
    /// What readers take for another word, as JSON; `None`: the word as it is.
    pub default: Option<&'static str>,
}

pub const CHOICES: [Choice; 3] = [
    Choice {
        field: "LatePart.kind",
        words: &["call", "between", "code"],
        default: Some("\"call\""),
    },
    Choice { field: "Action.op", words: &["read", "write", "flush"], default: Some("null") },
    Choice { field: "MetricColumn.type", words: &KINDS, default: None },
];

/// What a type can be whose `Serialize` is written by hand.
pub const OWN: [(&str, &[&str]); 1] = [("Value", &["null", "number", "boolean", "string"])];
