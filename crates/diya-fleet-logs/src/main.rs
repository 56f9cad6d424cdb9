//! `cargo xtask fleet-logs DIR --jobs N [--seed S] [--plant]`: a fleet of logs, made from the
//! corpus; with `--plant` some of them have faults, which `DIR.truth.toml` beside them names.

use diya_fleet_logs::{Plan, Sample, write};
use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask fleet-logs DIR --jobs N [--seed S] [--plant]";

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
    let plan = Plan { jobs, seed, has_faults: args.iter().any(|a| a == "--plant") };
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/logs");
    let made = write(Path::new(folder), &Sample::corpus(&corpus)?, &plan)?;
    let truth = format!("{}.truth.toml", folder.trim_end_matches('/'));
    std::fs::write(&truth, &made.truth).map_err(|e| format!("{truth}: {e}"))?;
    Ok(format!("{} logs in {folder}, {} of them copies of others", made.logs, made.duplicates))
}
