//! One finding: what is wrong, the evidence, what to do, what that would save.

use super::evidence;
use super::fixes::to_do;
use super::places;
use super::prose;
use super::text_writer::{COLUMN, INDENT, Span, Style, TextWriter, span};
use super::{Detail, TextOptions};
use crate::numbers::{saves, threshold_text};
use crate::printable::printable_page;
use crate::text_table::{shortened, width};
use crate::{Evidence, Finding, Report, Severity, Value, printable};

/// Instead of an estimated saving of 0 s.
const NO_SAVING: &str = "no saving expected";

/// The word in the report for a severity.
pub(crate) fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::High => "HIGH",
        Severity::Warn => "WARN",
        Severity::Unexplained => "?",
        Severity::Info => "INFO",
        Severity::Ok => "OK",
    }
}

pub(super) fn style(severity: Severity) -> Style {
    match severity {
        Severity::High => Style::High,
        Severity::Warn => Style::Warn,
        Severity::Unexplained => Style::Strong,
        Severity::Info => Style::Info,
        Severity::Ok => Style::Good,
    }
}

/// What a fix saves: `saves about 3.2 s (2.4 to 4.1)`.
pub(crate) fn won(finding: &Finding) -> Option<String> {
    match finding.severity {
        Severity::Ok => None,
        // The same time counts with the finding that explains this one.
        _ if finding.explained_by.is_some() => None,
        Severity::Unexplained => Some("cause unknown".to_owned()),
        _ => {
            let saved = saves(finding.saved_s, finding.lost_low_s, finding.lost_high_s)?;
            Some(if saved == "nothing" { NO_SAVING.to_owned() } else { format!("saves {saved}") })
        }
    }
}

/// Writes a finding with its number in the report.
pub(super) fn write(
    writer: &mut TextWriter,
    report: &Report,
    number: usize,
    options: &TextOptions,
) {
    let Some(finding) = report.findings.get(number - 1) else { return };
    let is_verbose = options.detail == Detail::Verbose;
    let by = finding.same_time_as;
    heading(writer, finding, number, title(finding), by);
    if !is_verbose && finding.is_minor {
        also_seen(writer, report, number);
        return;
    }
    // The heading has the first sentence about time without a cause.
    let is_unexplained = finding.severity == Severity::Unexplained;
    if let Some((_, rest)) = finding.text.split_once(". ").filter(|_| is_unexplained) {
        writer.blank(INDENT);
        writer.flow(INDENT, INDENT, &[span(printable(rest), Style::Plain)]);
    } else if !is_unexplained {
        writer.blank(INDENT);
        writer.flow(INDENT, INDENT, &sentence(finding));
    }
    places::main_files(writer, finding);
    if let Some(by) = by {
        let cause = report.findings.get(by - 1);
        let text = match cause.is_some_and(|cause| cause.lost_high_s == Some(0.0)) {
            true => format!("Finding {by} is about the same calls."),
            false => same_time(finding, by),
        };
        writer.labelled(INDENT, "see", COLUMN, &[span(text, Style::Plain)]);
    }
    let is_worth =
        matches!(finding.severity, Severity::High | Severity::Warn | Severity::Unexplained);
    let matters = is_worth && by.is_none();
    if !is_verbose && !matters {
        also_seen(writer, report, number);
        if finding.severity != Severity::Ok {
            let text = format!("`diya explain {}`", printable(&finding.id));
            writer.labelled(INDENT, "details", COLUMN, &prose::spans(&text, writer.colour));
        }
        return;
    }
    writer.gap();
    let run_s = report.verdict.run_s;
    evidence::write(writer, (INDENT, COLUMN), finding, is_verbose, run_s);
    limits(writer, finding, is_verbose);
    places::write(writer, report, finding, is_verbose);
    writer.gap();
    to_do(writer, finding, is_verbose);
    // Without a cause there is no fix that could save, harm or be verified.
    if is_verbose || !is_unexplained {
        gain(writer, finding);
        warnings(writer, finding, is_verbose);
    }
    if !is_verbose {
        also_seen(writer, report, number);
    }
    let text = format!("`diya explain {}`", printable(&finding.id));
    writer.labelled(INDENT, "details", COLUMN, &prose::spans(&text, writer.colour));
}

