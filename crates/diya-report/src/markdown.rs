//! A report as Markdown: for tickets, merge requests, and notebooks.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write};

use crate::escape::{markdown, markdown_cell_code, markdown_code};
use crate::fitting::fitting_actions;
use crate::numbers::{
    cell, late_place, line_cost_text, lines_sum_text, other_lines_text, ranges, saves, size_text,
    threshold_text,
};
use crate::printable::printable_page;
use crate::terminal::{OF_SENTENCE, cases, is_none, same_time, severity_word, source_word, title};
use crate::{Action, Caller, Finding, Report, Severity, SourceLine, Value};
use diya_model::{part_of_run_s, part_s, percent_text};

/// Rows of evidence in the table of a finding.
const ROWS: usize = 10;

/// Files that are named.
const FILES: usize = 10;

/// Writes a report as Markdown (CommonMark with tables).
///
/// Whatever stands in a log is shown as text; only the pages of checks are
/// taken as the Markdown that they are.
pub fn write_markdown(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let mut page = String::new();
    // Writing to a String does not fail.
    let _ = head(&mut page, report);
    for (place, finding) in report.findings.iter().enumerate() {
        let _ = one(&mut page, report, place + 1, finding);
    }
    let _ = outcome(&mut page, report);
    out.write_all(page.as_bytes())
}

/// So long is a message that is read at once, or that an assistant takes without a second thought.
const BRIEF_WORDS: usize = 400;

/// Writes a report in at most 400 words of Markdown: the verdict, each finding with its line and
/// the first sentence of its fix, and where the rest is.
pub fn write_brief_markdown(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    let mut page = format!("**{}**\n", markdown(&report.verdict.text));
    let log = report.logs.first().map_or("LOG", String::as_str);
    let more = format!("\nAll of it: {}\n", markdown_code(&format!("diya report {log}")));
    let words = |text: &str| text.split_whitespace().count();
    let shown = report.findings.iter().filter(|finding| finding.same_time_as.is_none());
    let mut left = shown.clone().count();
    for (place, finding) in shown.enumerate() {
        let next = brief(place + 1, finding);
        if words(&page) + words(&next) + words(&more) + 3 > BRIEF_WORDS {
            page.push_str(&format!("\nand {left} more\n"));
            break;
        }
        left -= 1;
        page.push_str(&next);
    }
    out.write_all((page + &more).as_bytes())
}

/// A finding as an item of a list.
fn brief(number: usize, finding: &Finding) -> String {
    let word = severity_word(finding.severity);
    let heading = markdown(title(finding));
    let mut text = format!("\n{number}. **{word}: {heading}** (saves {})\n", won(finding));
    let mut add = |line: String| text.push_str(&format!("   {line}\n"));
    add(sentence(finding));
    let line = finding.lines.first().map(|line| line.source.as_str());
    if let Some(source) = line.or(finding.source.first().map(String::as_str)) {
        add(format!("At {}.", markdown_code(source)));
    }
    if let Some(action) = fitting_actions(finding).0.first() {
        // Code below the sentence is in the whole report.
        let fix = printable_page(&action.text);
        let first: Vec<&str> = fix.lines().take_while(|line| !line.is_empty()).collect();
        add(format!("Fix: {}", first.join(" ").trim_end_matches(':')));
    }
    text
}

type Written = Result<(), std::fmt::Error>;

