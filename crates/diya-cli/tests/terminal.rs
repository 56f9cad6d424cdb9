//! What a person at a terminal of 80 or 120 columns sees.

use crate::support::{corpus, diya};
use diya::report::width;
use std::process::Command;

/// What a terminal with so many columns shows: without the sequences that set colours.
fn shown(columns: usize, args: &[&str]) -> String {
    let quoted = |arg: &&str| format!("'{arg}'");
    let line = args.iter().map(quoted).collect::<Vec<_>>().join(" ");
    let program = env!("CARGO_BIN_EXE_diya");
    let script = format!("stty cols {columns} rows 50; {program} {line} 2>/dev/null");
    let mut command = Command::new("script");
    command.args(["-qec", &script, "/dev/null"]).env_remove("NO_COLOR").env("TERM", "xterm");
    let output = command.output().expect("script is a part of Debian");
    let text = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.split_once('m').map_or("", |(_, rest)| rest))
}

fn log() -> String {
    corpus("ior_mpiio_coll_hints.darshan")
}

#[test]
fn output_is_never_wider_than_the_terminal() {
    let (log, other) = (log(), corpus("stdio_text.darshan"));
    let (log, other) = (log.as_str(), other.as_str());
    let commands: &[&[&str]] = &[
        &["--help"],
        &["info", log],
        &["report", log],
        &["report", log, "--verbose"],
        &["compare", log, other],
        &["files", log],
        &["files", log, "--view", "layers"],
        &["files"],
        &["ranks", log],
        &["phases", log],
        &["calls", log],
        &["calls", log, "--view", "slowest"],
        &["targets", log],
        &["tables"],
        &["tables", "posix"],
        &["tables", log],
        &["tables", log, "call"],
        &["tables", log, "posix"],
        &["sql", log, "select * from job"],
        &["sql", log, "select * from call limit 9"],
        &["checks", "list"],
        &["explain", "PX101"],
        &["explain", "posix"],
        &["explain"],
        &["fleet", "ask"],
        &["tune", log],
    ];
    for columns in [80, 120] {
        for command in commands {
            let text = shown(columns, command);
            assert!(!text.is_empty(), "{command:?}: {text}");
            // Statements are there to be copied, so they keep their lines.
            for line in text.lines().take_while(|line| !line.starts_with("Query")) {
                assert!(width(line) <= columns, "{command:?} at {columns}: {line}");
            }
        }
    }
}

#[test]
fn what_goes_into_a_pipe_is_whole() {
    for command in [&["files", &log()][..], &["tables", &log(), "posix"]] {
        let (code, shown, _) = diya(command);
        assert_eq!(code, 0);
        assert!(!shown.contains('…'), "{shown}");
        assert!(shown.lines().any(|line| width(line) > 120), "{shown}");
    }
}

#[test]
fn an_explanation_is_text_at_a_terminal_and_markdown_elsewhere() {
    let (_, piped, _) = diya(&["explain", "PX101"]);
    assert!(piped.starts_with("# ") && piped.contains("\n## Risks\n"), "{piped}");
    let text = shown(80, &["explain", "PX101"]);
    assert!(!text.contains("## ") && text.contains("\nRisks\n"), "{text}");
    let asked = shown(80, &["explain", "PX101", "--format", "markdown"]);
    assert!(asked.contains("\n## Risks\n"), "{asked}");
    let (_, asked, _) = diya(&["explain", "posix", "--format", "text"]);
    assert!(!asked.contains("|---|"), "{asked}");
}

#[test]
fn a_row_with_many_columns_is_a_list() {
    let text = shown(80, &["sql", &log(), "select * from job"]);
    assert!(text.lines().any(|line| line.starts_with("nprocs ") && line.ends_with(" 8")), "{text}");
}

#[test]
fn a_report_counts_its_checks_and_names_them_when_asked() {
    let (_, counts, _) = diya(&["report", &log()]);
    assert!(counts.contains(" passed, ") && counts.contains("(names: --verbose)"), "{counts}");
    assert!(!counts.contains("posix/small-requests"), "{counts}");
    let (_, names, _) = diya(&["report", &log(), "--verbose"]);
    assert!(names.contains("not applicable") && names.contains("small-requests"), "{names}");
}
