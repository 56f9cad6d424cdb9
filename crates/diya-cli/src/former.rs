//! Names that options had in the last version: clap takes them as hidden aliases, here they are
//! noticed.

use clap::{Arg, ArgAction, Command};
use std::ffi::OsString;

/// A note for each former name of an option in these arguments. The first argument is the
/// program.
pub fn notes(whole: &Command, arguments: &[OsString]) -> Vec<String> {
    let mut command = whole;
    let mut notes = Vec::new();
    for argument in arguments.iter().skip(1) {
        let Some(text) = argument.to_str() else { continue };
        // What follows is a command, or files.
        if text == "--" {
            break;
        }
        if let Some(below) = command.find_subcommand(text) {
            command = below;
        } else if let Some((former, arg)) = former_name(command, text) {
            let name = arg.get_long().unwrap_or_default();
            notes.push(format!(
                "`{former}` is now `--{name}`; the old name goes with the next version"
            ));
        }
    }
    notes
}

/// The former name in an argument such as `--rows=5` or `-qv`, and what it is now.
fn former_name<'c>(command: &'c Command, text: &str) -> Option<(String, &'c Arg)> {
    if let Some(long) = text.strip_prefix("--") {
        let long = long.split('=').next().unwrap_or_default();
        let has = |arg: &&Arg| arg.get_all_aliases().is_some_and(|names| names.contains(&long));
        return command.get_arguments().find(has).map(|arg| (format!("--{long}"), arg));
    }
    for letter in text.strip_prefix('-')?.chars() {
        let has = |arg: &&Arg| arg.get_all_short_aliases().is_some_and(|all| all.contains(&letter));
        if let Some(arg) = command.get_arguments().find(has) {
            return Some((format!("-{letter}"), arg));
        }
        let known = command.get_arguments().find(|arg| arg.get_short() == Some(letter));
        // The rest is the value of this option.
        if known.is_none_or(|arg| matches!(arg.get_action(), ArgAction::Set | ArgAction::Append)) {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> Vec<String> {
        let mut whole = crate::command_line::command_line();
        whole.build();
        let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        assert!(whole.clone().try_get_matches_from(&arguments).is_ok(), "{line}");
        notes(&whole, &arguments)
    }

    #[test]
    fn former_names_work_and_are_noted() {
        let note = "`--rows` is now `--limit`; the old name goes with the next version";
        assert_eq!(told("diya report app.diya --rows=5"), [note]);
        for line in ["diya files app.diya -v small", "diya files -qvsmall app.diya"] {
            let note = "`-v` is now `--view`; the old name goes with the next version";
            assert_eq!(told(line), [note], "{line}");
        }
        assert_eq!(told("diya fleet report jobs -o x.html --jobs 5").len(), 1);
        assert_eq!(told("diya plot app.diya -o x.png --file a.h5").len(), 1);
    }

    #[test]
    fn todays_names_and_commands_of_the_user_are_not_noted() {
        for line in [
            "diya report app.diya --limit 5 -v",
            "diya report app.diya -ovx",
            "diya run -- ./app --rows 5",
        ] {
            assert_eq!(told(line), [""; 0], "{line}");
        }
    }
}
