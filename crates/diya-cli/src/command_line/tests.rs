//! What holds for all commands together.

use super::*;
use std::collections::{BTreeMap, BTreeSet};

/// Words of a command line as a shell would split them; what follows `>` is not for diya.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_quoted = false;
    for c in line.split(" > ").next().unwrap_or_default().chars() {
        match c {
            '"' => is_quoted = !is_quoted,
            ' ' if !is_quoted => words.push(String::new()),
            c => words.last_mut().expect("one word").push(c),
        }
    }
    words
}

/// All commands with their subcommands, as `fleet ask`.
fn all_commands() -> Vec<(String, Command)> {
    let mut whole = command_line();
    whole.build();
    let mut all = Vec::new();
    for command in whole.get_subcommands().filter(|command| command.get_name() != "help") {
        let name = command.get_name();
        all.push((name.to_owned(), command.clone()));
        let below = command.get_subcommands().filter(|below| below.get_name() != "help");
        all.extend(below.map(|below| (format!("{name} {}", below.get_name()), below.clone())));
    }
    all
}

#[test]
fn the_command_line_is_consistent() {
    command_line().debug_assert();
}

#[test]
fn no_two_commands_share_a_name_or_a_place() {
    let entries = entries();
    let names: BTreeSet<_> = entries.iter().map(|entry| entry.name).collect();
    assert_eq!(names.len(), entries.len());
    let shown: Vec<_> = entries.iter().filter(|entry| !entry.is_hidden).collect();
    let places: BTreeSet<_> = shown.iter().map(|entry| (entry.group, entry.place)).collect();
    assert_eq!(places.len(), shown.len());
}

#[test]
fn the_help_names_each_command_once_below_its_group() {
    let help = command_line().render_long_help().to_string();
    for group in Group::ALL {
        assert!(help.contains(&format!("\n{}:\n", group.title())), "{help}");
    }
    for entry in entries() {
        let lines =
            help.lines().filter(|line| line.trim_start().starts_with(&format!("{} ", entry.name)));
        assert_eq!(lines.count(), usize::from(!entry.is_hidden), "{}", entry.name);
    }
    let group = |title: &str| help.find(&format!("\n{title}:")).expect("a heading");
    assert!(group("Record") < group("Diagnose") && group("Diagnose") < group("Set up"));
}

#[test]
fn examples_are_command_lines_and_each_command_has_two_to_four() {
    for (name, command) in all_commands() {
        if command.is_hide_set() || command.has_subcommands() && name.contains(' ') {
            continue;
        }
        let help = command.clone().render_long_help().to_string();
        let (_, examples) =
            help.split_once("Examples:\n").unwrap_or_else(|| panic!("{name}: no examples"));
        let lines: Vec<&str> = examples.lines().filter(|line| !line.trim().is_empty()).collect();
        assert!((2..=4).contains(&lines.len()), "{name}: {examples}");
        for line in lines {
            assert!(line.len() <= NARROW, "{name}: {line}");
            let (line, _) = line.trim().split_once("  # ").expect("what it does");
            let line = line.trim_end();
            // Of `eval "$(diya env ...)"`, what is for diya.
            let line = line.split_once("$(").map_or(line, |(_, rest)| rest.trim_end_matches(")\""));
            let parsed = command_line().try_get_matches_from(words(line.trim()));
            assert!(parsed.is_ok(), "{name}: {line}: {}", parsed.expect_err("an error"));
        }
    }
}

#[test]
fn the_list_of_commands_fits_a_small_terminal() {
    let help = command_line().render_help().to_string();
    for line in grouped_lines(&help) {
        assert!(line.len() <= NARROW, "{line}");
    }
}

fn grouped_lines(help: &str) -> impl Iterator<Item = &str> {
    help.lines().skip_while(|line| !line.starts_with("Record:"))
}

/// Each option has one letter, and each letter one option, whatever the command.
#[test]
fn a_letter_means_the_same_in_every_command() {
    let mut letters: BTreeMap<char, String> = BTreeMap::new();
    let mut of_names: BTreeMap<String, Option<char>> = BTreeMap::new();
    for (name, command) in all_commands() {
        for arg in command.get_arguments() {
            let Some(long) = arg.get_long() else { continue };
            // The options of `diya dump` are those of darshan-parser.
            if name == "dump" && long == "file" {
                continue;
            }
            let letter = arg.get_short();
            if let Some(letter) = letter {
                let known = letters.entry(letter).or_insert_with(|| long.to_owned());
                assert_eq!(known, long, "-{letter} of {name}");
            }
            let known = of_names.entry(long.to_owned()).or_insert(letter);
            assert_eq!(*known, letter, "--{long} of {name}");
        }
    }
    assert_eq!(letters.get(&'v').map(String::as_str), Some("verbose"));
}

/// What reads rows of calls or records can leave out ranks and files.
#[test]
fn ranks_and_paths_are_filters_of_every_command_that_lists_a_log() {
    for name in [
        "calls", "diff", "dump", "export", "files", "phases", "plot", "ranks", "replay", "sql",
        "tables", "targets",
    ] {
        let all = all_commands();
        let (_, command) = all.iter().find(|(other, _)| other == name).expect("a command");
        let has = |long: &str| command.get_arguments().any(|arg| arg.get_long() == Some(long));
        assert!(has("ranks") && has("path"), "{name}");
        // What is read as it is, cannot be counted again.
        let is_as_it_is = ["diff", "dump", "replay"].contains(&name);
        assert_eq!(has("region") && has("steps"), !is_as_it_is, "{name}");
    }
}
