//! Man pages and shell completions, made from the command line itself.

use crate::args::Cli;
use crate::failure::{Done, Failure};
use crate::output::{Content, to_stdout};
use clap::{Args, CommandFactory as _};
use std::io::Write as _;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Shell to complete for
    shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub struct ManualArgs {
    /// Folder to write them to
    folder: PathBuf,
}

pub fn completions(args: &CompletionsArgs) -> Result<Done, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "diya", &mut script);
    to_stdout(Content::Binary, |out| Ok(out.write_all(&script)?))?;
    Ok(Done::WHOLE)
}

pub fn pages(args: &ManualArgs) -> Result<Done, Failure> {
    let folder = &args.folder;
    let fail = |e: std::io::Error| Failure::Output(format!("{}: {e}", folder.display()));
    std::fs::create_dir_all(folder).map_err(fail)?;
    clap_mangen::generate_to(Cli::command(), folder).map_err(fail)?;
    Ok(Done::WHOLE)
}
