//! Text of a log that steers a terminal does not reach it, whatever command prints it.

use crate::support::diya;
use std::path::Path;

/// A file whose name clears the screen, and shows the rest from right to left.
const TRACE: &str = concat!(
    r#"7 1700000000.1 openat(AT_FDCWD</scratch>, "/scratch/a\33[2Jb\342\200\256c", O_RDONLY) = "#,
    r#"3</scratch/a\33[2Jb\342\200\256c> <0.0002>
7 1700000000.2 read(3</scratch/a\33[2Jb\342\200\256c>, "x", 1) = 1 <0.0001>
7 1700000000.3 close(3</scratch/a\33[2Jb\342\200\256c>) = 0 <0.0001>
7 1700000000.4 +++ exited with 0 +++
"#
);

#[test]
fn control_characters_of_a_log_reach_no_terminal() {
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join("control-characters.strace");
    std::fs::write(&log, TRACE).expect("can be written");
    let log = log.to_str().expect("a plain path");
    for command in [
        &["tables", log, "file"][..],
        &["sql", log, "select path from file"],
        &["sql", log, "select path from file", "--format", "csv"],
        &["files", log],
        &["calls", log, "--view", "slowest"],
        &["report", log],
        &["info", log],
        &["tune", log],
        &["compare", log, log],
        &["diff", log, log],
        &["dump", log],
        &["phases", log],
        &["ranks", log],
    ] {
        let (code, shown, told) = diya(command);
        assert_eq!(code, 0, "{command:?}: {told}");
        let steers = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(
            !shown.contains(steers) && !told.contains(steers),
            "{command:?}: {shown:?} {told:?}"
        );
        let names_the_file = ["tables", "sql"].contains(&command[0]);
        assert!(!names_the_file || shown.contains("[2J"), "{command:?}: {shown}");
    }
}

/// Names of files are text of others, too, also where a message only lists them.
#[test]
fn control_characters_of_a_file_name_reach_no_terminal() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("control-characters");
    std::fs::create_dir_all(&folder).expect("a folder");
    let log = folder.join("app\x1b[2J.darshan");
    std::fs::copy(crate::support::corpus("stdio_text.darshan"), &log).expect("a copy");
    let (log, near) = (log.display().to_string(), folder.join("app.darshan").display().to_string());
    let folder = folder.display().to_string();
    for command in [
        &["info", &log][..],
        &["info", &near],
        &["report", &folder],
        &["sql", &folder, "select * from job"],
        &["sql", &folder, "select nothing from \u{1b}[2J"],
        &["explain", "\u{1b}[2J"],
        &["run", "--", "no\u{1b}[2J"],
        &["files", &log, "--view", "\u{1b}[2J"],
    ] {
        let (_, shown, told) = diya(command);
        let is_plain = |text: &str| !text.contains(|c: char| c.is_control() && c != '\n');
        assert!(is_plain(&shown) && is_plain(&told), "{command:?}: {shown:?} {told:?}");
    }
}
