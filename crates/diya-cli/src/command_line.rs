//! The command line as clap sees it; help, man pages and completions follow.

use crate::entry::{Entry, Example, Group, entries};
use crate::options::Common;
use clap::builder::styling::{AnsiColor, Style, Styles};
use clap::{Command, CommandFactory as _, Parser};
use std::fmt::Write as _;

const EXIT_CODES: &str = "Exit codes:
  0    done
  1    done, but some logs could not be read (see standard error)
  2    nothing could be read: no such file, not a log, or a wrong command line
  3    the SQL query is wrong or failed
  4    the result could not be written
  5    `diya gate`: the run is slower, or has findings (see standard error)
  130  interrupted

Logs are files, folders of logs, `-` for standard input, or archives (.tar, .tar.gz, .zip) of
logs; gzip and bzip2 files are unpacked automatically.";

/// Records and analyses the I/O of parallel programs. Reads logs of diya, of Darshan (1.x, 2.x,
/// 3.x) and of other tools.
#[derive(Debug, Parser)]
#[command(name = "diya", version, after_long_help = EXIT_CODES, propagate_version = true)]
struct Cli {
    #[command(flatten)]
    common: Common,
}

/// Columns of a small terminal.
const NARROW: usize = 80;

/// Columns of an example that are neither the command line nor what it does.
const BESIDE: usize = "    # ".len();

const HEADING: Style = Style::new().bold().underline();
const LITERAL: Style = Style::new().bold();

/// The whole command line.
pub fn command_line() -> Command {
    let styles = Styles::styled().header(HEADING).usage(HEADING).literal(LITERAL);
    let styles = styles.error(AnsiColor::Red.on_default().bold());
    let mut command = Cli::command()
        .styles(styles)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand_value_name("COMMAND")
        .help_template(format!(
            "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n\
             {}{HEADING}Options:{HEADING:#}\n{{options}}{{after-help}}",
            grouped()
        ));
    for (place, entry) in entries().into_iter().enumerate() {
        command = command.subcommand(subcommand(entry).display_order(place));
    }
    command
}

fn subcommand(entry: &Entry) -> Command {
    let command = (entry.augment)(Command::new(entry.name));
    let command = command.about(entry.help).hide(entry.is_hidden);
    let own = command.get_after_help().map(ToString::to_string);
    match examples(entry.examples) {
        text if text.is_empty() => command,
        text => command.after_help(own.map_or(text.clone(), |own| format!("{own}\n\n{text}"))),
    }
}

/// The end of the help of a command.
pub fn examples(examples: &[Example]) -> String {
    if examples.is_empty() {
        return String::new();
    }
    // What they do stands in one column, except behind a line that leaves no room for it.
    let longest = |text: fn(&Example) -> usize| examples.iter().map(text).max().unwrap_or(0);
    let room = NARROW - BESIDE - longest(|(_, what)| what.len());
    let column = longest(|(line, _)| line.len()).min(room);
    let mut text = format!("{HEADING}Examples:{HEADING:#}");
    for (line, what) in examples {
        let pad = column.saturating_sub(line.len());
        let _ = write!(text, "\n  {LITERAL}{line}{LITERAL:#}{:pad$}  # {what}", "");
    }
    text
}

/// The commands below the headings of their groups.
fn grouped() -> String {
    let mut text = String::new();
    let shown: Vec<&Entry> = entries().into_iter().filter(|entry| !entry.is_hidden).collect();
    let widest = shown.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    for group in Group::ALL {
        let _ = writeln!(text, "{HEADING}{}:{HEADING:#}", group.title());
        for Entry { name, help, .. } in shown.iter().filter(|entry| entry.group == group) {
            let _ = writeln!(
                text,
                "  {LITERAL}{name}{LITERAL:#}{:1$}  {help}",
                "",
                widest - name.len()
            );
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests;
