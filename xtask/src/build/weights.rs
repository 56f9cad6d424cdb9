//! How long each part of a build takes beside the others.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

/// Measured by `cargo xtask build --weigh`; one line: name, kind, seconds.
const WEIGHTS: &str = include_str!("weights.txt");
/// What `rlib`, `proc-macro` and the like are called.
pub const LIBRARIES: &[&str] = &["lib", "rlib", "proc-macro", "cdylib", "dylib", "staticlib"];
/// The run of a build script, which may compile C.
pub const SCRIPT: &str = "script";

/// Seconds of every unit on the machine where they were measured.
pub struct Weights {
    /// `NAME KIND` to seconds.
    pub seconds: HashMap<&'static str, f64>,
}

impl Weights {
    /// Those of a build of `diya` in this workspace.
    pub fn of_this_workspace() -> Self {
        let lines = WEIGHTS.lines().filter(|line| !line.starts_with('#'));
        let parsed = lines.filter_map(|line| {
            let (key, seconds) = line.rsplit_once(' ')?;
            Some((key, seconds.parse().ok()?))
        });
        Self { seconds: parsed.collect() }
    }
}

/// Writes `weights.txt` from the page that `cargo build --timings` leaves.
pub fn write(timings: &Path) -> Result<(), String> {
    let fail = |e: &dyn std::fmt::Display| format!("{}: {e}", timings.display());
    let page = std::fs::read_to_string(timings).map_err(|e| fail(&e))?;
    let units = page.split_once("UNIT_DATA = ").and_then(|(_, rest)| rest.split_once("];"));
    let units = units.ok_or_else(|| fail(&"holds no UNIT_DATA"))?.0;
    let units: Vec<serde_json::Value> =
        serde_json::from_str(&format!("{units}]")).map_err(|e| fail(&e))?;
    let mut lines: Vec<String> = units.iter().filter_map(line).collect();
    lines.sort_unstable();
    lines.dedup();
    let mut text =
        "# Seconds that each part of a build of diya took on one machine of two cores,\n\
        # for the share that is done; made by `cargo xtask build --weigh`.\n"
            .to_owned();
    for line in &lines {
        writeln!(text, "{line}").map_err(|e| e.to_string())?;
    }
    let place = crate::root().join("xtask/src/build/weights.txt");
    std::fs::write(&place, text).map_err(|e| format!("{}: {e}", place.display()))?;
    println!("{}: {} parts", place.display(), lines.len());
    Ok(())
}

/// The line of one unit of the page: a library, a program or the run of a script.
fn line(unit: &serde_json::Value) -> Option<String> {
    let name = unit["name"].as_str()?;
    let target = unit["target"].as_str()?;
    let kind = match unit["mode"].as_str()? {
        "run-custom-build" => SCRIPT,
        _ if target.contains("build script") || target.contains("build-script") => "custom-build",
        _ if target.contains("bin") => "bin",
        _ => "lib",
    };
    Some(format!("{name} {kind} {:.1}", unit["duration"].as_f64()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_weights_is_read() {
        let lines = WEIGHTS.lines().filter(|line| !line.starts_with('#')).count();
        let weights = Weights::of_this_workspace();
        assert!(lines > 200, "{lines} parts");
        // Two versions of one library share a line's name.
        assert!(weights.seconds.len() * 10 > lines * 9);
        assert!(weights.seconds.values().all(|s| s.is_finite() && *s >= 0.0));
    }
}
