//! Where what `report`, `compare` and `check` print goes, and how much of it.

use crate::failure::Failure;
use crate::output::{Colour, Content, columns, to_file, to_stdout};
use clap::Args;
use diya::report::{Detail, TextOptions};
use std::io::Write;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct TextArgs {
    /// Write the text to a file
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print only the verdict and the list of findings
    #[arg(long, conflicts_with = "verbose")]
    pub brief: bool,
    /// Print everything: all evidence, fixes, numbers and checks
    #[arg(long, short)]
    pub verbose: bool,
    /// Colours in the text
    #[arg(long, value_enum, default_value_t = Colour::Auto)]
    pub color: Colour,
}

impl TextArgs {
    /// The layout asked for; `usual` where nothing was said of the detail.
    pub fn options(&self, usual: Detail) -> TextOptions {
        let is_file = self.output.is_some();
        TextOptions {
            columns: columns(is_file),
            colour: self.color.is_on(is_file),
            detail: match (self.brief, self.verbose) {
                (true, _) => Detail::Brief,
                (_, true) => Detail::Verbose,
                _ => usual,
            },
        }
    }

    /// Lets `write` fill what was asked for.
    pub fn write(
        &self,
        content: Content,
        write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let is_text = content == Content::Text;
        let is_coloured = is_text && self.color.is_on(self.output.is_some());
        let content = if is_coloured { Content::Coloured } else { content };
        match &self.output {
            Some(path) => to_file(path, content, |out| write(out)),
            None => to_stdout(content, |out| write(out)),
        }
    }
}
