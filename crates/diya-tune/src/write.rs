//! The files: a plan as text for the programs that read settings.
//!
//! Comments hold words of diya and numbers only, never a name of the log: a comment that ends
//! early would be code. Names stand in the lines of shell scripts only, each in single quotes.

use crate::library::{Library, OutputFile};
use crate::plan::{Chosen, Plan};
use crate::{TuneError, text};
use diya::report::printable;

/// The file that programs read, `diya run --apply` among them.
pub const PLAN_FILE: &str = "tune.toml";

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// Its name: one of a fixed set.
    pub name: String,
    /// What it holds.
    pub text: String,
}

/// The files of a plan, none where it has no settings.
pub fn written(plan: &Plan, library: &Library) -> Result<Vec<Written>, TuneError> {
    if plan.settings.is_empty() {
        return Ok(Vec::new());
    }
    let plan_file = Written { name: PLAN_FILE.to_owned(), text: toml::to_string(plan)? };
    let mut files = vec![plan_file];
    for file in &library.files {
        let settings: Vec<&Chosen> =
            plan.settings.iter().filter(|setting| setting.file == file.name).collect();
        if !settings.is_empty() {
            files.push(Written { name: file.name.clone(), text: of_file(file, &settings) });
        }
    }
    Ok(files)
}

fn of_file(file: &OutputFile, settings: &[&Chosen]) -> String {
    let full = with_comments(file, settings, about_setting);
    match file.max_bytes {
        Some(max) if full.len() >= max => with_comments(file, settings, in_short),
        _ => full,
    }
}

fn with_comments(
    file: &OutputFile,
    settings: &[&Chosen],
    about_setting: fn(&Chosen) -> Vec<String>,
) -> String {
    let mut out = String::new();
    let comment = |out: &mut String, words: &str| {
        for line in text::wrapped(words, 90) {
            out.push_str(format!("{} {line}", file.comment).trim_end());
            out.push('\n');
        }
    };
    if file.is_script {
        out.push_str("#!/bin/sh\n");
    }
    comment(&mut out, "Settings that `diya tune` computed from a log.");
    comment(&mut out, &format!("Use: {}", file.usage));
    let mut lines = String::new();
    let mut last = "";
    for setting in settings {
        if setting.id != last {
            last = &setting.id;
            let about = if file.is_joined { &mut out } else { &mut lines };
            about.push('\n');
            for words in about_setting(setting) {
                comment(about, &words);
            }
        }
        match (setting.is_off, file.is_joined) {
            // A comment cannot stand inside a line: what is off stands above it.
            (true, true) => comment(&mut out, &format!("Off: {}", setting.line)),
            (true, false) => {
                lines
                    .extend(setting.line.lines().flat_map(|line| [&file.comment, " ", line, "\n"]));
            }
            (false, true) => lines.push_str(&setting.line),
            (false, false) => lines.extend([&setting.line, "\n"]),
        }
    }
    let is_empty = file.is_joined && lines.is_empty();
    for part in [file.before.as_str(), &lines, &file.after].iter().filter(|_| !is_empty) {
        out.push_str(part);
    }
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

/// Above a line that is a comment.
const OFF: &str = "To be tried: off, since it is unknown from the log whether its condition holds.";

fn about_setting(setting: &Chosen) -> Vec<String> {
    let mut about = vec![
        format!("{}: {}", setting.key, setting.what),
        format!("Reason: {} ({}).", setting.finding, setting.reason),
        format!("Value from: {}.", setting.because),
        format!("Estimated saving: {}.", text::saving(setting)),
    ];
    if setting.is_off {
        about.push(OFF.to_owned());
    }
    about.extend(setting.condition.iter().map(|words| format!("Only if: {words}")));
    about.extend(setting.needs.iter().map(|words| format!("Needs: {words}")));
    about.extend(setting.harm.iter().map(|words| format!("Risk: {words}")));
    about.push(format!("Undo: {}", setting.undo));
    about.iter().map(|words| clean(words)).collect()
}

fn in_short(setting: &Chosen) -> Vec<String> {
    vec![clean(&format!("{} ({}); more in {PLAN_FILE}", setting.finding, setting.reason))]
}

/// Words of checks of a facility: a backslash at the end of a line would join the next.
fn clean(words: &str) -> String {
    printable(words).replace('\\', " ")
}