fn head(page: &mut String, report: &Report) -> Written {
    let job = &report.job;
    writeln!(page, "# I/O report\n\n**{}**\n", markdown(&report.verdict.text))?;
    let mut rows: Vec<(&str, String)> = Vec::new();
    rows.extend(job.command.as_ref().map(|command| ("program", markdown_cell_code(command))));
    rows.extend(job.id.map(|id| ("job", id.to_string())));
    rows.extend(job.nprocs.map(|n| ("processes", format!("{n}{}", markdown(&job.programs())))));
    rows.extend(job.nodes.map(|n| ("nodes", n.to_string())));
    rows.extend(job.start.as_ref().map(|start| ("start", markdown(start))));
    rows.extend(job.run_s.map(|s| ("run time", part_s(s, s))));
    if !job.stacks.is_empty() {
        rows.push(("software", markdown(&job.stacks.join(", "))));
    }
    rows.extend(job.applied.iter().map(|setting| ("applied", markdown_cell_code(setting))));
    rows.extend(job.applied_effects.iter().map(|effect| ("effect", markdown(effect))));
    rows.extend(job.notes.iter().map(|note| ("note", markdown(note))));
    for log in &report.logs {
        rows.push(("log", markdown_cell_code(log)));
    }
    rows.push(("time accuracy", format!("{:?}", report.verdict.confidence).to_lowercase()));
    rows.extend(report.recording.as_ref().map(|text| ("recording", markdown(text))));
    rows.extend(report.verdict.not_captured.iter().map(|text| ("incomplete", markdown(text))));
    writeln!(page, "| | |\n|---|---|")?;
    for (name, value) in rows {
        writeln!(page, "| {name} | {value} |")?;
    }
    time_account(page, report)?;
    if report.findings.is_empty() {
        return Ok(());
    }
    writeln!(page, "\n| | severity | finding | estimated saving |\n|--:|---|---|---|")?;
    for (place, finding) in report.findings.iter().enumerate() {
        let (word, title) = (severity_word(finding.severity), markdown(title(finding)));
        writeln!(page, "| {} | {word} | {title} | {} |", place + 1, won(finding))?;
    }
    Ok(())
}

/// Where the run time went.
fn time_account(page: &mut String, report: &Report) -> Written {
    if report.time_account.is_empty() {
        return Ok(());
    }
    writeln!(page, "\n| layer | class | call | time | share | calls |\n|---|---|---|--:|--:|--:|")?;
    let sum_s: f64 = report.time_account.iter().map(|row| row.time_s).sum();
    for row in report.time_account.iter().filter(|row| row.time_s >= 0.001 * sum_s) {
        let call = row.function.as_ref().or(row.op.as_ref()).map_or("", String::as_str);
        let calls = row.calls.map(|n| diya_model::calls_text(n.max(0).unsigned_abs()));
        let share = percent_text(row.time_s / sum_s.max(f64::MIN_POSITIVE));
        let (layer, class) = (markdown(&row.layer), markdown(&row.class));
        let (time, calls) = (part_s(row.time_s, sum_s), calls.unwrap_or_default());
        writeln!(page, "| {layer} | {class} | {} | {time} | {share} | {calls} |", markdown(call))?;
    }
    match &report.together {
        Some(together) => writeln!(page, "\n{}", markdown(together)),
        None => Ok(()),
    }
}

fn won(finding: &Finding) -> String {
    let by = finding.same_time_as;
    let saved = saves(finding.saved_s, finding.lost_low_s, finding.lost_high_s);
    let because = finding.zero_because.as_ref().map(|why| format!("; 0 s if {why}"));
    match (by, saved) {
        _ if finding.severity == Severity::Ok => "-".to_owned(),
        (Some(by), _) => format!("same time as {by}"),
        (None, None) => "unknown".to_owned(),
        (None, Some(saved)) => format!("{saved}{}", markdown(&because.unwrap_or_default())),
    }
}

fn one(page: &mut String, report: &Report, number: usize, finding: &Finding) -> Written {
    let word = severity_word(finding.severity);
    writeln!(page, "\n## {number}. {word}: {}\n", markdown(title(finding)))?;
    writeln!(page, "{}{}", sentence(finding), cases(finding).unwrap_or_default())?;
    for file in &finding.main_files {
        writeln!(page, "\n{}{}", markdown_code(&file.path), size_text(file))?;
    }
    if let Some(by) = finding.same_time_as {
        writeln!(page, "\n{}", same_time(finding, by))?;
        writeln!(page, "\n<details><summary>Also seen: evidence and fix</summary>")?;
        rest(page, report, finding)?;
        return writeln!(page, "\n</details>");
    }
    rest(page, report, finding)
}

