//! `diya fleet join`: what a centre knows beside the logs, as tables of the dataset.
//!
//! A file is read whole and committed whole, with a row of `manifest`: a run that is killed
//! leaves nothing of it. Rows have an identity, so that files may overlap and grow.

mod account;
mod csv_text;
mod h5dump;
mod lctl;
mod lmt;
mod openmetrics;
mod pbs;
mod peaks;
mod prometheus;
mod server_value;
mod servers;
mod slurm;
mod time;
mod topology;

use crate::commit::{Buffer, partition};
use crate::generated::{ManifestRow, account as account_table, node_place, peak, server_metric};
use crate::known::{Known, file_key, status};
use crate::live::incomplete;
use crate::names::Names;
use crate::rows::number;
use crate::walk::mtime_ns;
use crate::{Anonymity, Dataset, FleetError, files};
use diya_tables::{TableBuilder, TableDef, columns};
use jiff::tz::TimeZone;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Rows of a table that are read at once.
const ROWS: usize = 8192;

/// Beginning of the names of commits of a join.
pub const PREFIX: &str = "join-";

/// Which kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// `sacct --parsable2`.
    Slurm,
    /// Accounting logs of PBS.
    Pbs,
    /// Peaks of file systems: CSV or TOML.
    Peaks,
    /// Metrics of servers: CSV, Prometheus, OpenMetrics, `lctl`, dumps of LMT and TOKIO.
    Servers,
    /// Which switch and enclosure each node belongs to.
    Topology,
}

/// What to join.
#[derive(Debug, Clone)]
pub struct JoinOptions {
    /// Files, and what they are.
    pub files: Vec<(Source, PathBuf)>,
    /// Name of the machine.
    pub system: String,
    /// Of times without a zone.
    pub zone: TimeZone,
    /// Which names are shown: as of the dataset.
    pub anonymity: Anonymity,
}

/// What a join did.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Joined {
    /// Files that were read.
    pub files: u64,
    /// Files that have not changed since they were read.
    pub known: u64,
    /// Rows that are new.
    pub rows: u64,
    /// Rows that were there.
    pub old_rows: u64,
    /// Jobs that have not ended, and steps of jobs.
    pub left_out: u64,
    /// Lines that cannot be read.
    pub bad_lines: u64,
    /// Why, of the first of them.
    pub first_bad: Option<String>,
    /// Files of another form: none of their rows are kept.
    pub refused: u64,
    /// Path of the first of them, and why.
    pub first_refused: Option<String>,
}

/// Where readers put rows.
pub struct Sink<'j> {
    pub names: &'j Names,
    pub zone: &'j TimeZone,
    /// When the file was changed last, nanoseconds since 1970 UTC.
    pub changed: i64,
    table: TableBuilder,
    known: &'j mut Rows,
    done: &'j mut Joined,
}

columns! {
    struct RowHashes by name { row_hash: i64 }
}

/// Identities of the rows of a table, by month, read when a month is touched.
struct Rows {
    /// The table's folder of the system.
    folder: PathBuf,
    months: HashMap<(i16, i8), HashSet<i64>>,
}

impl Rows {
    /// Whether a row is new.
    fn insert(&mut self, hash: i64, start: Option<i64>) -> Result<bool, FleetError> {
        let month = partition(start.unwrap_or(i64::MIN));
        if !self.months.contains_key(&month) {
            let folder = self.folder.join(format!("year={}/month={}", month.0, month.1));
            let (mut parts, mut known) = (Vec::new(), HashSet::new());
            crate::dataset::collect(&folder, &mut parts)?;
            for part in parts {
                let (_, reader) = files::read(&part, ROWS, Some(&["row_hash"]))?;
                for batch in reader {
                    let batch = batch.map_err(FleetError::parquet(&part))?;
                    let read = RowHashes::named(&batch).ok_or_else(|| incomplete(&part))?;
                    known.extend(read.row_hash.values());
                }
            }
            self.months.insert(month, known);
        }
        Ok(self.months.entry(month).or_default().insert(hash))
    }
}

impl Sink<'_> {
    /// Adds a row unless it is there.
    pub fn row(
        &mut self,
        identity: &[u8],
        start: Option<i64>,
        push: impl FnOnce(i64, &mut TableBuilder),
    ) -> Result<(), FleetError> {
        let hash = self.names.hash(self.table.def().name, identity);
        if self.known.insert(hash, start)? {
            push(hash, &mut self.table);
            self.done.rows += 1;
        } else {
            self.done.old_rows += 1;
        }
        Ok(())
    }

    /// A job that has not ended, or a step of one.
    pub fn left_out(&mut self) {
        self.done.left_out += 1;
    }

    /// A line that cannot be read; from 1.
    pub fn bad(&mut self, line: usize, why: &str) {
        self.done.bad_lines += 1;
        self.done.first_bad.get_or_insert_with(|| format!("line {line}: {why}"));
    }
}

