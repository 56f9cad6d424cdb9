//! What a check, a metric or a table is, as text for a terminal.

use crate::diagnose::{CheckSet, track_record};
use crate::{TableDef, TableId};
use diya_checks::{Check, Number, Param};
use diya_metrics::Catalog;
use diya_report::{TextTable, Value, parameter_text};
use std::fmt::Write as _;

/// Something that can be explained.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'c> {
    /// A check.
    Check(&'c Check),
    /// A metric table.
    Metric(&'static diya_metrics::Metric),
    /// A table that is read from logs.
    Table(&'static TableDef),
    /// How often diagnoses were right.
    Accuracy,
}

/// What a name stands for: id or code of a check, a metric, a table.
///
/// ```
/// let checks = diya::diagnose::CheckSet::builtin()?;
/// assert!(diya::explain::find("PX101", &checks).is_some());
/// assert!(diya::explain::find("job_io", &checks).is_some());
/// # Ok::<(), diya::diagnose::CheckSetError>(())
/// ```
pub fn find<'c>(name: &str, set: &'c CheckSet) -> Option<Subject<'c>> {
    let is_check = |check: &&Check| check.is_named(name) || check.code.eq_ignore_ascii_case(name);
    if let Some(check) = set.checks.iter().find(is_check) {
        return Some(Subject::Check(check));
    }
    if let Some(metric) = Catalog::built_in().get(name) {
        return Some(Subject::Metric(metric));
    }
    if name == track_record::NAME {
        return Some(Subject::Accuracy);
    }
    TableId::ALL.into_iter().map(TableId::def).find(|def| def.name == name).map(Subject::Table)
}

/// The tables that are read from logs, then the metrics.
pub fn definitions() -> impl Iterator<Item = &'static TableDef> {
    let metrics = Catalog::built_in().metrics().map(|metric| metric.def);
    TableId::ALL.into_iter().map(TableId::def).chain(metrics)
}

/// The table or metric of this name.
pub fn definition(name: &str) -> Option<&'static TableDef> {
    definitions().find(|def| def.name == name)
}

/// What to say where the name is that of an earlier version.
pub fn renamed(name: &str, subject: &Subject<'_>) -> Option<String> {
    let Subject::Check(check) = subject else { return None };
    check.formerly.iter().any(|former| former == name).then(|| diya_checks::renamed(name, check))
}

/// The name that comes nearest to one that stands for nothing.
pub fn nearest(name: &str, set: &CheckSet) -> Option<String> {
    let checks = set.checks.iter().flat_map(|check| [check.id.as_str(), check.code.as_str()]);
    let metrics = Catalog::built_in().metrics().map(|metric| metric.def.name);
    let tables = TableId::ALL.into_iter().map(|id| id.def().name);
    let near = |known: &str| likeness(known, name);
    let all = checks.chain(metrics).chain(tables);
    all.max_by(|a, b| near(a).total_cmp(&near(b))).map(str::to_owned)
}

/// How well each word of a name is found in another one; words that are in one of them only cost a little.
fn likeness(known: &str, name: &str) -> f64 {
    let words = |of: &str| -> Vec<String> {
        of.split(['-', '_']).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
    };
    let (known, name) = (words(known), words(name));
    let best =
        |word: &String| known.iter().map(|one| strsim::jaro_winkler(one, word)).fold(0.0, f64::max);
    let mean = name.iter().map(best).sum::<f64>() / name.len().max(1) as f64;
    mean - 0.02 * known.len().abs_diff(name.len()) as f64
}

/// The table or metric whose name comes nearest.
pub fn nearest_table(name: &str) -> &'static str {
    let near = |known: &str| likeness(known, name);
    let names = definitions().map(|def| def.name);
    names.max_by(|a, b| near(a).total_cmp(&near(b))).unwrap_or_default()
}

impl Subject<'_> {
    /// All of it, in Markdown.
    pub fn text(&self) -> String {
        match self {
            Self::Check(check) => of_check(check),
            Self::Accuracy => track_record::PAGE.to_owned(),
            Self::Metric(metric) => {
                let mut out = of_table(metric.def);
                let _ = writeln!(out, "\nNeeds: {}.", metric.needs.join(", "));
                if !metric.notes.is_empty() {
                    let _ = writeln!(out, "\n{}", metric.notes);
                }
                if !metric.sql.trim().is_empty() {
                    let _ = writeln!(out, "\n{}", statement(&metric.sql));
                }
                out
            }
            Self::Table(def) => of_table(def),
        }
    }
}

fn of_check(check: &Check) -> String {
    let mut out = format!("# {}\n\n{} ({})\n", check.title, check.id, check.code);
    let mut section = |heading: &str, text: &str| {
        let _ = write!(out, "\n## {heading}\n\n{}\n", text.trim());
    };
    section("What it finds", &check.finds);
    section("Why it matters", &check.matters);
    section("Finding", &check.sentence_text());
    let thresholds: Vec<String> = check.params.iter().map(threshold).collect();
    section("Thresholds", &thresholds.join("\n"));
    for action in &check.remedy.actions {
        let of = action.heading().map_or_else(String::new, |heading| format!(": {heading}"));
        section(&format!("What to do{of}"), &action.text);
    }
    let gain = Some(check.remedy.gain.labelled()).filter(|gain| !gain.is_empty());
    section("Gain seen elsewhere", gain.as_deref().unwrap_or("No published figure."));
    let warnings: Vec<String> = check
        .remedy
        .contraindications
        .iter()
        .map(|risk| format!("- {}", risk.labelled()))
        .collect();
    section("Risks", &warnings.join("\n"));
    section("How to verify", &check.verify.labelled());
    section("When it is wrong", &check.wrong_when.labelled());
    let sources: Vec<String> = check.references.iter().map(|text| format!("- {text}")).collect();
    if !sources.is_empty() {
        section("Sources", &sources.join("\n"));
    }
    let query = statement(&check.evidence.text);
    let needs = format!("Needs {}.\n\n{query}", check.needs.join(", "));
    section("Query", &needs);
    out
}

/// `- min_calls = 1,000 calls: fewer rarely take much time`
fn threshold((name, param): (&String, &Param)) -> String {
    let value = match param.default {
        Number::Integer(value) => Value::Integer(value),
        Number::Real(value) => Value::Real(value),
    };
    let value = parameter_text(&param.unit, &value).unwrap_or_default();
    format!("- {name} = {value}: {}", param.why)
}

fn of_table(def: &TableDef) -> String {
    let mut text = format!("# {}\n\n{}\n\nRows: {}.\n\n", def.name, def.doc, def.rows);
    text.push_str("| column | type | unit | meaning |\n|---|---|---|---|\n");
    for column in def.columns {
        let null = column.null.map(|null| format!(" (null: {null})")).unwrap_or_default();
        let cells =
            [column.name, column.kind.name(), column.unit, &format!("{}{null}", column.doc)];
        let cells = cells.map(|cell| cell.replace('|', "\\|"));
        let _ = writeln!(text, "| `{}` | {} | {} | {} |", cells[0], cells[1], cells[2], cells[3]);
    }
    text
}

/// SQL in Markdown.
fn statement(sql: &str) -> String {
    format!("```sql\n{}\n```", sql.trim())
}

/// The columns of a table and what they mean, one row for each and one for what no
/// value means.
pub fn columns_of(def: &TableDef) -> TextTable {
    let mut table = TextTable::new([("", false); 4]);
    for column in def.columns {
        table.row([column.name, column.kind.name(), column.unit, column.doc]);
        if let Some(null) = column.null {
            table.row(["", "", "", &format!("null: {null}")]);
        }
    }
    table
}