/// Evidence, fix, and what belongs to them.
fn rest(page: &mut String, report: &Report, finding: &Finding) -> Written {
    evidence(page, finding, report.verdict.run_s)?;
    places(page, report, finding)?;
    if !finding.actions.is_empty() {
        writeln!(page, "\n**Fix**")?;
        let (fitting, others) = fitting_actions(finding);
        fitting.iter().try_for_each(|action| fix(page, action))?;
        if !others.is_empty() {
            // A page of tickets folds it, and a reader of plain text passes over it.
            writeln!(page, "\n<details><summary>Other languages and cases</summary>")?;
            others.iter().try_for_each(|action| fix(page, action))?;
            writeln!(page, "\n</details>")?;
        }
    }
    let wins = won(finding);
    let gain = printable_page(&finding.gain);
    // "None" needs no label.
    let label = if gain.is_empty() || is_none(&gain) { "" } else { " Published results:" };
    if !gain.is_empty() || finding.severity != Severity::Ok {
        let gain = if gain.is_empty() { String::new() } else { format!(" {gain}") };
        writeln!(page, "\n**Estimated saving:** {wins}.{label}{gain}")?;
    }
    if !finding.contraindications.is_empty() {
        writeln!(page, "\n**Risks of the fix**\n")?;
        for text in &finding.contraindications {
            writeln!(page, "- {}", printable_page(text))?;
        }
    }
    if !finding.wrong_when.is_empty() {
        writeln!(page, "\n**When the finding is wrong:** {}", printable_page(&finding.wrong_when))?;
    }
    if !finding.verify.is_empty() {
        writeln!(page, "\n**How to verify:** {}", printable_page(&finding.verify))?;
    }
    writeln!(page, "\n**Details:** {}", markdown_code(&format!("diya explain {}", finding.id)))
}

/// What to do, under the software and direction that it is for.
fn fix(page: &mut String, action: &Action) -> Written {
    let text = printable_page(&action.text);
    match action.heading() {
        None => writeln!(page, "\n{text}"),
        Some(heading) => writeln!(page, "\n*{}*\n\n{text}", markdown(&heading)),
    }
}

/// The sentence; names of files are code, so that nothing in them counts.
fn sentence(finding: &Finding) -> String {
    let mut text = String::new();
    let mut rest = finding.text.as_str();
    loop {
        let files = finding.files.iter().filter(|file| !file.is_empty());
        let next = files.filter_map(|file| rest.find(file.as_str()).map(|at| (at, file.as_str())));
        let Some((at, file)) = next.min_by_key(|(at, file)| (*at, usize::MAX - file.len())) else {
            break;
        };
        text.push_str(&markdown(&rest[..at]));
        text.push_str(&markdown_code(file));
        rest = &rest[at + file.len()..];
    }
    text.push_str(&markdown(rest));
    text
}

fn evidence(page: &mut String, finding: &Finding, run_s: Option<f64>) -> Written {
    let rows = &finding.evidence[..finding.evidence.len().min(ROWS)];
    let mut names: Vec<&str> = Vec::new();
    for name in rows.iter().flat_map(|row| row.values.keys()).map(String::as_str) {
        let is_told =
            rows.iter().any(|row| !matches!(row.values.get(name), None | Some(Value::Null)));
        let is_shown =
            !name.ends_with("_id") && !name.starts_with("lost_") && !OF_SENTENCE.contains(&name);
        if is_told && is_shown && !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return Ok(());
    }
    let heads: Vec<String> = names.iter().map(|name| markdown(name)).collect();
    writeln!(page, "\n| {} |", heads.join(" | "))?;
    writeln!(page, "|{}", "---|".repeat(names.len()))?;
    for row in rows {
        let cells = names.iter().map(|name| match row.values.get(*name) {
            Some(Value::Text(text)) => markdown_cell_code(text),
            Some(value) => markdown(&cell(name, value, run_s).unwrap_or_default()),
            None => String::new(),
        });
        writeln!(page, "| {} |", cells.collect::<Vec<_>>().join(" | "))?;
    }
    let left = finding.evidence_rows.saturating_sub(rows.len());
    if left > 0 {
        writeln!(page, "\nand {left} more")?;
    }
    Ok(())
}