/// Which of two findings about the same time to mend first.
pub(crate) fn same_time(finding: &Finding, by: usize) -> String {
    let first = match finding.saves_more {
        true => String::new(),
        false => format!(": fix finding {by} first"),
    };
    format!("Finding {by} counts the same time{first}.")
}

/// Other findings about the same time, a line each.
fn also_seen(writer: &mut TextWriter, report: &Report, number: usize) {
    let mut label = "also seen";
    for (at, other) in report.findings.iter().enumerate() {
        if other.same_time_as == Some(number) {
            let mut spans = vec![span(format!("{}: ", at + 1), Style::Plain)];
            // Without the number of rows of evidence: it is not shown here.
            spans.extend(words(other));
            writer.labelled(INDENT, label, COLUMN, &spans);
            label = "";
        }
    }
}

/// The title in the list and above the finding: without a cause, the place of the time.
pub(crate) fn title(finding: &Finding) -> &str {
    finding.heading.as_deref().unwrap_or(&finding.title)
}

/// Number, severity, title, and at the right edge the estimated saving, or the finding that
/// counts the same time (`by`).
pub(super) fn heading(
    writer: &mut TextWriter,
    finding: &Finding,
    number: usize,
    title: &str,
    by: Option<usize>,
) {
    let number = format!("{number:>2}  ");
    let word = severity_word(finding.severity);
    let title = printable(title);
    let won = match by {
        Some(by) => format!("same time as finding {by}"),
        None => won(finding).unwrap_or_default(),
    };
    let before = width(&number) + width(word) + 2;
    writer.put(&number, Style::Strong);
    let style = if finding.explained_by.is_some() { Style::Faint } else { style(finding.severity) };
    writer.put(word, style);
    writer.blank(2);
    let fits = before + width(&title) + 2 + width(&won) <= writer.columns;
    if fits && !won.is_empty() {
        writer.put(&title, Style::Strong);
        writer.blank(writer.columns - before - width(&title) - width(&won));
        writer.put(&won, style);
        writer.gap();
        return;
    }
    writer.flow(before, before, &[span(title, Style::Strong)]);
    if !won.is_empty() {
        writer.blank(before);
        writer.put(&won, style);
        writer.gap();
    }
}

/// The sentence, with the names of its files set off. A hostile name may be
/// thousands of characters long.
fn sentence(finding: &Finding) -> Vec<Span> {
    let mut spans = words(finding);
    spans.extend(cases(finding).map(|text| span(text, Style::Plain)));
    spans
}

/// The sentence without the number of rows.
fn words(finding: &Finding) -> Vec<Span> {
    const LONGEST: usize = 80;
    let mut spans = Vec::new();
    let mut rest = finding.text.as_str();
    loop {
        let next = finding.files.iter().filter(|file| !file.is_empty());
        let next = next.filter_map(|file| rest.find(file.as_str()).map(|at| (at, file.as_str())));
        let Some((at, file)) = next.min_by_key(|(at, file)| (*at, usize::MAX - file.len())) else {
            break;
        };
        spans.push(span(printable(&rest[..at]), Style::Plain));
        spans.push(span(shortened(&printable(file), LONGEST), Style::Code));
        rest = &rest[at + file.len()..];
    }
    spans.push(span(printable(rest), Style::Plain));
    spans
}

/// Whether all rows of evidence are the same but for the kind of time and the seconds.
fn is_one_thing(finding: &Finding) -> bool {
    const OF_A_PART: [&str; 4] = ["class", "lost_low_s", "lost_high_s", "saved_s"];
    let thing = |evidence: &Evidence| -> Vec<(String, Value)> {
        let values = evidence.values.iter();
        let values = values.filter(|(name, _)| !OF_A_PART.contains(&name.as_str()));
        values.map(|(name, value)| (name.clone(), value.clone())).collect()
    };
    let are_all_shown = finding.evidence.len() == finding.evidence_rows;
    are_all_shown && finding.evidence.windows(2).all(|two| thing(&two[0]) == thing(&two[1]))
}