/// Reads files into a dataset.
pub fn join(root: &Path, options: &JoinOptions) -> Result<Joined, FleetError> {
    let system = crate::ingest::system_name(&options.system)?;
    let names = Names::new(&options.anonymity);
    Dataset::open(root)?;
    let dataset = Dataset::create(root, &names)?;
    let _locks = dataset.lock_join()?;
    dataset.recover(Some(PREFIX))?;
    dataset.add_system(system)?;
    let seen = crate::ingest::now_ns();
    let prefix = format!("{PREFIX}{seen:x}-{:x}", std::process::id());
    let known = Known::read(&dataset, &names)?;
    let mut buffer = Buffer::new(&dataset, system, prefix, known, 0);
    let mut done = Joined::default();
    for (source, path) in &options.files {
        let named = |source| FleetError::Input { path: path.clone(), source };
        let path = std::path::absolute(path).map_err(named)?;
        let about = std::fs::metadata(&path).map_err(named)?;
        let (size, mtime) = (about.len(), names.moment(mtime_ns(&about)));
        let text = path.to_string_lossy();
        let shown = names.path("log", &text);
        if buffer.known.has_file(file_key(&names, &shown, size, mtime)) {
            done.known += 1;
            continue;
        }
        let bytes = std::fs::read(&path).map_err(named)?;
        let content = format!("{:032x}", names.hash128("log", &bytes));
        let def = table_of(*source);
        let folder = dataset.table(def).join(format!("system={system}"));
        let mut rows = Rows { folder, months: HashMap::new() };
        // Counted only if the file is of its form.
        let mut of_file = done.clone();
        let how = (&names, &options.zone, mtime);
        let error = match read(*source, &path, &bytes, &mut rows, how, &mut of_file) {
            Ok(rows) => {
                done = of_file;
                done.files += 1;
                if rows.rows() > 0 {
                    buffer.add(number(def), rows.into_batch());
                }
                None
            }
            Err(Fault::File(reason)) => {
                done.refused += 1;
                let first = || format!("{}: {reason}", path.display());
                done.first_refused.get_or_insert_with(first);
                Some(reason)
            }
            Err(Fault::Dataset(error)) => return Err(error),
        };
        // A reason may quote the file.
        let shown_error = error.as_deref().filter(|_| !names.is_anonymous);
        ManifestRow {
            path: &shown,
            size_bytes: i64::try_from(size).ok(),
            mtime: Some(mtime),
            log_hash: None,
            content_hash: Some(&content),
            status: if error.is_some() { status::REFUSED } else { status::JOINED },
            error: shown_error,
            version: diya::VERSION,
            seen,
        }
        .push(buffer.manifest());
        buffer.write()?;
    }
    Ok(done)
}

fn table_of(source: Source) -> &'static TableDef {
    match source {
        Source::Slurm | Source::Pbs => &account_table::DEF,
        Source::Peaks => &peak::DEF,
        Source::Servers => &server_metric::DEF,
        Source::Topology => &node_place::DEF,
    }
}

/// The rows of a file.
fn read<'j>(
    source: Source,
    path: &Path,
    bytes: &[u8],
    known: &'j mut Rows,
    (names, zone, changed): (&'j Names, &'j TimeZone, i64),
    done: &'j mut Joined,
) -> Result<TableBuilder, Fault> {
    let text = String::from_utf8_lossy(bytes);
    let table = TableBuilder::new(table_of(source));
    let mut sink = Sink { names, zone, changed, table, known, done };
    match source {
        Source::Slurm => slurm::read(&text, &mut sink),
        Source::Pbs => pbs::read(&text, &mut sink),
        Source::Peaks => peaks::read(&text, &mut sink),
        Source::Servers => servers::read(&text, &mut sink),
        Source::Topology => topology::read(path, &text, &mut sink),
    }?;
    Ok(sink.table)
}

/// Why a file has no rows.
#[derive(Debug)]
pub enum Fault {
    /// It is not of the form that it should have.
    File(String),
    /// The dataset cannot be read.
    Dataset(FleetError),
}

impl From<FleetError> for Fault {
    fn from(error: FleetError) -> Self {
        Self::Dataset(error)
    }
}
