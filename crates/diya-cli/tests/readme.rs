//! The report in the README is what `diya report` prints. `DIYA_BLESS=1` writes it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// What stands before the report in the README, and behind it.
const COMMAND: &str = "$ diya report small.diya\n";
const END: &str = "```\n";

/// The README shows the report up to the fix.
const REST: &str = "\n    saving ";

#[test]
fn the_readme_shows_the_report_that_diya_prints() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let report = Command::new(env!("CARGO_BIN_EXE_diya"))
        .args(["report", "small.diya"])
        .current_dir(root.join("tests/samples"))
        .env("COLUMNS", "92")
        .output()
        .expect("diya runs");
    let report = String::from_utf8(report.stdout).expect("a report is text");
    let shown = format!("{}\n", report.split(REST).next().unwrap_or_default());
    let path = root.join("../../README.md");
    let readme = fs::read_to_string(&path).expect("there is a README");
    let (before, rest) = readme.split_once(COMMAND).expect("the README runs the command");
    let (written, after) = rest.split_once(END).expect("its block ends");
    if written != shown && std::env::var_os("DIYA_BLESS").is_some() {
        fs::write(&path, format!("{before}{COMMAND}{shown}{END}{after}")).expect("can be written");
        return;
    }
    assert_eq!(written, shown, "DIYA_BLESS=1 cargo test -p diya-cli --test all readme writes it");
}
