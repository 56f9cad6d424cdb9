//! The TOML header of a check.

use std::collections::BTreeMap;

use diya_tables::Op;
use serde::{Deserialize, Serialize};

use crate::CheckError;
use crate::Severity;
use crate::class::CLASSES;
use crate::page::Page;

/// How far a check is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// New: its verdicts may change in any release.
    Preview,
    /// Its verdicts change only in a minor release.
    Stable,
    /// About to go; another check says it better.
    Deprecated,
}

/// Who can act on what a check finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Audience {
    /// Who writes the program.
    Developer,
    /// Who runs the program.
    User,
    /// Who runs the machine.
    Operator,
}

/// When a finding holds although rows are missing: docs/decisions/0015. Without
/// it, missing rows can make the finding untrue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnPart {
    /// Its numbers only grow with more rows.
    Holds,
    /// Its shares can move, its seconds only grow: it holds where these weigh.
    Seconds,
}

/// When a check is asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// With the others.
    #[default]
    First,
    /// When the findings of the others are known (table `explained`).
    After,
}

/// A number that a check compares with.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Param {
    /// Value where no configuration gives another, in `unit`.
    pub default: Number,
    /// bytes, calls, s, files, ranks, or 1 for a ratio.
    pub unit: String,
    /// Why this value.
    pub why: String,
    /// The metric that counts with this value, too: settings cannot change one of both.
    pub fixed_by: Option<String>,
}

/// A number as it was written: SQL distinguishes 1 and 1.0.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Number {
    /// Without a point.
    Integer(i64),
    /// With a point.
    Real(f64),
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.sql())
    }
}

impl Number {
    pub(crate) fn real(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Real(value) => value,
        }
    }

    /// As a literal of SQL.
    pub(crate) fn sql(self) -> String {
        match self {
            Self::Integer(value) => value.to_string(),
            Self::Real(value) => format!("{value:?}"),
        }
    }
}

/// Units a parameter can have.
const UNITS: &[&str] = &["bytes", "calls", "s", "files", "ranks", "1"];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Header {
    pub id: String,
    /// Ids of earlier versions: settings and `diya explain` still know them.
    #[serde(default)]
    pub formerly: Vec<String>,
    /// Optional here, so that the error can say what to write.
    #[serde(default)]
    pub layer: String,
    pub code: String,
    pub status: Status,
    pub since: String,
    pub audience: Audience,
    pub severity: Option<Severity>,
    pub on_part: Option<OnPart>,
    pub class: Option<String>,
    #[serde(default)]
    pub ops: Vec<String>,
    #[serde(default)]
    pub changes: Vec<String>,
    #[serde(default)]
    pub explains: Vec<String>,
    #[serde(default)]
    pub stage: Stage,
    pub zero_because: Option<String>,
    pub topic: Option<String>,
    #[serde(default)]
    pub hides_time: bool,
    pub needs: Vec<String>,
    pub sources: Vec<String>,
    pub references: Vec<String>,
    // Both for docs/reference/check-coverage.md alone, which `cargo xtask generate` writes.
    #[serde(default, rename = "answers")]
    _answers: Vec<String>,
    #[serde(rename = "question")]
    _question: Option<String>,
    #[serde(default)]
    pub planted: Vec<String>,
    #[serde(default)]
    pub look_alikes: Vec<String>,
    #[serde(default)]
    pub param: BTreeMap<String, Param>,
}

impl Header {
    pub fn read(page: &Page<'_>) -> Result<Self, CheckError> {
        let wrong = |line, what: String| Err(CheckError::page(page.path, line, what));
        let header: Self = match toml::from_str(&page.header) {
            Ok(header) => header,
            Err(error) => {
                let start = error.span().map_or(0, |span| span.start);
                let before = page.header.get(..start).unwrap_or_default();
                let line = 2 + before.matches('\n').count();
                return wrong(line, format!("header: {}", error.message().trim()));
            }
        };
        let has = |place: &str| {
            let at = page.header.lines().position(|line| line.trim_start().starts_with(place));
            2 + at.unwrap_or(0)
        };
        let id_of_path = page.path.strip_suffix(".md").unwrap_or(page.path);
        if !id_of_path.ends_with(&header.id) || !header.id.contains('/') {
            return wrong(has("id"), format!("id {:?} is not the file's folder/name", header.id));
        }
        if header.layer.trim().is_empty() {
            let guess = header.id.split('/').next().unwrap_or_default();
            let what = format!("`layer` is missing: add the layer of the calls, layer = {guess:?}");
            return wrong(has("id"), what);
        }
        if let Some(class) = header.class.as_deref().filter(|class| !CLASSES.contains(class)) {
            return wrong(has("class"), format!("class {class:?} is none of {CLASSES:?}"));
        }
        for (name, ops) in [("ops", &header.ops), ("changes", &header.changes)] {
            if let Some(op) = ops.iter().find(|op| Op::from_name(op).is_none()) {
                return wrong(has(name), format!("op {op:?} is no kind of call (table call, op)"));
            }
        }
        for (name, empty) in [
            ("needs", header.needs.is_empty()),
            ("sources", header.sources.is_empty()),
            ("references", header.references.is_empty()),
        ] {
            if empty {
                return wrong(has(name), format!("`{name}` names nothing"));
            }
        }
        for (name, param) in &header.param {
            let line = has(&format!("[param.{name}]"));
            if !UNITS.contains(&param.unit.as_str()) {
                return wrong(line, format!("unit {:?} is none of {UNITS:?}", param.unit));
            }
            if param.why.trim().is_empty() {
                return wrong(line, format!("`why` of parameter {name} is empty"));
            }
            if let Some(metric) = param.fixed_by.as_ref().filter(|m| !header.needs.contains(*m)) {
                return wrong(line, format!("`fixed_by` names {metric}, which `needs` does not"));
            }
        }
        Ok(header)
    }
}
