//! `demo-fleet`: what diya does with the logs of a centre, on a fleet that is made here.
//!
//! Each command is printed before its output, as a person would type it.

use std::path::Path;
use std::process::Command;

use crate::build::build_diya;
use crate::cargo::quoted;

/// Jobs of the fleet; a run may name fewer: `cargo xtask demo-fleet 500`.
const JOBS: &str = "20000";

/// What is asked, and in which words.
const QUESTIONS: [(&str, &str); 3] = [
    ("Which programs and users take the core-hours in I/O?", "who"),
    ("Which storage targets are slow or hot, and on which day?", "targets"),
    ("Which programs became slower?", "regressions"),
];

/// Makes the logs, ingests them, asks, and writes the page.
pub fn run(args: &[String]) -> Result<(), String> {
    let root = crate::root();
    let jobs = args.first().map_or(JOBS, String::as_str);
    let diya = build_diya(&root)?;
    let folder = diya.parent().and_then(Path::parent).unwrap_or(&root).join("demo-fleet");
    // A dataset of an older layout, or of other logs, would stay in the figures.
    match std::fs::remove_dir_all(&folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            return Err(format!("{}: {e}", folder.display()));
        }
        _ => {}
    }
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    println!(
        "\n# A fleet of {jobs} jobs, made from logs of the corpus, with faults that are known."
    );
    let logs = folder.join("logs").to_string_lossy().into_owned();
    crate::fleet_logs::run(&[&logs, "--jobs", jobs, "--plant"].map(str::to_owned))?;
    println!("\n# Read all logs, and run the checks on each:");
    step(&diya, &folder, &["ingest", "logs", "-o", "data", "--system", "demo"])?;
    println!("\n# A second run reads new logs only:");
    step(&diya, &folder, &["ingest", "logs", "-o", "data", "--system", "demo"])?;
    step(&diya, &folder, &["compact", "data"])?;
    for (words, question) in QUESTIONS {
        println!("\n# {words}");
        step(&diya, &folder, &["ask", "data", question])?;
    }
    println!("\n# All questions and all jobs as one page (no network needed):");
    let title = format!("{jobs} jobs");
    step(&diya, &folder, &["report", "data", "-o", "fleet.html", "--title", &title])?;
    println!("\n# Open it in a browser; on a machine without one, copy it home:");
    println!("#   file://{}", folder.join("fleet.html").display());
    println!("# The planted faults: {}", folder.join("logs.truth.toml").display());
    println!("# The dataset: {}", folder.join("data").display());
    Ok(())
}

fn step(diya: &Path, folder: &Path, args: &[&str]) -> Result<(), String> {
    let line = args.iter().map(|arg| quoted(arg)).collect::<Vec<_>>().join(" ");
    println!("$ diya fleet {line}");
    let status = Command::new(diya).current_dir(folder).arg("fleet").args(args).status();
    let status = status.map_err(|e| format!("{}: {e}", diya.display()))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("diya fleet {} ended with {status}", args[0]))
    }
}
