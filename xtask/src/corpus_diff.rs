//! `corpus-diff`: what a change does to the logs of the corpus.
//!
//! For every log the overview and the number of rows of each table are kept
//! in `corpus/expected/LOG.json`, and the verdict of every check that applies in
//! `corpus/expected/verdicts.txt`. A check that does not apply has no line there, nor has one for
//! which the log lacks a table: a new one adds lines to those logs only about which it says
//! something.
//! The command prints every line that is different now, and fails when there is one;
//! `--update` writes the new state, to be reviewed as a diff.

use crate::build::build_diya;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compares, or with `--update` writes, the expectations.
pub fn run(args: &[String]) -> Result<(), String> {
    let root = crate::root();
    // A program that is there already saves the build.
    let given = args.iter().position(|a| a == "--diya").and_then(|at| args.get(at + 1));
    let diya = match given {
        Some(path) => PathBuf::from(path),
        None => build_diya(&root)?,
    };
    let is_update = args.iter().any(|a| a == "--update");
    let mut changed = 0;
    let logs = logs(&root)?;
    let expected = root.join("corpus/expected");
    let known = read(&expected.join(VERDICTS));
    let mut all_verdicts = String::new();
    for log in &logs {
        let file = expected.join(format!("{log}.json"));
        let state = state(&root, &diya, log)?;
        let verdicts = verdicts(&report(&root, &diya, log)?);
        let pairs = [(read(&file), &state), (section(&known, log), &verdicts)];
        let mut different = pairs.iter().filter(|(before, now)| before != *now).peekable();
        changed += usize::from(different.peek().is_some());
        for (before, now) in different.filter(|_| !is_update) {
            print_difference(log, before, now);
        }
        if is_update {
            write(&file, &state)?;
        }
        all_verdicts += &[HEADING, log, "\n\n", &verdicts, "\n"].concat();
    }
    if is_update {
        write(&expected.join(VERDICTS), &all_verdicts)?;
    }
    println!("corpus-diff: {} logs, {changed} different", logs.len());
    if changed > 0 && !is_update {
        return Err(
            "the corpus reads differently; `cargo xtask corpus-diff --update` accepts it".into()
        );
    }
    Ok(())
}

/// File of the verdicts of all logs, and what stands before the name of each.
const VERDICTS: &str = "verdicts.txt";
const HEADING: &str = "== ";

/// What a file holds; empty where there is none.
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
    folder.and_then(|()| std::fs::write(path, text)).map_err(|e| format!("{}: {e}", path.display()))
}

/// What the file of verdicts says of a log.
fn section(verdicts: &str, log: &str) -> String {
    let heading = format!("{HEADING}{log}\n\n");
    let (_, rest) = verdicts.split_once(&heading).unwrap_or_default();
    let own = rest.split(HEADING).next().unwrap_or_default();
    own.strip_suffix('\n').unwrap_or(own).to_owned()
}

fn logs(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join("corpus/logs");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut logs: Vec<String> =
        entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    logs.sort();
    Ok(logs)
}

/// Overview and row counts, one value per line.
fn state(root: &Path, diya: &Path, log: &str) -> Result<String, String> {
    let path = format!("corpus/logs/{log}");
    let info = ask(root, diya, &["info", &path, "--json", "--quiet"])?;
    let tables = ask(root, diya, &["tables", &path, "--json", "--quiet"])?;
    let state = serde_json::json!({ "info": info, "tables": tables });
    serde_json::to_string_pretty(&state).map(|text| text + "\n").map_err(|e| e.to_string())
}

/// What a command of diya prints as JSON.
fn ask(root: &Path, diya: &Path, args: &[&str]) -> Result<Value, String> {
    let output = Command::new(diya).current_dir(root).args(args).output();
    let output = output.map_err(|e| format!("{}: {e}", diya.display()))?;
    serde_json::from_slice(&output.stdout)
        .map_err(|e| format!("diya {} printed no JSON: {e}", args.join(" ")))
}

fn report(root: &Path, diya: &Path, log: &str) -> Result<Value, String> {
    let path = format!("corpus/logs/{log}");
    ask(root, diya, &["report", &path, "--format", "json", "--metrics", "none", "--quiet"])
}

/// The verdict of every check that applies to a log, a line each, by name of the check.
fn verdicts(report: &Value) -> String {
    let entries = |name: &str| report[name].as_array().map_or(&[][..], Vec::as_slice);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut lines = Vec::new();
    for finding in entries("findings") {
        let (low, high) = (seconds(&finding["lost_low_s"]), seconds(&finding["lost_high_s"]));
        let by = finding["explained_by"].as_str();
        let by = by.map_or(String::new(), |id| format!(", explained by {id}"));
        let severity = text(&finding["severity"]);
        lines.push((text(&finding["id"]), format!("{severity}, {low} to {high} s{by}")));
    }
    lines.extend(entries("passed").iter().map(|check| (text(&check["id"]), "pass".to_owned())));
    let lacks_table = |check: &&Value| text(&check["reason"]).starts_with("needs table `");
    for check in entries("unknown").iter().filter(|check| !lacks_table(check)) {
        lines.push((text(&check["id"]), format!("unknown: {}", text(&check["reason"]))));
    }
    lines.sort();
    let verdict = text(&report["verdict"]["text"]);
    let lines = lines.iter().map(|(id, said)| format!("{id:34} {said}\n"));
    format!("{verdict}\n\n{}", lines.collect::<String>())
}

/// Seconds to three digits: sums may differ in the last ones.
fn seconds(value: &Value) -> String {
    value.as_f64().map_or_else(|| "?".to_owned(), |s| format!("{:.3}", s))
}

fn print_difference(log: &str, before: &str, now: &str) {
    println!("{log}");
    for line in before.lines().filter(|line| !now.lines().any(|other| other == *line)) {
        println!("  - {}", line.trim());
    }
    for line in now.lines().filter(|line| !before.lines().any(|other| other == *line)) {
        println!("  + {}", line.trim());
    }
}

#[cfg(test)]
mod tests {
    use super::{section, verdicts};
    use serde_json::json;

    #[test]
    fn a_log_has_its_own_part_of_the_verdicts() {
        let all = "== a\n\nFine.\n\nposix/a pass\n\n== b\n\nSlow.\n\nposix/b high\n\n";
        assert_eq!(section(all, "a"), "Fine.\n\nposix/a pass\n");
        assert_eq!(section(all, "b"), "Slow.\n\nposix/b high\n");
        assert_eq!(section(all, "c"), "");
    }

    #[test]
    fn a_check_that_does_not_apply_has_no_line() {
        let list = |id: &str| json!([{ "id": id, "reason": "no times" }]);
        let report = json!({
            "verdict": { "text": "Nothing found." },
            "findings": [],
            "passed": list("posix/a"),
            "not_applicable": list("posix/b"),
            "unknown": [
                { "id": "posix/c", "reason": "no times" },
                { "id": "posix/d", "reason": "needs table `call`, which this log does not have" },
            ],
        });
        let text = verdicts(&report);
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        let [verdict, "", passed, unknown] = lines[..] else { panic!("{text}") };
        assert_eq!(verdict, "Nothing found.");
        assert!(passed.starts_with("posix/a ") && passed.ends_with(" pass"));
        assert!(unknown.starts_with("posix/c ") && unknown.ends_with(" unknown: no times"));
    }
}
