//! Where results go: standard output or a file, through one layer that lets no
//! text of a log steer a terminal.

/// `say!("{log}: cannot be read")`: a message on standard error.
macro_rules! say {
    ($($words:tt)*) => { $crate::output::to_stderr(format_args!($($words)*)) };
}

mod clean;
mod file;

pub use clean::{Content, Out};
pub use file::{check, to_file};

use crate::failure::Failure;
use crate::options::Common;
use clap::ValueEnum;
use diya::report::{TextTable, width};
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Files that an interrupt must not leave behind.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A command ends by itself soon after this is set, and cleans up.
static STOP: AtomicBool = AtomicBool::new(false);

/// Whether a command looks at [`STOP`].
static IS_STOPPABLE: AtomicBool = AtomicBool::new(false);

/// Lets the first Ctrl-C only set the flag that is returned; the second one ends the program.
pub fn stop_on_interrupt() -> &'static AtomicBool {
    IS_STOPPABLE.store(true, Ordering::SeqCst);
    &STOP
}

/// On Ctrl-C: removes unfinished files, shows the cursor again, and ends with
/// the code that shells give an interrupted program.
pub fn clean_up_on_interrupt() {
    // Without a handler Ctrl-C still ends the program, only less tidily.
    let _ = ctrlc::set_handler(|| {
        if IS_STOPPABLE.load(Ordering::SeqCst) && !STOP.swap(true, Ordering::SeqCst) {
            return;
        }
        for path in UNFINISHED.lock().map(|files| files.clone()).unwrap_or_default() {
            let _ = std::fs::remove_file(path);
        }
        let _ = io::stderr().write_all(b"\x1b[?25h");
        std::process::exit(130);
    });
}

/// Remembers a file, or a folder whose `.part` files, an interrupt removes.
pub fn remember_unfinished(path: PathBuf) {
    if let Ok(mut files) = UNFINISHED.lock() {
        files.push(path);
    }
}

/// It is whole, or gone.
fn forget_unfinished(path: &Path) {
    if let Ok(mut files) = UNFINISHED.lock() {
        files.retain(|file| file != path);
    }
}

/// When to use colours.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// At a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    Always,
    Never,
}

impl Colour {
    /// Whether to use them, on standard output or in a file.
    pub fn is_on(self, is_file: bool) -> bool {
        let is_asked_off = || std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => !is_file && io::stdout().is_terminal() && !is_asked_off(),
        }
    }
}

/// Columns of a line: those of the terminal, or of the text that a pager or a
/// file gets.
pub fn columns(is_file: bool) -> usize {
    let asked = || std::env::var("COLUMNS").ok()?.parse().ok();
    let terminal = || Some(usize::from(console::Term::stdout().size_checked()?.1));
    let is_terminal = !is_file && io::stdout().is_terminal();
    if is_terminal { terminal().or_else(asked) } else { asked() }.unwrap_or(100)
}

/// Columns of a line of standard error.
pub fn columns_of_messages() -> usize {
    let size = console::Term::stderr().size_checked().filter(|_| io::stderr().is_terminal());
    size.map_or_else(|| columns(true), |(_, columns)| usize::from(columns))
}

/// Columns that a table may take: those of the terminal. What goes elsewhere is never cut.
pub fn room(is_file: bool) -> Option<usize> {
    (!is_file && io::stdout().is_terminal()).then(|| columns(is_file))
}

/// A table whose last column is prose, as wide as the terminal.
pub fn write_prose_table(out: &mut dyn Write, mut table: TextTable) -> io::Result<()> {
    if let Some(room) = room(false) {
        table.wrap_last(room);
    }
    table.write(out, 0)
}

/// Says which columns the terminal has no room for.
pub fn say_columns(columns: &[String], common: &Common) {
    const NAMED: usize = 8;
    if columns.is_empty() || common.quiet {
        return;
    }
    let named = columns.iter().take(NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    let more = columns.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let (verb, plural) = if columns.len() == 1 { ("does", "") } else { ("do", "s") };
    say!(
        "{} column{plural} {verb} not fit: {named}{more}; `--format csv` or a pipe has all",
        columns.len()
    );
}

/// Lets `write` fill standard output.
pub fn to_stdout(
    content: Content,
    write: impl FnOnce(&mut Out) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut out = Out::new(Box::new(io::stdout()), content);
    let written = write(&mut out);
    if out.is_reader_gone() {
        return Err(Failure::BrokenPipe);
    }
    written?;
    Ok(out.finish()?)
}

/// Says something on standard error, beside the output.
pub fn to_stderr(words: std::fmt::Arguments<'_>) {
    let mut out = Out::new(Box::new(io::stderr()), Content::Text);
    let mut text = format!("diya: {words}");
    let size = || console::Term::stderr().size_checked();
    if let (true, Some((_, columns))) = (io::stderr().is_terminal(), size()) {
        text = flowed(&text, columns.into());
    }
    // Where standard error is closed there is no other place for it.
    let _ = writeln!(out, "{text}").and_then(|()| out.finish());
}

/// Lets `write` fill standard error.
pub fn on_stderr(write: impl FnOnce(&mut Out) -> io::Result<()>) -> io::Result<()> {
    let mut out = Out::new(Box::new(io::stderr()), Content::Text);
    write(&mut out)?;
    out.finish()
}

/// The text in lines that a terminal has room for, broken between words: what has no blank can
/// still be copied as a whole.
fn flowed(text: &str, columns: usize) -> String {
    let mut flowed = String::with_capacity(text.len());
    let mut used = 0;
    for (place, word) in text.split(' ').enumerate() {
        let first_line = word.split('\n').next().unwrap_or_default();
        if place > 0 && used + 1 + width(first_line) > columns {
            flowed.push_str("\n  ");
            used = 2;
        } else if place > 0 {
            flowed.push(' ');
            used += 1;
        }
        flowed.push_str(word);
        used = word.rsplit_once('\n').map_or(used, |_| 0)
            + width(word.rsplit('\n').next().unwrap_or(word));
    }
    flowed
}

/// A fault of a writer that has only words for it.
pub fn write_failure(reason: String) -> Failure {
    Failure::Output(format!("cannot write the output: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_broken_between_words() {
        assert_eq!(flowed("diya: one two three", 12), "diya: one\n  two three");
        assert_eq!(
            flowed("diya: /a/long/path/of/a/log here", 12),
            "diya:\n  /a/long/path/of/a/log\n  here"
        );
        assert_eq!(flowed("diya: a\ndiya: one two", 11), "diya: a\ndiya: one\n  two");
    }
}
