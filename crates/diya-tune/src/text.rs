//! The plan for a terminal.

use crate::plan::{Chosen, Plan};
use diya::report::{printable, saves};
use std::io::{self, Write};

/// Writes the plan; `folder` is where the files are, if any were written.
pub fn write_text(
    out: &mut dyn Write,
    plan: &Plan,
    folder: Option<&str>,
    columns: usize,
) -> io::Result<()> {
    let findings: std::collections::BTreeSet<&str> =
        plan.settings.iter().map(|setting| setting.reason.as_str()).collect();
    match (plan.settings.len(), plan.without.len()) {
        (0, 0) => writeln!(out, "No setting: diya found nothing to fix in this log.")?,
        (0, _) => writeln!(out, "No setting: none is a fix of the findings of this log.")?,
        (settings, _) => {
            let of = |count: usize, one: &str, many: &str| match count {
                1 => format!("1 {one}"),
                count => format!("{count} {many}"),
            };
            writeln!(
                out,
                "{} for {}.",
                of(settings, "setting", "settings"),
                of(findings.len(), "finding", "findings")
            )?;
        }
    }
    for file in &plan.files {
        match folder {
            Some(folder) => writeln!(out, "\n{}/{}", printable(folder), file.name)?,
            None => writeln!(out, "\n{}", file.name)?,
        }
        part(out, "use", &file.usage, columns)?;
        let settings: Vec<&Chosen> =
            plan.settings.iter().filter(|setting| setting.file == file.name).collect();
        for same in settings.chunk_by(|a, b| a.id == b.id) {
            one(out, same, columns)?;
        }
    }
    if !plan.without.is_empty() {
        writeln!(out, "\nWithout a setting")?;
        for without in &plan.without {
            let title = format!("{} ({})", without.finding, without.check);
            for (at, line) in wrapped(&title, columns.saturating_sub(TITLE)).iter().enumerate() {
                writeln!(out, "{:1$}{line}", "", if at == 0 { 2 } else { TITLE })?;
            }
            part(out, "", &without.why, columns)?;
        }
    }
    Ok(())
}

/// Columns before the further lines of a title.
const TITLE: usize = 4;

/// Maximum number of paths that are listed.
const PATHS: usize = 3;

/// Of a setting that is written as a comment.
const OFF: &str = "off in the file: unknown from this log whether its condition holds";

/// A setting with all its paths.
fn one(out: &mut dyn Write, same: &[&Chosen], columns: usize) -> io::Result<()> {
    let Some(first) = same.first() else { return Ok(()) };
    match &first.path {
        Some(_) => {
            writeln!(out, "\n  {}", first.key)?;
            for chosen in same.iter().take(PATHS) {
                writeln!(out, "    {}", printable(&chosen.line))?;
            }
            if same.len() > PATHS {
                writeln!(out, "    and {} more", same.len() - PATHS)?;
            }
        }
        // Settings that make one line begin with what separates them.
        None => writeln!(out, "\n  {}", first.line.trim_start_matches(':'))?,
    }
    if first.is_off {
        part(out, "to be tried", OFF, columns)?;
    }
    part(out, "reason", &format!("{} ({})", first.finding, first.reason), columns)?;
    part(out, "value from", &first.because, columns)?;
    part(out, "saving", &saving(first), columns)?;
    for (label, words) in [("only if", &first.condition), ("needs", &first.needs)] {
        if let Some(words) = words {
            part(out, label, words, columns)?;
        }
    }
    for harm in &first.harm {
        part(out, "risk", harm, columns)?;
    }
    part(out, "undo", &first.undo, columns)
}

/// The predicted saving in words: all settings with one reason reach it together.
pub fn saving(setting: &Chosen) -> String {
    let (low_s, high_s) = (setting.saving_low_s, setting.saving_high_s);
    let loss = if setting.can_be_slower { "can make the run slower; " } else { "" };
    let words = match (setting.saving_s, high_s) {
        (_, None) => "unknown".to_owned(),
        (Some(saved_s), _) => {
            let words = saves(Some(saved_s), low_s, high_s).unwrap_or_default();
            format!("{words}, with all settings for this finding")
        }
        (None, Some(high_s)) => format!("at most {}", diya::model::about_s(high_s)),
    };
    format!("{loss}{words}")
}

fn part(out: &mut dyn Write, label: &str, words: &str, columns: usize) -> io::Result<()> {
    const INDENT: usize = 16;
    for (at, line) in wrapped(words, columns.saturating_sub(INDENT)).iter().enumerate() {
        let label = if at == 0 { label } else { "" };
        writeln!(out, "    {label:<11} {line}")?;
    }
    Ok(())
}

/// Words in lines of at most so many characters, where no word is longer.
pub fn wrapped(words: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words.split_whitespace() {
        let Some(line) = lines.last_mut() else { break };
        let length = line.chars().count() + 1 + word.chars().count();
        if line.is_empty() {
            line.push_str(word);
        } else if length <= width.max(30) {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words() {
        let lines = wrapped("one two three four five six seven eight nine ten", 30);
        assert_eq!(lines, ["one two three four five six", "seven eight nine ten"]);
        assert_eq!(wrapped("", 30), [""]);
    }
}