/// The end of a sentence that is about the first of several rows of evidence: their number.
pub(crate) fn cases(finding: &Finding) -> Option<String> {
    let is_problem = !matches!(finding.severity, Severity::Unexplained | Severity::Ok);
    let count = u64::try_from(finding.evidence_rows).ok().filter(|n| is_problem && *n > 1)?;
    // One thing in several rows, one for each kind of time that it costs: the heading has the sum.
    if is_one_thing(finding) {
        return None;
    }
    // The heading has the saving of all rows, the sentence the numbers of one.
    let is_summed = finding.saved_s.is_some_and(|s| s > 0.0) && finding.explained_by.is_none();
    let sum = if is_summed { "; the estimated saving is for all of them" } else { "" };
    Some(format!(" The evidence has {} rows like this{sum}.", diya_model::calls_text(count)))
}

/// The numbers that the evidence was compared with.
fn limits(writer: &mut TextWriter, finding: &Finding, is_verbose: bool) {
    // They are of use to who changes them: a limit without its reason says little.
    if !is_verbose {
        return;
    }
    let mut label = "thresholds";
    for (name, limit) in &finding.thresholds {
        let text = threshold_text(name, limit).unwrap_or_default();
        writer.labelled(INDENT, label, COLUMN, &[span(printable(&text), Style::Faint)]);
        label = "";
    }
}

/// Whether the text on published results says that there are none.
pub(crate) fn is_none(gain: &str) -> bool {
    gain.starts_with("No ") || gain.starts_with("None")
}

/// The estimated saving, and published results.
fn gain(writer: &mut TextWriter, finding: &Finding) {
    let mut spans = Vec::new();
    let saved = saves(finding.saved_s, finding.lost_low_s, finding.lost_high_s);
    let because = finding.zero_because.as_ref().map(|why| format!(". The saving is 0 s if {why}"));
    let text = match saved {
        Some(saved) if saved == "nothing" => "diya estimates no saving.".to_owned(),
        Some(saved) => format!("Estimated saving: {saved}{}.", because.unwrap_or_default()),
        None => "The saving is unknown.".to_owned(),
    };
    spans.push(span(printable(&text), Style::Strong));
    if !finding.gain.is_empty() {
        // Whole: a first sentence alone may lack what it is compared with.
        let text = printable_page(&finding.gain).replace('\n', " ");
        // "None", "No published figure for ..." need no label.
        let label = if is_none(&text) { " " } else { " Published results: " };
        spans.push(span(label, Style::Faint));
        spans.extend(prose::spans(&text, writer.colour));
    }
    writer.labelled(INDENT, "saving", COLUMN, &spans);
}

/// When the fix does harm, when the finding is wrong, how to verify the fix.
fn warnings(writer: &mut TextWriter, finding: &Finding, is_verbose: bool) {
    let mut label = "risk";
    let most = if is_verbose { usize::MAX } else { 1 };
    for text in finding.contraindications.iter().take(most) {
        prose::write(writer, INDENT, label, COLUMN, text);
        label = "";
    }
    if !finding.wrong_when.is_empty() {
        prose::write(writer, INDENT, "caveat", COLUMN, &finding.wrong_when);
    }
    if !finding.verify.is_empty() {
        prose::write(writer, INDENT, "verify", COLUMN, &finding.verify);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_saves_more_is_not_told_to_wait() {
        let mut finding = Finding::default();
        let first = "Finding 1 counts the same time: fix finding 1 first.";
        assert_eq!(same_time(&finding, 1), first);
        finding.saves_more = true;
        let this = "Finding 1 counts the same time.";
        assert_eq!(same_time(&finding, 1), this);
    }
}
