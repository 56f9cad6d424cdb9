//! `bench`: how fast and how lean reading is, as ratios in one run.

use std::process::Command;

/// Builds what is needed and runs the benchmarks; arguments go to them.
pub fn run(args: &[String]) -> Result<(), String> {
    let script = crate::root().join("scripts/bench.sh");
    crate::cargo::run(Command::new(&script).args(args))
}
