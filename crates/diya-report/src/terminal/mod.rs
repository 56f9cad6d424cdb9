//! A report for a terminal, a pager, or a file that `cat` prints.
//!
//! The verdict comes first, then the findings with their fixes and evidence. Nothing
//! moves the cursor, and no text of a log reaches the terminal unescaped.

mod code_lines;
mod comparison;
mod evidence;
mod finding;
mod fixes;
mod outcome;
mod places;
mod prose;
mod text_writer;
mod titled_table;

pub use comparison::write_comparison_text;
pub(crate) use comparison::{letter, shown, signed, spread, words};
pub(crate) use evidence::OF_SENTENCE;
pub(crate) use finding::{cases, is_none, same_time, severity_word, title};
pub(crate) use places::source_word;
pub(crate) use text_writer::{Style, TextWriter, span};

use std::io::{self, Write};

use diya_model::part_s;

use crate::{Confidence, Finding, Report, Severity, counted, printable};

/// Maximum width of prose: longer lines are hard to read.
const LONGEST_LINE: usize = 100;

/// Minimum width: with less, words do not fit beside the labels.
const SHORTEST_LINE: usize = 40;

/// Findings about the time of another one that are named in its line, if there are more than one above.
const SAME_NAMED: usize = 3;

/// Maximum number of logs that are listed.
const LOGS: usize = 3;

/// How much is shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Detail {
    /// The verdict, and the first finding.
    First,
    /// The verdict, and the list of findings.
    Brief,
    /// Evidence and fix of each finding above INFO.
    #[default]
    Normal,
    /// All rows of evidence, fixes for all software, reasons of all thresholds.
    Verbose,
}

impl Detail {
    /// Without what ran, and without the findings one by one.
    fn is_short(self) -> bool {
        matches!(self, Self::First | Self::Brief)
    }
}

/// How a text is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextOptions {
    /// Columns of the terminal.
    pub columns: usize,
    /// Whether to use colours: what `NO_COLOR` and the terminal allow.
    pub colour: bool,
    /// How much is shown.
    pub detail: Detail,
}

impl Default for TextOptions {
    /// What fits everywhere: 80 columns without colours.
    fn default() -> Self {
        Self { columns: 80, colour: false, detail: Detail::Normal }
    }
}

impl TextOptions {
    pub(crate) fn writer(&self) -> TextWriter {
        TextWriter::new(self.columns.clamp(SHORTEST_LINE, LONGEST_LINE), self.colour)
    }
}

/// Writes a report as text.
///
/// ```
/// use diya_report::{Report, TextOptions, Verdict, write_text};
/// let verdict = Verdict { text: "No I/O was recorded.".into(), ..Verdict::default() };
/// let mut text = Vec::new();
/// write_text(&mut text, &Report { verdict, ..Report::default() }, &TextOptions::default())?;
/// assert!(text.starts_with(b"No I/O was recorded.\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_text(out: &mut dyn Write, report: &Report, options: &TextOptions) -> io::Result<()> {
    let mut writer = options.writer();
    let style = report.findings.first().map_or(Style::Strong, |worst| match worst.severity {
        Severity::High | Severity::Warn | Severity::Unexplained => Style::Strong,
        _ => Style::Good,
    });
    writer.flow(0, 0, &[span(printable(&report.verdict.text), style)]);
    overview(&mut writer, report, options.detail);
    if !options.detail.is_short() {
        head(&mut writer, report);
        let is_verbose = options.detail == Detail::Verbose;
        // What counts the time of another finding stands in a line of that one.
        let is_shown = |of: &Finding| is_verbose || of.same_time_as.is_none();
        for (at, _) in report.findings.iter().enumerate().filter(|(_, of)| is_shown(of)) {
            writer.gap();
            finding::write(&mut writer, report, at + 1, options);
        }
        outcome::write(&mut writer, report, is_verbose);
    }
    out.write_all(writer.out.as_bytes())
}

/// Writes a page of Markdown as text for a terminal.
///
/// ```
/// use diya_report::{TextOptions, write_markdown_text};
/// let mut text = Vec::new();
/// write_markdown_text(&mut text, "# Title\n\nSome **words**.", &TextOptions::default())?;
/// assert_eq!(text, b"Title\n\nSome words.\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_markdown_text(
    out: &mut dyn Write,
    markdown: &str,
    options: &TextOptions,
) -> io::Result<()> {
    let mut writer = options.writer();
    prose::write_page(&mut writer, markdown);
    out.write_all(writer.out.as_bytes())
}

