//! `build`: `cargo build`, with how long it takes on this machine.
//!
//! A first build compiles some 300 libraries for many minutes. How long each one
//! takes beside the others is known (`weights.txt`); how fast this machine is shows
//! in the first seconds. Both together give the time that remains.

mod progress;
mod weights;

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::cargo::{cargo, quoted, target_dir};
use progress::Progress;
use weights::Weights;

/// Builds with the arguments of `cargo build`; `--weigh FILE.html` instead reads what
/// `cargo build --timings` wrote and writes `weights.txt` anew.
pub fn run(args: &[String]) -> Result<(), String> {
    if let [option, timings] = args
        && option == "--weigh"
    {
        return weights::write(std::path::Path::new(timings));
    }
    build(args)
}

/// Runs `cargo build` with these arguments and shows what remains to be done.
pub fn build(args: &[String]) -> Result<(), String> {
    let line = args.iter().map(|arg| quoted(arg)).collect::<Vec<_>>().join(" ");
    println!("$ cargo build {line}");
    let mut command = cargo(&crate::root());
    command.args(["build", "--quiet", "--locked", "--message-format=json-render-diagnostics"]);
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|e| format!("cargo build: {e}"))?;
    let output = child.stdout.take().ok_or("cargo build: no output")?;
    let progress = Progress::start(Weights::of_this_workspace());
    for message in BufReader::new(output).lines().map_while(Result::ok) {
        if let Some(unit) = Unit::of_message(&message) {
            progress.finished(&unit);
        }
    }
    progress.end();
    match child.wait() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`cargo build {line}` ended with {status}")),
        Err(e) => Err(format!("`cargo build {line}`: {e}")),
    }
}

/// Builds `diya` quickly, for the demo and the tests, and returns where it is.
///
/// `--workspace --bin diya`, not `-p diya-cli`: cargo merges the features of
/// the packages it is asked for, and with another set of packages it would
/// build the SQL engine again for the tests (docs/decisions/0003).
pub fn build_diya(root: &Path) -> Result<PathBuf, String> {
    build(&["--workspace", "--bin", "diya"].map(str::to_owned))?;
    Ok(target_dir(root)?.join("debug").join("diya"))
}

/// A piece of work that cargo reports when it is done.
#[derive(Debug, PartialEq, Eq)]
struct Unit {
    /// `NAME KIND` as in `weights.txt`.
    key: String,
    /// Whether it was there from an earlier build.
    is_fresh: bool,
}

impl Unit {
    fn of_message(message: &str) -> Option<Self> {
        let message: serde_json::Value = serde_json::from_str(message).ok()?;
        let name = package_name(message["package_id"].as_str()?);
        match message["reason"].as_str()? {
            "compiler-artifact" => {
                let kind = message["target"]["kind"][0].as_str()?;
                let kind = if weights::LIBRARIES.contains(&kind) { "lib" } else { kind };
                let is_fresh = message["fresh"].as_bool().unwrap_or(false);
                Some(Self { key: format!("{name} {kind}"), is_fresh })
            }
            // The message does not say whether the script ran now: its program
            // compiles before it, and what it builds is small but for zstd.
            "build-script-executed" => {
                Some(Self { key: format!("{name} {}", weights::SCRIPT), is_fresh: false })
            }
            _ => None,
        }
    }
}

/// The name in an identifier such as `registry+URL#name@1.0.0` or `path+URL/name#1.0.0`.
fn package_name(id: &str) -> &str {
    let (source, version) = id.rsplit_once('#').unwrap_or(("", id));
    match version.split_once('@') {
        Some((name, _)) => name,
        None => source.rsplit('/').next().unwrap_or(source),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_packages_are_read_from_both_kinds_of_identifiers() {
        assert_eq!(
            package_name("registry+https://a.example/index#zstd-sys@2.0.1+zstd"),
            "zstd-sys"
        );
        assert_eq!(package_name("path+file:///src/crates/diya-cli#0.1.0"), "diya-cli");
    }

    #[test]
    fn an_artifact_is_a_unit_and_other_messages_are_none() {
        let artifact = r#"{"reason":"compiler-artifact","package_id":"registry+x#syn@2.0.0",
            "target":{"kind":["rlib"]},"fresh":true}"#;
        let unit = Unit::of_message(artifact).expect("a unit");
        assert_eq!(unit, Unit { key: "syn lib".to_owned(), is_fresh: true });
        assert_eq!(Unit::of_message(r#"{"reason":"build-finished","success":true}"#), None);
        assert_eq!(Unit::of_message("no JSON"), None);
    }
}
