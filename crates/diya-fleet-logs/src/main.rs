//! `cargo xtask fleet-logs DIR --jobs N [--seed S] [--plant|--sizes]`: a fleet of logs, made from
//! the corpus; with `--plant` some of them have faults, which `DIR.truth.toml` beside them names;
//! with `--sizes` they are as large as those of an archive, with traces of single calls.

use diya_fleet_logs::{Plan, Sample, write};
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask fleet-logs DIR --jobs N [--seed S] [--plant|--sizes]";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match run(&args) {
        Ok(made) => {
            println!("{made}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn run(args: &[String]) -> Result<String, String> {
    let after = |name: &str| args.iter().position(|a| a == name).and_then(|at| args.get(at + 1));
    let folder = args.first().filter(|first| !first.starts_with('-')).ok_or(USAGE)?;
    let jobs = after("--jobs").and_then(|text| text.parse().ok()).ok_or(USAGE)?;
    let seed = match after("--seed") {
        Some(text) => text.parse().map_err(|_| USAGE)?,
        None => 1,
    };
    let has = |name: &str| args.iter().any(|a| a == name);
    let plan = Plan { jobs, seed, has_faults: has("--plant") };
    // The truth of planted faults holds for the samples of the programs.
    if plan.has_faults && has("--sizes") {
        return Err(USAGE.to_owned());
    }
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/logs");
    let samples = match has("--sizes") {
        true => Sample::of_all_sizes(&corpus)?,
        false => Sample::corpus(&corpus)?,
    };
    let made = write(Path::new(folder), &samples, &plan)?;
    let truth = format!("{}.truth.toml", folder.trim_end_matches('/'));
    std::fs::write(&truth, &made.truth).map_err(|e| format!("{truth}: {e}"))?;
    Ok(format!("{} logs in {folder}, {} of them copies of others", made.logs, made.duplicates))
}
