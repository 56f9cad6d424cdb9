//! One finding: what is wrong, the evidence, what to do, what that would save.

use super::evidence;
use super::prose;
use super::text_writer::{Span, Style, TextWriter, span};
use super::{Detail, TextOptions};
use crate::numbers::{limit_text, ranges, saves};
use crate::printable::printable_page;
use crate::text_table::{shortened, shortened_source, width};
use crate::{Action, Finding, Report, Severity, about_s, printable};

/// Where the text of a finding starts.
pub(super) const INDENT: usize = 4;

/// Where the text beside a label starts.
const COLUMN: usize = 16;

/// Maximum number of files that are listed without --verbose.
const FILES: usize = 3;

/// File systems: advice about them is useful for every program.
const FILE_SYSTEMS: [&str; 7] = ["lustre", "gpfs", "nfs", "daos", "beegfs", "dfuse", "tmpfs"];

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
            Some(format!("saves {saved}"))
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
    let by = explained_at(report, finding);
    heading(writer, finding, number, &finding.title, by);
    writer.blank(INDENT);
    writer.flow(INDENT, INDENT, &sentence(finding));
    if let Some(by) = by {
        let text = format!("This time is already counted in finding {by}: fix finding {by} first.");
        writer.labelled(INDENT, "see", COLUMN, &[span(text, Style::Plain)]);
    }
    let is_worth =
        matches!(finding.severity, Severity::High | Severity::Warn | Severity::Unexplained);
    let matters = is_worth && by.is_none();
    if !is_verbose && !matters {
        if finding.severity != Severity::Ok {
            let text = format!("`diya explain {}`", printable(&finding.id));
            writer.labelled(INDENT, "details", COLUMN, &prose::spans(&text, writer.colour));
        }
        return;
    }
    writer.gap();
    evidence::write(writer, INDENT, COLUMN, finding, is_verbose);
    limits(writer, finding, is_verbose);
    places(writer, finding, is_verbose);
    writer.gap();
    to_do(writer, report, finding, is_verbose);
    gain(writer, finding, is_verbose);
    warnings(writer, finding, is_verbose);
    let text = format!("`diya explain {}`", printable(&finding.id));
    writer.labelled(INDENT, "details", COLUMN, &prose::spans(&text, writer.colour));
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
        Some(by) => format!("counted in finding {by}"),
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
    const LONGEST: usize = 240;
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
    spans.extend(cases(finding).map(|text| span(text, Style::Plain)));
    spans
}

/// The end of a sentence that is about one of several rows of evidence: their number.
pub(crate) fn cases(finding: &Finding) -> Option<String> {
    let is_problem = !matches!(finding.severity, Severity::Unexplained | Severity::Ok);
    let count = u64::try_from(finding.evidence_rows).ok().filter(|n| is_problem && *n > 1)?;
    let count = diya_model::calls_text(count);
    // A finding that is explained by another one has no saving of its own.
    let high_s = finding.lost_high_s.filter(|s| *s > 0.0 && finding.explained_by.is_none());
    Some(match high_s.map(about_s) {
        Some(most) => format!(
            " This is the largest of {count} cases; fixing all of them saves at most {most}."
        ),
        None => format!(" This is one of {count} cases."),
    })
}

/// The numbers that the evidence was compared with.
fn limits(writer: &mut TextWriter, finding: &Finding, is_verbose: bool) {
    // They are of use to who changes them: a limit without its reason says little.
    if !is_verbose {
        return;
    }
    let mut label = "thresholds";
    for (name, limit) in &finding.thresholds {
        let text = format!("{name}, {}: {}", limit_text(limit).unwrap_or_default(), limit.why);
        writer.labelled(INDENT, label, COLUMN, &[span(printable(&text), Style::Faint)]);
        label = "";
    }
}