/// The first screen: all findings, two lines for each that matters, those about the time of another
/// one in its line, and what all save together. A single finding follows at once: it needs no list.
fn overview(writer: &mut TextWriter, report: &Report, detail: Detail) {
    let matters = |f: &Finding| {
        f.explained_by.is_none()
            && matches!(f.severity, Severity::High | Severity::Warn | Severity::Unexplained)
    };
    // In short, what matters is all.
    let is_listed = |f: &Finding| !detail.is_short() || matters(f);
    let mut all: Vec<&Finding> = report.findings.iter().filter(|f| is_listed(f)).collect();
    if all.is_empty() || (all.len() == 1 && !detail.is_short()) {
        return;
    }
    let is_first = detail == Detail::First;
    if is_first {
        all.truncate(1);
    } else {
        writer.gap();
    }
    let number_of =
        |id: &str| report.findings.iter().position(|f| f.id == id).map_or(0, |at| at + 1);
    let by = |finding: &Finding| {
        let by = finding.same_time_as?;
        all.iter().any(|f| number_of(&f.id) == by).then_some(by)
    };
    for finding in all.iter().filter(|finding| by(finding).is_none()) {
        let number = number_of(&finding.id);
        finding::heading(writer, finding, number, finding::title(finding), None);
        if let Some(source) = finding.source.first().filter(|_| matters(finding)) {
            let room = writer.columns.saturating_sub(text_writer::INDENT);
            writer.blank(text_writer::INDENT);
            writer.put(&crate::text_table::shortened_source(&printable(source), room), Style::Code);
            writer.gap();
        }
        let same = all.iter().filter(|other| by(other) == Some(number));
        let mut also: Vec<String> = same
            .map(|other| format!("{} ({})", finding::title(other), number_of(&other.id)))
            .collect();
        if also.len() > SAME_NAMED + 1 {
            let more = format!("{} more", also.len() - SAME_NAMED);
            also.truncate(SAME_NAMED);
            also.push(more);
        }
        if !also.is_empty() {
            let text = format!("also seen as: {}", also.join("; "));
            writer.blank(text_writer::INDENT);
            let spans = [span(printable(&text).into_owned(), Style::Faint)];
            writer.flow(text_writer::INDENT, text_writer::INDENT, &spans);
        }
    }
    if let Some(together) = report.together.as_ref().filter(|_| !is_first) {
        writer.flow(0, 0, &[span(printable(together), Style::Plain)]);
    }
}

/// What ran, and how complete the log is.
fn head(writer: &mut TextWriter, report: &Report) {
    const COLUMN: usize = 16;
    let job = &report.job;
    writer.gap();
    let line = |writer: &mut TextWriter, label: &str, text: String| {
        writer.labelled(2, label, COLUMN, &[span(text, Style::Plain)]);
    };
    if let Some(command) = &job.command {
        let command = crate::shortened(&printable(command), 2 * (writer.columns - COLUMN));
        line(writer, "program", command);
    }
    let mut parts = Vec::new();
    parts.extend(job.id.map(|id| format!("id {id}")));
    let nodes = job.nodes.map(|n| format!(" on {}", counted(n, "node", "nodes")));
    let processes = job.nprocs.map(|n| counted(n, "process", "processes"));
    let programs = job.programs();
    parts.extend(processes.map(|text| format!("{text}{programs}{}", nodes.unwrap_or_default())));
    parts.extend(job.start.as_ref().map(|start| moment(&printable(start))));
    parts.extend(job.run_s.map(|s| format!("run time {}", part_s(s, s))));
    if !parts.is_empty() {
        line(writer, "job", parts.join(", "));
    }
    if !job.stacks.is_empty() {
        line(writer, "software", printable(&job.stacks.join(", ")).into_owned());
    }
    for (place, setting) in job.applied.iter().enumerate() {
        let label = if place == 0 { "applied" } else { "" };
        line(writer, label, printable(setting).into_owned());
    }
    for (place, effect) in job.applied_effects.iter().enumerate() {
        line(writer, if place == 0 { "effect" } else { "" }, printable(effect).into_owned());
    }
    for (place, note) in job.notes.iter().enumerate() {
        line(writer, if place == 0 { "note" } else { "" }, printable(note).into_owned());
    }
    for (place, log) in report.logs.iter().take(LOGS).enumerate() {
        let log = crate::shortened(&printable(log), writer.columns - COLUMN);
        line(writer, if place == 0 { "log" } else { "" }, log);
    }
    if report.logs.len() > LOGS {
        line(writer, "", format!("and {} more", report.logs.len() - LOGS));
    }
    let recorder_s = report.verdict.recorder_s.unwrap_or(0.0);
    let is_slowed = report.verdict.run_s.is_some_and(|run_s| recorder_s > MUCH_RECORDING * run_s);
    let accuracy = match report.verdict.confidence {
        Confidence::High if is_slowed => {
            "medium (times of single calls are recorded, and recording makes them longer)"
        }
        Confidence::High => "high (times of single calls are recorded)",
        Confidence::Medium => "medium (only counters are recorded)",
        Confidence::Low => "low (parts of the log are missing or estimated)",
    };
    line(writer, "time accuracy", accuracy.to_owned());
    if let Some(text) = &report.recording {
        line(writer, "recording", printable(text).into_owned());
    }
    for (place, text) in report.verdict.not_captured.iter().enumerate() {
        line(writer, if place == 0 { "incomplete" } else { "" }, printable(text).into_owned());
    }
}

/// Share of the run from which the times of calls are not those of a run without recording.
const MUCH_RECORDING: f64 = 0.2;

/// `2021-11-04T10:11:12Z` as people read it.
fn moment(start: &str) -> String {
    match start.strip_suffix('Z').and_then(|start| start.split_once('T')) {
        Some((day, time)) => format!("{day} {time} UTC"),
        None => start.to_owned(),
    }
}
