//! `fleet-logs DIR --jobs N [--seed S] [--plant|--sizes]`: a fleet of logs, made from the corpus.

use crate::cargo;

/// Runs the program that makes them: it reads and writes logs, which `xtask` itself must
/// not need, as it makes a part of their sources.
pub fn run(args: &[String]) -> Result<(), String> {
    let mut made = cargo::cargo(&crate::root());
    made.args(["run", "--quiet", "-p", "diya-fleet-logs", "--"]).args(args);
    let status = made.status().map_err(|error| format!("cargo: {error}"))?;
    status.success().then_some(()).ok_or_else(|| "no fleet was made".to_owned())
}