/// Where and when: files, source lines, ranks, targets, window.
fn places(writer: &mut TextWriter, finding: &Finding, is_verbose: bool) {
    let runs = if is_verbose { usize::MAX } else { 8 };
    let mut parts = Vec::new();
    match finding.ranks.as_slice() {
        [] => {}
        ranks if ranks.len() == finding.processes.len() => {
            let shown =
                finding.processes.iter().take(runs).map(|name| printable(name).into_owned());
            let left = ranks.len().saturating_sub(runs);
            let more = (left > 0).then(|| format!("{left} more"));
            parts.push(shown.chain(more).collect::<Vec<_>>().join(", "));
        }
        [rank] => parts.push(format!("rank {rank}")),
        ranks => parts.push(format!("ranks {}", ranges(ranks, runs))),
    }
    if !finding.targets.is_empty() {
        parts.push(format!("OST {}", ranges(&finding.targets, runs)));
    }
    if let Some((start_s, end_s)) = finding.window_s {
        let text = diya_model::seconds_text;
        parts.push(format!("from {} to {} of the run", text(start_s), text(end_s)));
    }
    if !parts.is_empty() {
        writer.labelled(INDENT, "where", COLUMN, &[span(parts.join("; "), Style::Plain)]);
    }
    let in_table = |file: &&String| {
        let is_it = |value: Option<&crate::Value>| matches!(value, Some(crate::Value::Text(text)) if text == *file);
        let shown = if is_verbose { usize::MAX } else { 5 };
        finding.evidence.iter().take(shown).any(|row| is_it(row.values.get("file")))
    };
    // A table that lists files has their number: a second list would differ from it.
    let is_listed = !is_verbose && finding.files.iter().any(|file| in_table(&file));
    let files = finding.files.iter().filter(|file| !is_listed && !in_table(file));
    let most = if is_verbose { usize::MAX } else { FILES };
    names(writer, "files", &files.collect::<Vec<_>>(), most, shortened);
    names(writer, "source", &finding.source.iter().collect::<Vec<_>>(), 5, shortened_source);
}

/// One name per line, shortened to the width of the line.
fn names(
    writer: &mut TextWriter,
    label: &str,
    names: &[&String],
    most: usize,
    shorten: fn(&str, usize) -> String,
) {
    for (place, name) in names.iter().take(most).enumerate() {
        let room = writer.columns.saturating_sub(COLUMN).max(16);
        writer.label(INDENT, if place == 0 { label } else { "" }, COLUMN);
        writer.put(&shorten(&printable(name), room), Style::Code);
        writer.gap();
    }
    if names.len() > most {
        writer.label(INDENT, "", COLUMN);
        writer.put(&format!("and {} more", names.len() - most), Style::Faint);
        writer.gap();
    }
}

/// What to do: for the stacks that the job uses, the others by name.
fn to_do(writer: &mut TextWriter, report: &Report, finding: &Finding, is_verbose: bool) {
    let stacks = stacks(report, finding);
    let ordered = ordered(finding, &stacks);
    let (shown, left) = if is_verbose { (ordered, Vec::new()) } else { wanted(ordered, &stacks) };
    let mut label = "fix";
    for action in shown {
        let stack = match action.stack.as_str() {
            "any" => String::new(),
            stack => format!("**{stack}:** "),
        };
        prose::write(writer, INDENT, label, COLUMN, &format!("{stack}{}", action.text));
        label = "";
    }
    if !left.is_empty() {
        let mut stacks: Vec<&str> = left.iter().map(|action| action.stack.as_str()).collect();
        // Some have one fix for writes and one for reads.
        stacks.dedup();
        let text = format!("`--verbose` prints the fixes for {}", printable(&stacks.join(", ")));
        writer.labelled(INDENT, label, COLUMN, &[span(text, Style::Faint)]);
    }
}

/// Languages that remedies are written for: what a person changes is a program, or the
/// statements that it gives to SQLite.
const LANGUAGES: [&str; 8] = ["SQLite", "Python", "Fortran", "C++", "C", "R", "Julia", "Java"];

/// The language of the program first, then what the finding itself is about (a log
/// need not name the library whose traces it shows), then what else the job uses.
pub(crate) fn stacks(report: &Report, finding: &Finding) -> Vec<String> {
    let layer = finding.id.split('/').next().unwrap_or_default();
    let about = ["HDF5", "NetCDF", "PnetCDF", "MPI-IO", "Lustre", "GPFS", "DAOS", "Python"];
    let is_layer = |stack: &&&str| stack.replace('-', "").eq_ignore_ascii_case(layer);
    let own = about.iter().filter(is_layer).map(|stack| (*stack).to_owned());
    let is_language = |stack: &&String| LANGUAGES.contains(&stack.as_str());
    let (languages, others): (Vec<&String>, Vec<&String>) =
        report.job.stacks.iter().partition(is_language);
    languages.into_iter().cloned().chain(own).chain(others.into_iter().cloned()).collect()
}

