//! The digest in Markdown. Names of logs stay text: no markup, no links, no new lines.

use super::text::{measured, number, shown};
use super::{Digest, Section, Transition, plain};
use diya::report::markdown;
use std::fmt::Write as _;

/// Rows of a section; the JSON lines have all of them.
pub const ROWS: usize = 50;

/// Headings of the kinds.
pub const KINDS: [(Transition, &str); 3] =
    [(Transition::New, "New"), (Transition::Worse, "Worse"), (Transition::Fixed, "Fixed")];

impl Digest {
    /// What the digest says in a sentence.
    pub fn summary(&self) -> String {
        let [new, worse, fixed] = KINDS.map(|(kind, _)| self.count(kind));
        let read = &self.ingested;
        format!(
            "{} new logs. Problems: {new} new, {worse} worse, {fixed} fixed, {} open. Users to call: {}.",
            diya::model::calls_text(read.logs),
            self.open.iter().map(|(_, open)| open).sum::<usize>(),
            self.calls.len()
        )
    }

    /// What the figures do not cover, a sentence each.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let read = &self.ingested;
        if read.quarantined + read.unreadable > 0 {
            notes.push(format!(
                "{} files in quarantine, {} unreadable: table manifest has the reasons.",
                read.quarantined, read.unreadable
            ));
        }
        for (question, reason) in &self.failed {
            notes.push(format!("Question {question} has no answer: {reason}"));
        }
        if self.called_before > 0 {
            notes.push(format!(
                "{} users with savings were called within the quiet days.",
                self.called_before
            ));
        }
        notes
    }

    /// The digest as Markdown.
    pub fn markdown(&self) -> String {
        let mut out = String::new();
        // Writing to a String does not fail.
        let _ = writeln!(
            out,
            "# Fleet digest of {}: {}\n",
            markdown(&self.time),
            markdown(&self.title)
        );
        let _ = writeln!(out, "{}\n", self.summary());
        for note in self.notes() {
            let _ = writeln!(out, "- {}", markdown(&note));
        }
        out.push_str(
            "\n| system | jobs | core-hours | in I/O | estimated saving | read | written |\n\
             |---|---|---|---|---|---|---|\n",
        );
        for row in &self.systems {
            let cells = self.system_cells(row).map(|cell| markdown(&cell));
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
        for (kind, heading) in KINDS {
            let _ = writeln!(out, "\n## {heading}: {}", self.count(kind));
            for section in self.of(kind) {
                let names: Vec<_> = section.names().iter().map(|name| markdown(name)).collect();
                let _ = writeln!(
                    out,
                    "\n{} (`diya fleet explain {}`)\n\n| {} |\n|{}",
                    markdown(&section.title),
                    section.question,
                    names.join(" | "),
                    "---|".repeat(names.len())
                );
                for cells in section.cells() {
                    let cells: Vec<_> = cells.iter().map(|cell| markdown(cell)).collect();
                    let _ = writeln!(out, "| {} |", cells.join(" | "));
                }
                if let Some(more) = section.changes.len().checked_sub(ROWS + 1) {
                    let _ = writeln!(out, "\n{} more are in the JSON lines.", more + 1);
                }
            }
        }
        let _ = writeln!(out, "\n## Whom to call: {}", self.calls.len());
        for call in &self.calls {
            let _ = writeln!(
                out,
                "\n### {} on {}: estimated saving {} core-hours\n\n{}",
                markdown(&call.user_name),
                markdown(&call.system),
                number(call.core_hours),
                fenced(&call.text)
            );
        }
        let _ = writeln!(out, "\nMade by {}.", markdown(&self.program));
        out
    }

    /// Cells of the table of systems.
    pub fn system_cells(&self, row: &super::Row) -> [String; 7] {
        let value = |name: &str| row.get(name).and_then(serde_json::Value::as_f64).unwrap_or(0.0);
        [
            plain(row.get("system")),
            number(value("jobs")),
            number(value("core_hours")),
            number(value("io_core_hours")),
            number(value("recoverable_core_hours")),
            measured(value("bytes_read"), "bytes"),
            measured(value("bytes_written"), "bytes"),
        ]
    }
}

impl Section {
    /// Names of the columns; of worse problems also the size before.
    pub(super) fn names(&self) -> Vec<String> {
        let before = self.before().map(|column| format!("{} before", column.name));
        self.columns.iter().map(|column| column.name.clone()).chain(before).collect()
    }

    /// Cells of the first rows.
    pub(super) fn cells(&self) -> impl Iterator<Item = Vec<String>> {
        self.changes.iter().take(ROWS).map(|change| {
            let columns = self.columns.iter();
            let cells = columns.map(|column| shown(change.row.get(&column.name), column));
            let before = change.before.map(serde_json::Value::from);
            cells.chain(self.before().map(|column| shown(before.as_ref(), column))).collect()
        })
    }

    fn before(&self) -> Option<&crate::AnswerColumn> {
        self.value.as_ref().filter(|_| self.kind == Transition::Worse)
    }
}

/// Text between more backticks than it holds.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{text}\n{fence}")
}
