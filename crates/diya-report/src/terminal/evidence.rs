//! The rows of evidence as a table that fits the page.

use super::text_writer::{Style, TextWriter};
use crate::numbers::cell;
use crate::text_table::{TextColumn, TextTable};
use crate::{Finding, Severity, Value, printable};

/// Rows that are shown unless all are wanted.
const ROWS: usize = 5;

/// Columns that say what a row is about, in the order they are read.
const KEYS: [&str; 10] =
    ["file", "path", "layer", "op", "host", "rank", "ost", "phase", "function", "source"];

/// Columns that the sentence needs and a reader of the table does not.
pub(crate) const OF_SENTENCE: [&str; 28] = [
    "place",
    "on_files",
    "all_s",
    "comes",
    "begins",
    "late",
    "late_rank",
    "again",
    "is_in_order",
    "is_one_late",
    "turns",
    "beside",
    "looked",
    "loads",
    "who",
    "of_all",
    "others",
    "advice",
    "manner",
    "meanwhile",
    "moves",
    "reason",
    "done",
    "example",
    // Of the fix.
    "fix_case",
    "lengths",
    "dimensions",
    "enough_rounds",
];

/// The same for time without a known cause: its functions and classes say more.
const OF_UNEXPLAINED: [&str; 3] = ["layer", "op", "files"];

/// Least room for a name before numbers have to go.
const NAME_ROOM: usize = 24;

/// Writes the rows; the first stands beside the label.
pub(super) fn write(
    writer: &mut TextWriter,
    (indent, column): (usize, usize),
    finding: &Finding,
    all: bool,
    run_s: Option<f64>,
) {
    let shown = if all { finding.evidence.len() } else { finding.evidence.len().min(ROWS) };
    let room = writer.columns.saturating_sub(column);
    let table = fitted(columns(finding, shown, run_s), room);
    if table.columns.is_empty() {
        return;
    }
    for (row, cells) in table.lines().enumerate() {
        writer.label(indent, if row == 0 { "evidence" } else { "" }, column);
        for cell in cells {
            writer.blank(cell.blanks);
            writer.put(cell.text, if row == 0 { Style::Faint } else { Style::Plain });
        }
        writer.gap();
    }
    let left = finding.evidence_rows.saturating_sub(shown);
    if left > 0 {
        writer.label(indent, "", column);
        writer.put(&format!("and {left} more"), Style::Faint);
        writer.gap();
    }
}