fn is_file_system(stack: &str) -> bool {
    FILE_SYSTEMS.contains(&stack.to_lowercase().as_str())
}

/// Order: the general fix, fixes for detected software, other fixes.
pub(crate) fn ordered<'a>(finding: &'a Finding, stacks: &[String]) -> Vec<&'a Action> {
    let mut ordered: Vec<&Action> = finding.actions.iter().collect();
    ordered.sort_by_key(|action| match action.stack.as_str() {
        "any" => 0,
        stack => match stacks.iter().position(|s| s.eq_ignore_ascii_case(stack)) {
            Some(place) => 1 + place,
            None => usize::MAX,
        },
    });
    ordered
}

/// The fixes that a report shows for its job; others are for software that it does not use.
pub fn fitting_actions<'f>(report: &Report, finding: &'f Finding) -> Vec<&'f Action> {
    let stacks = stacks(report, finding);
    wanted(ordered(finding, &stacks), &stacks).0
}

/// Splits the fixes into those shown and those left for --verbose. Shown: the general
/// fix, fixes for the file systems of the job, and for its highest library. If nothing
/// fits, the first fix is shown.
fn wanted<'a>(ordered: Vec<&'a Action>, stacks: &[String]) -> (Vec<&'a Action>, Vec<&'a Action>) {
    let is_detected = |a: &Action| stacks.iter().any(|s| s.eq_ignore_ascii_case(&a.stack));
    let is_library = |a: &Action| is_detected(a) && !is_file_system(&a.stack);
    let library = ordered.iter().find(|a| is_library(a)).map(|a| a.stack.as_str());
    let fits = |(_, a): (usize, &Action)| {
        let is_system = is_detected(a) && is_file_system(&a.stack);
        a.stack == "any" || library == Some(a.stack.as_str()) || is_system
    };
    let none_fits = !ordered.iter().enumerate().any(|(at, a)| fits((at, *a)));
    let places: Vec<bool> =
        (0..ordered.len()).map(|at| fits((at, ordered[at])) || (none_fits && at == 0)).collect();
    let of = |is: bool| {
        let all = ordered.iter().zip(&places);
        all.filter(move |(_, fits)| **fits == is).map(|(action, _)| *action).collect()
    };
    (of(true), of(false))
}

/// Whether the text on published results says that there are none.
pub(crate) fn is_none(gain: &str) -> bool {
    gain.starts_with("No ") || gain.starts_with("None")
}

/// The estimated saving, and published results.
fn gain(writer: &mut TextWriter, finding: &Finding, is_verbose: bool) {
    let mut spans = Vec::new();
    let saved = saves(finding.saved_s, finding.lost_low_s, finding.lost_high_s);
    let because = finding.zero_because.as_ref().map(|why| format!(". The saving is 0 s if {why}"));
    let text = match saved {
        Some(saved) => format!("Estimated saving: {saved}{}.", because.unwrap_or_default()),
        None => "The saving is unknown.".to_owned(),
    };
    spans.push(span(printable(&text), Style::Strong));
    if !finding.gain.is_empty() {
        let text = printable_page(&finding.gain);
        let text = if is_verbose { text.replace('\n', " ") } else { prose::first_sentence(&text) };
        // "None", "No published figure" need no label.
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
        let text = match is_verbose {
            true => finding.wrong_when.clone(),
            false => prose::first_sentence(&finding.wrong_when),
        };
        prose::write(writer, INDENT, "caveat", COLUMN, &text);
    }
    if !finding.verify.is_empty() {
        prose::write(writer, INDENT, "verify", COLUMN, &finding.verify);
    }
}

/// Number of the finding to fix first: if that one is explained by another one, the other one.
pub(crate) fn explained_at(report: &Report, finding: &Finding) -> Option<usize> {
    let mut at = place_of(report, finding.explained_by.as_ref()?)?;
    // A circle ends after as many steps as there are findings.
    for _ in &report.findings {
        let next = report.findings.get(at - 1).and_then(|of| of.explained_by.as_ref());
        match next.and_then(|next| place_of(report, next)) {
            Some(next) if next != at => at = next,
            _ => break,
        }
    }
    Some(at)
}

/// Number of the finding with this id.
fn place_of(report: &Report, id: &str) -> Option<usize> {
    report.findings.iter().position(|finding| finding.id == id).map(|place| place + 1)
}
