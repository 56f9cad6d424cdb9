//! Man pages and shell completions, made from the command line itself.

use crate::command_line::command_line;
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::output::{Content, to_stdout};
use clap::{Args, Command};
use clap_mangen::Man;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

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
    let fail = |e: io::Error| Failure::Output(format!("{}: {e}", folder.display()));
    std::fs::create_dir_all(folder).map_err(fail)?;
    let mut whole = command_line().disable_help_subcommand(true);
    whole.build();
    page(&whole, folder).map_err(fail)?;
    Ok(Done::WHOLE)
}

/// Writes the page of a command and those of its subcommands.
fn page(command: &Command, folder: &Path) -> io::Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        page(below, folder)?;
    }
    let man = Man::new(command.clone());
    let mut text = Vec::new();
    man.render(&mut text)?;
    // Examples and lists of exit codes keep their lines.
    let text = String::from_utf8_lossy(&text);
    let text = text
        .replace(".SH EXTRA\n", ".SH NOTES\n.nf\n")
        .replace(".SH VERSION\n", ".fi\n.SH VERSION\n");
    std::fs::write(folder.join(man.get_filename()), text)
}
