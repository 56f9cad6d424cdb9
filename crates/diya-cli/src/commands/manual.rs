//! Man pages and shell completions, made from the command line itself.

use crate::command_line::command_line;
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::output::{Content, to_stdout};
use clap::Args;
use std::io::Write as _;
use std::path::PathBuf;

pub const COMMANDS: &[Entry] = &[
    Entry {
        name: "completions",
        group: Group::SetUp,
        place: 3,
        help: "Print shell completions",
        examples: &[
            ("eval \"$(diya completions bash)\"", "in ~/.bashrc"),
            ("diya completions fish > ~/.config/fish/completions/diya.fish", "fish"),
        ],
        augment: CompletionsArgs::augment_args,
        run: |given, _| completions(&arguments(given)),
        ..Entry::USUAL
    },
    Entry {
        name: "manual",
        group: Group::SetUp,
        place: 9,
        help: "Write man pages",
        is_hidden: true,
        augment: ManualArgs::augment_args,
        run: |given, _| pages(&arguments(given)),
        ..Entry::USUAL
    },
];

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
    clap_complete::generate(args.shell, &mut command_line(), "diya", &mut script);
    to_stdout(Content::Binary, |out| Ok(out.write_all(&script)?))?;
    Ok(Done::WHOLE)
}

pub fn pages(args: &ManualArgs) -> Result<Done, Failure> {
    let folder = &args.folder;
    let fail = |e: std::io::Error| Failure::Output(format!("{}: {e}", folder.display()));
    std::fs::create_dir_all(folder).map_err(fail)?;
    clap_mangen::generate_to(command_line(), folder).map_err(fail)?;
    Ok(Done::WHOLE)
}
