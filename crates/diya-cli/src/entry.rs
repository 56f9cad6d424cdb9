//! How a command registers itself: its file in `commands/` declares a constant `COMMANDS`, which
//! build.rs finds.

use crate::failure::{Done, Failure};
use crate::options::Common;
use clap::{ArgMatches, Command, FromArgMatches};

/// A command of diya.
pub struct Entry {
    /// The word after `diya`.
    pub name: &'static str,
    /// Where `diya --help` lists it.
    pub group: Group,
    /// Its place in the group; the main commands come first.
    pub place: u8,
    /// What it does, in one line.
    pub help: &'static str,
    /// Command lines for the end of its help.
    pub examples: &'static [Example],
    /// Whether `diya --help` leaves it out.
    pub is_hidden: bool,
    /// Whether Ctrl-C is for the program that it starts.
    pub passes_interrupt_on: bool,
    /// Adds its arguments: `Args::augment_args`.
    pub augment: fn(Command) -> Command,
    /// Does what it says.
    pub run: fn(&ArgMatches, &Common) -> Result<Done, Failure>,
}

/// A command line, and what it does.
pub type Example = (&'static str, &'static str);

impl Entry {
    /// What most commands have in common, for `..Entry::USUAL`.
    pub const USUAL: Self = Self {
        name: "",
        group: Group::SetUp,
        place: 0,
        help: "",
        examples: &[],
        is_hidden: false,
        passes_interrupt_on: false,
        augment: |command| command,
        run: |_, _| Ok(Done::WHOLE),
    };
}

/// What one wants to do, in the order of `diya --help`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    Record,
    Diagnose,
    Look,
    Compare,
    Fix,
    ManyJobs,
    Convert,
    SetUp,
}

impl Group {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Record,
        Self::Diagnose,
        Self::Look,
        Self::Compare,
        Self::Fix,
        Self::ManyJobs,
        Self::Convert,
        Self::SetUp,
    ];

    /// Its heading.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Record => "Record",
            Self::Diagnose => "Diagnose",
            Self::Look => "Look at a job",
            Self::Compare => "Compare",
            Self::Fix => "Fix and prove",
            Self::ManyJobs => "Many jobs",
            Self::Convert => "Convert",
            Self::SetUp => "Set up",
        }
    }
}

/// The arguments of a command. The definition that read them made the matches, so they fit.
pub fn arguments<A: FromArgMatches>(matches: &ArgMatches) -> A {
    A::from_arg_matches(matches).unwrap_or_else(|error| error.exit())
}

/// All commands, group by group.
pub fn entries() -> Vec<&'static Entry> {
    let mut all: Vec<&Entry> = REGISTERED.iter().copied().flatten().collect();
    all.sort_by_key(|entry| (entry.group, entry.place, entry.name));
    all
}

/// The constants of all files.
const REGISTERED: &[&[Entry]] = include!(concat!(env!("OUT_DIR"), "/commands.rs"));
