//! `corpus-diff`: what a change does to the logs of the corpus.
//!
//! For every log the overview and the number of rows of each table are kept
//! in `corpus/expected/`. The command prints every line that is different now,
//! and fails when there is one; `--update` writes the new state, to be
//! reviewed as a diff.

use crate::cargo::build_diya;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compares, or with `--update` writes, the expectations.
pub fn run(args: &[String]) -> Result<(), String> {
    let root = crate::root();
    let diya = build_diya(&root)?;
    let is_update = args.iter().any(|a| a == "--update");
    let mut changed = 0;
    let logs = logs(&root)?;
    for log in &logs {
        let now = state(&root, &diya, log)?;
        let path = expectation(&root, log);
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        if now == before {
            continue;
        }
        changed += 1;
        if is_update {
            let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all);
            folder.map_err(|e| format!("{}: {e}", path.display()))?;
            std::fs::write(&path, now).map_err(|e| format!("{}: {e}", path.display()))?;
        } else {
            print_difference(log, &before, &now);
        }
    }
    println!("corpus-diff: {} logs, {changed} different", logs.len());
    if changed > 0 && !is_update {
        return Err(
            "the corpus reads differently; `cargo xtask corpus-diff --update` accepts it".into()
        );
    }
    Ok(())
}

fn logs(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join("corpus/logs");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut logs: Vec<String> =
        entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    logs.sort();
    Ok(logs)
}

fn expectation(root: &Path, log: &str) -> PathBuf {
    root.join("corpus/expected").join(format!("{log}.json"))
}

/// Overview and row counts, one value per line.
fn state(root: &Path, diya: &Path, log: &str) -> Result<String, String> {
    let path = format!("corpus/logs/{log}");
    let ask = |args: &[&str]| -> Result<Value, String> {
        let output = Command::new(diya).current_dir(root).args(args).output();
        let output = output.map_err(|e| format!("{}: {e}", diya.display()))?;
        serde_json::from_slice(&output.stdout)
            .map_err(|e| format!("diya {} printed no JSON: {e}", args.join(" ")))
    };
    let info = ask(&["info", &path, "--json", "--quiet"])?;
    let tables = ask(&["tables", &path, "--json", "--quiet"])?;
    let state = serde_json::json!({ "info": info, "tables": tables });
    serde_json::to_string_pretty(&state).map(|text| text + "\n").map_err(|e| e.to_string())
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
