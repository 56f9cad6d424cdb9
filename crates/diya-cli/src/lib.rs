//! `diya`: the command line, as a program and in the Python package. Glue only; the work is
//! in the facade crate.

#![deny(dead_code)]
// a command that is not in its `COMMANDS` is a mistake

// Names and reasons come from logs: they pass the output layer.
#![warn(clippy::print_stdout, clippy::print_stderr)]

#[macro_use]
mod output;

mod command_line;
mod commands;
mod entry;
mod failure;
mod options;
mod progress;
mod prompt;
mod typed;

use command_line::command_line;
use failure::{Done, Failure};
use options::Common;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::OnceLock;
use typed::{Typed, understood};

/// The file that starts this program, where it is not the running executable: the script of
/// the Python package.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// What `diya` alone shows.
const FIRST_STEPS: &str = include_str!("first_steps.txt");

/// Runs the command line; gives the exit code. The first argument is the program itself, an
/// absolute path where that is not the running executable.
pub fn main(arguments: Vec<OsString>) -> u8 {
    if let Some(program) = arguments.first().map(PathBuf::from).filter(|p| p.is_absolute()) {
        // Set once: a process is one program.
        let _first = PROGRAM.set(program);
    }
    let (arguments, change) = match understood(arguments) {
        Typed::Line(line) => (line, None),
        Typed::Changed(line, change) => (line, Some(change)),
        Typed::Nothing => return first_steps(),
        Typed::Unknown(why) => {
            say!("{why}");
            return failure::WRONG;
        }
    };
    let matches = command_line().get_matches_from(arguments);
    let named = matches.subcommand().and_then(|(name, given)| {
        let entry = entry::entries().into_iter().find(|entry| entry.name == name);
        entry.map(|entry| (entry, given))
    });
    // clap takes no other names than those of the entries.
    let Some((entry, given)) = named else { return failure::WRONG };
    let common = entry::arguments::<Common>(&matches);
    if let Some(change) = change.filter(|_| !common.quiet) {
        say!("{change}");
    }
    // A recorded command gets its own signals: see commands::run.
    if !entry.passes_interrupt_on {
        output::clean_up_on_interrupt();
    }
    match (entry.run)(given, &common) {
        Ok(Done { losses: false }) => 0,
        Ok(Done { losses: true }) => failure::LOSSES,
        // Whoever reads our output has had enough, as `diya dump LOG | head`.
        Err(Failure::BrokenPipe) => 0,
        Err(failure) => {
            say!("{failure}");
            failure.exit_code()
        }
    }
}

/// Twenty lines for who types `diya`.
fn first_steps() -> u8 {
    let shown = output::to_stdout(output::Content::Text, |out| {
        Ok(std::io::Write::write_all(out, FIRST_STEPS.as_bytes())?)
    });
    shown.map_or_else(|failure| failure.exit_code(), |()| 0)
}

/// The file that starts this program.
pub(crate) fn program() -> std::io::Result<PathBuf> {
    PROGRAM.get().cloned().map_or_else(std::env::current_exe, Ok)
}
