//! What is known of a run besides its segments: its mounts, its programs' source lines.

use diya_tables::IssueKind;

/// A file system that was mounted where the run was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mount {
    /// Mount point.
    pub path: String,
    /// Type as the system names it.
    pub fs_type: String,
}

/// A line of source that an address stands for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SourceFrame {
    /// Name of the function, demangled.
    pub function: Option<String>,
    /// Source file.
    pub file: Option<String>,
    /// Line in it, from 1.
    pub line: Option<u32>,
    /// The function was inlined into the next frame.
    pub is_inlined: bool,
}

/// A function that has a name in its module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// Its name, demangled.
    pub name: String,
    /// The address lies inside it, not only behind it.
    pub is_inside: bool,
}

/// Finds the source lines of addresses: needs the program's files.
pub trait Resolver: Sync {
    /// Frames of an address of a module, innermost first; none when not known.
    /// The address counts from the start of the module's file.
    fn frames(&self, module: &str, build_id: Option<&str>, address: u64) -> Vec<SourceFrame>;

    /// The symbol that such an address lies in, or else the nearest before it.
    fn symbol(&self, _: &str, _: Option<&str>, _: u64) -> Option<Symbol> {
        None
    }

    /// Which of these functions the file of a program defines.
    fn defined<'a>(&self, _program: &str, _functions: &[&'a str]) -> Vec<&'a str> {
        Vec::new()
    }
}

/// Leaves addresses as they are.
#[derive(Debug, Clone, Copy)]
pub struct NoResolver;

impl Resolver for NoResolver {
    fn frames(&self, _: &str, _: Option<&str>, _: u64) -> Vec<SourceFrame> {
        Vec::new()
    }
}

/// What is known of the run from elsewhere.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// Number of the log.
    pub log: i32,
    /// Name of the log.
    pub log_name: String,
    /// What was started.
    pub command_line: Option<String>,
    /// When, in nanoseconds since 1970.
    pub start_ns: Option<u64>,
    /// When it ended, in nanoseconds since 1970.
    pub end_ns: Option<u64>,
    /// File systems.
    pub mounts: Vec<Mount>,
    /// Version of this program.
    pub tool_version: String,
    /// Text for column `metadata` of table `job`.
    pub metadata: Option<String>,
    /// What else the reader of the log must know: kind and effect.
    pub issues: Vec<(IssueKind, String)>,
    /// What the leading thread of the run did: rows of table `leader_time`.
    pub leader: Vec<Leading>,
}

/// Time that the leading thread of the run spent on something.
#[derive(Debug, Clone, Default)]
pub struct Leading {
    /// Name of the program.
    pub program: String,
    /// What it did.
    pub activity: String,
    /// What it waited for.
    pub place: Option<String>,
    /// Another program of the run started it; `None`: not known.
    pub started: Option<bool>,
    /// Seconds.
    pub time_s: f64,
    /// How often it was seen so.
    pub seen: i64,
}
