//! What people type who do not know the commands yet: nothing, a log, the word of another tool, a
//! slip.

use crate::entry::entries;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// A command line, as it is meant.
#[derive(Debug, PartialEq, Eq)]
pub enum Typed {
    /// To be parsed.
    Line(Vec<OsString>),
    /// To be parsed, and what was changed in it.
    Changed(Vec<OsString>, String),
    /// Nothing: the first steps are shown.
    Nothing,
    /// No command, and why.
    Unknown(String),
}

/// Words of other tools, and the command that does it here.
const OTHER_WORDS: [(&str, &[&str]); 6] = [
    ("run", &["record", "capture", "trace"]),
    (
        "report",
        &["analyze", "analyse", "analysis", "diagnose", "show", "summary", "summarize", "stats"],
    ),
    ("open", &["view", "browse", "timeline", "gui", "page", "html"]),
    ("sql", &["query", "select"]),
    ("explain", &["describe", "doc", "docs"]),
    ("compare", &["cmp"]),
];

/// Options of every command that have a value of their own.
const WITH_VALUE: &str = "--threads";

/// Words are alike from here on (Jaro and Winkler).
const ALIKE: f64 = 0.75;

/// Others that are nearly as much alike as the best one are offered, too.
const AS_NEAR: f64 = 0.05;

/// Names that are offered.
const OFFERED: usize = 3;

/// The command line that was meant; the first argument is the program.
pub fn understood(mut line: Vec<OsString>) -> Typed {
    if line.len() < 2 {
        return Typed::Nothing;
    }
    let Some(place) = first_word(&line) else { return Typed::Line(line) };
    let word = line.get(place).map(|word| word.to_string_lossy().into_owned()).unwrap_or_default();
    if word == "help" || entries().iter().any(|entry| entry.name == word) {
        return Typed::Line(line);
    }
    if word == "-" || Path::new(OsStr::new(&word)).exists() || is_path(&word) {
        line.insert(place, OsString::from("report"));
        return Typed::Line(line);
    }
    if let Some((command, _)) = OTHER_WORDS.iter().find(|(_, all)| all.contains(&word.as_str())) {
        if let Some(at) = line.get_mut(place) {
            *at = OsString::from(command);
        }
        return Typed::Changed(line, format!("note: `diya {word}` is `diya {command}`"));
    }
    Typed::Unknown(unknown(&word))
}

/// Where the first argument is that is no option.
fn first_word(line: &[OsString]) -> Option<usize> {
    let mut place = 1;
    loop {
        let word = line.get(place)?;
        let is_option = word.len() > 1 && word.as_encoded_bytes().starts_with(b"-");
        match is_option {
            false => return Some(place),
            // `--version` and the like are answered whatever follows.
            true => place += 1 + usize::from(word == WITH_VALUE),
        }
    }
}

/// Nobody calls a command so.
fn is_path(word: &str) -> bool {
    word.contains(['/', '.'])
}

fn unknown(word: &str) -> String {
    let names = entries().into_iter().filter(|entry| !entry.is_hidden).map(|entry| entry.name);
    let likeness = |name: &str| strsim::jaro_winkler(name, &word.to_lowercase());
    let mut near: Vec<&str> = names.filter(|name| likeness(name) >= ALIKE).collect();
    near.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    let best = near.first().map_or(1.0, |name| likeness(name));
    near.retain(|name| likeness(name) >= best - AS_NEAR);
    near.truncate(OFFERED);
    let meant = match near.as_slice() {
        [] => String::new(),
        all => format!("; did you mean `diya {}`?", all.join("`, `diya ")),
    };
    format!("{word:?} is neither a command nor a log{meant} (`diya --help` lists all commands)")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(line: &str) -> String {
        let line = std::iter::once("diya").chain(line.split_whitespace()).map(OsString::from);
        let words = |line: Vec<OsString>| {
            let words = line.iter().map(|word| word.to_string_lossy().into_owned());
            words.skip(1).collect::<Vec<_>>().join(" ")
        };
        match understood(line.collect()) {
            Typed::Line(line) => words(line),
            Typed::Changed(line, note) => format!("{} ({note})", words(line)),
            Typed::Nothing => "nothing".to_owned(),
            Typed::Unknown(why) => why,
        }
    }

    #[test]
    fn a_log_alone_is_reported() {
        assert_eq!(meant("app.diya --brief"), "report app.diya --brief");
        assert_eq!(meant("--threads 2 -q ./logs"), "--threads 2 -q report ./logs");
        assert_eq!(meant("-"), "report -");
        assert_eq!(meant("sql app.diya"), "sql app.diya");
        assert_eq!(meant("--version"), "--version");
        assert_eq!(meant(""), "nothing");
    }

    #[test]
    fn words_of_other_tools_lead_to_the_command() {
        let note = "(note: `diya record` is `diya run`)";
        assert_eq!(meant("record -- ./app show"), format!("run -- ./app show {note}"));
    }

    #[test]
    fn a_slip_is_answered_with_the_nearest_command_first() {
        let why = meant("reports app.diya");
        assert!(
            why.starts_with(
                "\"reports\" is neither a command nor a log; did you mean `diya report`"
            ),
            "{why}"
        );
        assert!(!meant("xyzzy").contains("did you mean"));
    }

    #[test]
    fn no_word_of_another_tool_hides_a_command() {
        for (command, words) in OTHER_WORDS {
            assert!(entries().iter().any(|entry| entry.name == command), "{command}");
            assert!(words.iter().all(|word| entries().iter().all(|entry| entry.name != *word)));
        }
    }
}
