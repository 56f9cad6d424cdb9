//! A log becomes another log: other format, other compression, fewer files,
//! other names.
//!
//! read -> leave out -> rename -> reduce -> write. What the new log does not
//! contain of the old one is reported as [`Lost`].

mod files;
mod glob;
mod job;
mod obfuscate;

pub use diya_write::darshan::Compression;
pub use glob::Glob;
pub use obfuscate::Obfuscation;

use crate::input::Input;
use crate::{OpenError, OpenOptions, read_one};
use diya_read::Selection;
use diya_tables::{CallTable, TableId, Tables, module};
use diya_write::darshan::{DarshanOptions, Written};
use diya_write::{Loss, WriteError};
use std::path::Path;

/// Format of a log to be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutputFormat {
    /// Darshan 3.41.
    Darshan,
    /// The format of diya, which holds all tables as they are.
    Diya,
}

/// What to do with a log.
#[derive(Debug, Clone, Default)]
pub struct ConvertOptions {
    /// Compression of a Darshan log.
    pub compression: Compression,
    /// Keep thread ids of calls, which released versions of PyDarshan cannot read.
    pub has_threads: bool,
    /// One record instead of one per rank for files that all ranks opened.
    pub is_reduced: bool,
    /// Leave out the timed calls.
    pub drops_trace: bool,
    /// Which files to keep.
    pub files: FileChoice,
    /// Replace names.
    pub obfuscation: Option<Obfuscation>,
    /// Forget the metadata of the job but the version of the recording library.
    pub resets_metadata: bool,
    /// A line of metadata to add.
    pub annotation: Option<String>,
}

/// Which files to keep; without any wish, all of them.
#[derive(Debug, Clone, Default)]
pub struct FileChoice {
    /// Only files that one of these holds for.
    pub only: Vec<Glob>,
    /// No files that one of these holds for.
    pub skip: Vec<Glob>,
    /// Only files with these ids.
    pub ids: Vec<u64>,
}

/// A log that was written, in memory.
#[derive(Debug)]
pub struct Converted {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What it does not hold of the old log.
    pub losses: Vec<Lost>,
    /// Records before and after the reduction, if there was one.
    pub reduced: Option<(usize, usize)>,
    /// Rows of `read_issue` of the old log.
    pub issues: usize,
}

/// Something that the new log does not hold.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Lost {
    /// Part of the log.
    pub part: String,
    /// How many rows, bytes or names; `effect` says which.
    pub count: u64,
    /// What it means.
    pub effect: String,
}

impl std::fmt::Display for Lost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}: {}", self.part, self.count, self.effect)
    }
}

impl From<Loss> for Lost {
    fn from(loss: Loss) -> Self {
        Self { part: loss.part.into(), count: loss.count, effect: loss.effect.into() }
    }
}

/// Why a log was not converted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConvertError {
    /// It could not be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// It could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The name of the new log says nothing of its format.
    #[error("{0}: unknown format; the name of the new log has to end in .darshan or .diya")]
    UnknownFormat(String),
    /// No file was left.
    #[error("none of the {0} files of the log is selected; `diya tables LOG file` lists them")]
    NoFiles(usize),
}

impl OutputFormat {
    /// The format that the name of a file stands for.
    ///
    /// ```
    /// use diya::convert::OutputFormat;
    /// assert_eq!(OutputFormat::of("a.darshan".as_ref()).unwrap(), OutputFormat::Darshan);
    /// assert!(OutputFormat::of("a.txt".as_ref()).is_err());
    /// ```
    pub fn of(path: &Path) -> Result<Self, ConvertError> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("darshan") => Ok(Self::Darshan),
            Some("diya") => Ok(Self::Diya),
            _ => Err(ConvertError::UnknownFormat(path.display().to_string())),
        }
    }
}

/// Reads one log and writes it anew.
pub fn convert(
    input: &Input,
    format: OutputFormat,
    open: &OpenOptions<'_>,
    options: &ConvertOptions,
) -> Result<Converted, ConvertError> {
    let mut wanted: Selection = open.selection.clone();
    if options.drops_trace {
        wanted.tables = wanted.tables.without(TableId::Call);
    }
    let mut losses = Vec::new();
    wanted.file_ids = files::chosen(input, open, &options.files)?;
    let open = &OpenOptions { selection: wanted, ..open.clone() };
    let mut tables = read_one(input, open)?;
    if options.drops_trace {
        // A reader may bring the calls along with the hosts that they tell.
        tables.calls = CallTable::default();
        tables.truncate(TableId::StackFrame, 0);
        tables.truncate(TableId::Binary, 0);
    }
    losses.extend(undecoded(&tables));
    if let Some(ids) = &open.selection.file_ids {
        losses.extend(files::leave_out(&mut tables, ids));
    }
    finish(tables, format, options, losses)
}

/// Renames, reduces and writes tables that were read.
pub(crate) fn finish(
    mut tables: Tables,
    format: OutputFormat,
    options: &ConvertOptions,
    mut losses: Vec<Lost>,
) -> Result<Converted, ConvertError> {
    job::edit_metadata(&mut tables, options);
    if let Some(obfuscation) = &options.obfuscation {
        obfuscate::obfuscate(&mut tables, obfuscation);
    }
    let issues = tables.rows(TableId::ReadIssue);
    let nprocs = job::nprocs(&tables);
    if options.is_reduced && format == OutputFormat::Diya {
        losses.extend(emptied_by_reduction(&tables));
    }
    let reduced = options.is_reduced.then(|| diya_write::reduce(&mut tables, 0, nprocs));
    let written = match format {
        OutputFormat::Darshan => darshan(&tables, options)?,
        OutputFormat::Diya => diya(&tables),
    };
    losses.extend(written.losses.into_iter().map(Lost::from));
    Ok(Converted { bytes: written.bytes, losses, reduced, issues })
}

fn darshan(tables: &Tables, options: &ConvertOptions) -> Result<Written, WriteError> {
    let compression = options.compression;
    let options = DarshanOptions { compression, has_threads: options.has_threads };
    diya_write::darshan::write(tables, 0, &options)
}

/// Tables that follow from the counters of single ranks. A reader of a Darshan
/// log makes them anew.
fn emptied_by_reduction(tables: &Tables) -> impl Iterator<Item = Lost> {
    let derived = [TableId::SizeHistogram, TableId::AccessSize];
    let rows = derived.map(|id| (id.def().name, tables.rows(id)));
    rows.into_iter().filter(|(_, rows)| *rows > 0).map(|(name, rows)| Lost {
        part: name.into(),
        count: rows as u64,
        effect: "rows that do not fit reduced counters".into(),
    })
}

fn diya(tables: &Tables) -> Written {
    let bytes =
        diya_write::diya_file::to_bytes(tables, concat!("diya ", env!("CARGO_PKG_VERSION")));
    Written { bytes, losses: Vec::new() }
}

/// Modules that are in no table cannot go to the new log.
fn undecoded(tables: &Tables) -> Vec<Lost> {
    let Some(modules) = tables.table(TableId::Module) else { return Vec::new() };
    let rows = (0..modules.rows()).filter(|&r| modules.bool(module::IS_DECODED, r) == Some(false));
    rows.map(|row| Lost {
        part: modules.str(module::MODULE, row).unwrap_or_default().to_string(),
        count: modules.u64(module::STORED_BYTES, row).unwrap_or(0),
        effect: "bytes of a module that diya does not decode".into(),
    })
    .collect()
}
