//! Maintenance commands of the workspace: `cargo xtask <command>`.
//!
//! What a person or CI does to the repository lives here, in Rust, so that it
//! runs wherever the project builds. One command is one file.

mod bench;
mod build;
mod cargo;
mod corpus_diff;
mod demo;
mod demo_fleet;
mod dist;
mod fleet_logs;
mod generate;
mod tidy;
mod wasm;
mod web_app;

use std::process::ExitCode;

/// What a command does with the arguments after its name.
type Action = fn(&[String]) -> Result<(), String>;

/// Name, one line of help, and the function of every command.
const COMMANDS: &[(&str, &str, Action)] = &[
    ("bench", "measure reading and querying as ratios in one run", bench::run),
    (
        "build",
        "cargo build, with the time that remains (--weigh TIMINGS: measure the parts)",
        build::run,
    ),
    (
        "corpus-diff",
        "compare what the corpus reads as and is told (--update: accept it)",
        corpus_diff::run,
    ),
    ("demo", "build diya and run it on a log of the corpus", demo::run),
    (
        "demo-fleet",
        "make a fleet of logs, ingest it, ask three questions, write its page",
        demo_fleet::run,
    ),
    ("dist", "build and pack the one file that is handed out", dist::run),
    (
        "fleet-logs",
        "make a fleet of logs from the corpus (--plant: with known faults)",
        fleet_logs::run,
    ),
    ("generate", "write the files that follow from schema/ (--check: only compare)", generate::run),
    ("tidy", "check the rules of the repository that a program can check", tidy::run),
    ("wasm", "build the decoder that pages carry (--check: only compare)", wasm::run),
    ("web-app", "build the page that opens a dropped log in the browser alone", web_app::run),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let known = args.first().and_then(|name| COMMANDS.iter().find(|c| c.0 == name));
    let Some((_, _, command)) = known else {
        eprintln!("usage: cargo xtask <command>\n");
        for (name, help, _) in COMMANDS {
            eprintln!("  {name:<12} {help}");
        }
        return ExitCode::from(2);
    };
    match command(&args[1..]) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Root of the repository: the folder above this crate.
pub(crate) fn root() -> std::path::PathBuf {
    let here = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}