/// The columns that say something, names first, seconds last.
fn columns(finding: &Finding, rows: usize, run_s: Option<f64>) -> Vec<TextColumn> {
    let rows = &finding.evidence[..rows];
    let mut names: Vec<&str> = Vec::new();
    for row in rows {
        for name in row.values.keys().map(String::as_str) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let place = |name: &str| match KEYS.iter().position(|key| *key == name) {
        Some(place) => place,
        None if name == "saved_s" => KEYS.len() + 1,
        None => KEYS.len(),
    };
    // Among the numbers those of the sentence come first, in its order: it
    // was written to name what matters.
    let said = |name: &str| {
        let at = rows.first().and_then(|row| {
            let text = cell(name, row.values.get(name)?, run_s)?;
            row.text.find(&text)
        });
        at.unwrap_or(usize::MAX)
    };
    names.sort_by_key(|name| (place(name), said(name)));
    let column = |name: &&str| {
        let value = |row: &crate::Evidence| row.values.get(*name).cloned().unwrap_or(Value::Null);
        let texts = rows.iter().map(|row| cell(name, &value(row), run_s));
        let cells: Vec<String> =
            texts.map(|t| t.map_or("-".into(), |t| printable(&t).into_owned())).collect();
        let is_name = rows.iter().any(|row| matches!(value(row), Value::Text(_)));
        let is_share = rows.iter().all(|row| value(row).number().is_none_or(|n| n <= 1.0));
        TextColumn { head: head(name, is_share), cells, is_number: !is_name }
    };
    let says_nothing = |name: &str| {
        let zero = |row: &crate::Evidence| {
            row.values.get(name).and_then(Value::number).is_none_or(|number| number == 0.0)
        };
        let null = |row: &crate::Evidence| matches!(row.values.get(name), None | Some(Value::Null));
        // Times of windows stand beside `where`, and ids say nothing to people.
        name.ends_with("_id")
            || OF_SENTENCE.contains(&name)
            || (finding.severity == Severity::Unexplained && OF_UNEXPLAINED.contains(&name))
            || name.starts_with("window_")
            || rows.iter().all(null)
            // The ends of the range are of the finding; a row has the estimate.
            || name.starts_with("lost_")
            || (name == "saved_s" && rows.iter().all(zero))
    };
    // Where only the class of calls tells rows apart, it must not go for want of room.
    let is_same =
        |name: &str| rows.iter().all(|row| row.values.get(name) == rows[0].values.get(name));
    let kept = names.iter().filter(|name| !says_nothing(name) && **name != "saved_s");
    let class = names.iter().position(|name| *name == "class");
    let is_needed = rows.len() > 1 && kept.copied().all(|name| name == "class" || is_same(name));
    if let Some(class) = class.filter(|_| is_needed && !is_same("class")) {
        let name = names.remove(class);
        let keys = names.iter().take_while(|name| place(name) < KEYS.len()).count();
        names.insert(keys, name);
    }
    let shown: Vec<&&str> = names.iter().filter(|name| !says_nothing(name)).collect();
    let mut columns: Vec<TextColumn> = shown.iter().map(|name| column(name)).collect();
    // Bytes and time of one thing have one name without their units.
    let heads: Vec<String> = columns.iter().map(|column| column.head.clone()).collect();
    for (at, column) in columns.iter_mut().enumerate() {
        if heads.iter().filter(|head| **head == column.head).count() > 1 {
            column.head.push_str(if shown[at].ends_with("_s") { " time" } else { " bytes" });
        }
    }
    columns
}

/// A ratio that is no share of anything.
fn is_multiple(name: &str) -> bool {
    ["imbalance", "slowdown", "amplification", "spread", "slower", "faster"]
        .iter()
        .any(|word| name.contains(word))
}

/// What stands above a column: its name without the unit, which the values have.
fn head(name: &str, is_share: bool) -> String {
    match name {
        "saved_s" => return "saving".to_owned(),
        "ost" => return "OST".to_owned(),
        "mpiio_s" => return "MPI-IO time".to_owned(),
        "posix_s" => return "POSIX time".to_owned(),
        "moved_bytes" => return "bytes".to_owned(),
        "slow_bytes_per_s" => return "bandwidth".to_owned(),
        "usual_bytes_per_s" => return "others, median".to_owned(),
        "speed_bytes_per_s" => return "bandwidth".to_owned(),
        "usual_s" => return "median time".to_owned(),
        "usual_call_s" => return "median time of a call".to_owned(),
        "slowest_ratio" => return "slowest / mean".to_owned(),
        "even_factor" => return "bytes / even share".to_owned(),
        "others_factor" => return "slowest / mean of others".to_owned(),
        "duty_ratio" => return "share of run".to_owned(),
        "switch_calls" => return "read/write changes".to_owned(),
        "top_bytes" => return "bytes of this rank".to_owned(),
        "all_bytes" => return "all bytes".to_owned(),
        "own_bytes" => return "own bytes".to_owned(),
        "rest_s" => return "time".to_owned(),
        "what" => return "function".to_owned(),
        _ => {}
    }
    let words = match name.strip_suffix("_ratio") {
        Some(name) if is_multiple(name) => name.to_owned(),
        Some(name) if !is_share => format!("{name} ratio"),
        Some(name) => format!("{name} share"),
        None => ["_bytes_per_s", "_bytes", "_s"]
            .iter()
            .find_map(|unit| name.strip_suffix(unit))
            .unwrap_or(name)
            .to_owned(),
    };
    printable(&words.replace('_', " ")).into_owned()
}

/// The columns that there is room for: numbers go before names are too short to say
/// anything, the seconds at the end stay.
fn fitted(columns: Vec<TextColumn>, room: usize) -> TextTable {
    let mut table = TextTable { columns };
    // What a name may be cut down to does not count.
    let needed = |table: &TextTable| {
        let names = table.columns.iter().filter(|column| !column.is_number);
        let spare = names.map(|name| name.width().saturating_sub(NAME_ROOM)).sum::<usize>();
        table.width() - spare
    };
    while needed(&table) > room && table.columns.len() > 2 {
        let columns = &mut table.columns;
        let place = columns
            .iter()
            .rposition(|column| column.is_number)
            .map_or(1, |last| if last + 1 == columns.len() && last > 1 { last - 1 } else { last });
        columns.remove(place);
    }
    table.fit(room);
    table
}
