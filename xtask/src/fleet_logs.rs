//! `fleet-logs DIR --jobs N [--seed S] [--plant]`: a fleet of logs, made from the corpus.

use diya_fleet_logs::{Plan, Sample, write};
use std::path::Path;

const USAGE: &str = "usage: cargo xtask fleet-logs DIR --jobs N [--seed S] [--plant]";

/// Makes the logs; with `--plant` some of them have faults, which `truth.toml` names.
pub fn run(args: &[String]) -> Result<(), String> {
    let after = |name: &str| args.iter().position(|a| a == name).and_then(|at| args.get(at + 1));
    let folder = args.first().filter(|first| !first.starts_with('-')).ok_or(USAGE)?;
    let jobs = after("--jobs").and_then(|text| text.parse().ok()).ok_or(USAGE)?;
    let seed = match after("--seed") {
        Some(text) => text.parse().map_err(|_| USAGE)?,
        None => 1,
    };
    let plan = Plan { jobs, seed, has_faults: args.iter().any(|a| a == "--plant") };
    let samples = Sample::corpus(&crate::root().join("corpus/logs"))?;
    let made = write(Path::new(folder), &samples, &plan)?;
    println!("{} logs in {folder}, {} of them copies of others", made.logs, made.duplicates);
    Ok(())
}