fn places(page: &mut String, report: &Report, finding: &Finding) -> Written {
    let run_s = report.verdict.run_s;
    let mut rows: Vec<String> = Vec::new();
    rows.extend(finding.thresholds.iter().filter_map(|(name, limit)| {
        let text = threshold_text(name, limit)?;
        Some(format!("threshold {}", markdown(&text)))
    }));
    if !finding.processes.is_empty() {
        let names = finding.processes.iter().take(20).map(|name| markdown(name));
        rows.push(names.collect::<Vec<_>>().join(", "));
    } else if !finding.ranks.is_empty() {
        rows.push(format!("ranks {}", ranges(&finding.ranks, 20)));
    }
    if !finding.targets.is_empty() {
        rows.push(format!("OST {}", ranges(&finding.targets, 20)));
    }
    if let Some((start_s, end_s)) = finding.window_s {
        let text = diya_model::seconds_text;
        rows.push(format!("from {} to {} of the run", text(start_s), text(end_s)));
    }
    let is_main = |file: &&String| finding.main_files.iter().any(|main| main.path == **file);
    let files = finding.files.iter().filter(|file| !is_main(file)).take(FILES);
    rows.extend(files.map(|file| markdown_code(file)));
    if finding.files.len() > FILES {
        rows.push(format!("and {} more files", finding.files.len() - FILES));
    }
    let at = match source_word(finding) {
        "source" => String::new(),
        word => format!("{word} "),
    };
    match finding.lines.as_slice() {
        [] => rows
            .extend(finding.source.iter().map(|source| format!("{at}{}", markdown_code(source)))),
        lines => {
            let line = |line| format!("{at}{}", source_line(line, run_s));
            rows.extend(lines.iter().map(line));
        }
    }
    rows.extend(finding.other_lines.as_ref().map(|rest| other_lines_text(rest, run_s)));
    rows.extend(lines_sum_text(report, finding));
    rows.extend(finding.changes.iter().map(|line| format!("to change: {}", markdown_code(line))));
    for (late, part) in
        finding.late.iter().flat_map(|late| late.parts.iter().map(move |p| (late, p)))
    {
        let (time, others) =
            (part_of_run_s(part.time_s, run_s), part_of_run_s(part.others_s, run_s));
        let place = markdown(&late_place(part));
        rows.push(format!("{} spends {time} (others {others}) {place}", markdown(&late.name)));
    }
    if !rows.is_empty() {
        writeln!(page)?;
    }
    rows.iter().try_for_each(|row| writeln!(page, "- {row}"))
}

/// A line of the program with its cost, and with its callers.
fn source_line(line: &SourceLine, run_s: Option<f64>) -> String {
    let cost = format!(": {}", line_cost_text(line, run_s));
    let caller = |caller: &Caller| match line.callers.len() {
        1 => markdown_code(&caller.source),
        _ => format!("{} ({})", markdown_code(&caller.source), percent_text(caller.share)),
    };
    let callers: Vec<String> = line.callers.iter().map(caller).collect();
    let from = if callers.is_empty() { "" } else { ", called from " };
    format!("{}{cost}{from}{}", markdown_code(&line.source), callers.join(", "))
}

fn outcome(page: &mut String, report: &Report) -> Written {
    writeln!(page, "\n## Other checks\n")?;
    if report.findings.is_empty() {
        writeln!(page, "No findings.\n")?;
    }
    let ids = |names: &[crate::CheckName]| {
        names.iter().map(|name| markdown_code(&name.id)).collect::<Vec<_>>().join(", ")
    };
    for (word, names) in [("passed", &report.passed), ("not applicable", &report.not_applicable)] {
        if !names.is_empty() {
            writeln!(page, "- {word} ({}): {}", names.len(), ids(names))?;
        }
    }
    let topics: BTreeSet<&str> = report.unknown.iter().filter_map(|u| u.topic.as_deref()).collect();
    if !topics.is_empty() {
        let topics = markdown(&topics.into_iter().collect::<Vec<_>>().join(", "));
        writeln!(page, "- unknown: this kind of log has no data on {topics}")?;
    }
    if let Some(better) = &report.better_recording {
        writeln!(page, "- {}", markdown(better))?;
    }
    let mut reasons: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for unknown in report.unknown.iter().filter(|unknown| unknown.topic.is_none()) {
        reasons.entry(&unknown.reason).or_default().push(markdown_code(&unknown.id));
    }
    for (reason, ids) in reasons {
        writeln!(page, "- unknown ({}): {}: {}", ids.len(), ids.join(", "), markdown(reason))?;
    }
    for problem in &report.problems {
        let (what, reason) = (markdown_code(&problem.what), markdown(&problem.reason));
        writeln!(page, "- skipped: {what}: {reason}")?;
    }
    let record = report.track_record.as_deref().unwrap_or_default();
    let record = if record.is_empty() { String::new() } else { format!(" {}", markdown(record)) };
    writeln!(page, "\nMade by {}.{record}", markdown(&report.program))
}
