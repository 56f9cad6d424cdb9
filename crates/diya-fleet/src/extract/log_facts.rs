//! What is known of one log of a batch.

use super::stripes::Component;
use super::usage::Use;
use crate::generated::metric;
use diya::model::Layer;
use diya_tables::{BatchSource, TableId};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Tables by their name.
pub type Tables<'t> = dyn Fn(TableId) -> Option<Arc<dyn BatchSource>> + 't;

/// Layers and their tables.
pub const LAYERS: [(Layer, TableId); 9] = [
    (Layer::Posix, TableId::Posix),
    (Layer::Stdio, TableId::Stdio),
    (Layer::Mpiio, TableId::Mpiio),
    (Layer::Hdf5File, TableId::Hdf5File),
    (Layer::Hdf5Dataset, TableId::Hdf5Dataset),
    (Layer::PnetcdfFile, TableId::PnetcdfFile),
    (Layer::PnetcdfVar, TableId::PnetcdfVar),
    (Layer::Dfs, TableId::Dfs),
    (Layer::Daos, TableId::Daos),
];

/// Tables of counters that rows are made of; single calls are not among them.
pub const COUNTERS: [TableId; 16] = [
    TableId::Job,
    TableId::File,
    TableId::Mount,
    TableId::Posix,
    TableId::Stdio,
    TableId::Mpiio,
    TableId::Hdf5File,
    TableId::Hdf5Dataset,
    TableId::PnetcdfFile,
    TableId::PnetcdfVar,
    TableId::Dfs,
    TableId::Daos,
    TableId::LustreComponent,
    TableId::LustreTarget,
    TableId::Heatmap,
    TableId::ReadIssue,
];

/// A name behind a file id.
#[derive(Debug, Clone, Default)]
pub struct Name {
    pub path: Option<String>,
    pub mount: Option<String>,
    pub fs_type: Option<String>,
    /// `path` is only the end of the real one.
    pub is_end: bool,
}

/// One log.
#[derive(Debug, Default)]
pub struct LogFacts {
    pub has_job: bool,
    pub format: String,
    pub job_id: Option<i64>,
    pub uid: Option<i64>,
    pub exe: Option<String>,
    pub command_line: Option<String>,
    pub nprocs: Option<i64>,
    pub start: Option<i64>,
    pub end: Option<i64>,
    pub run_time_s: Option<f64>,
    pub log_version: Option<String>,
    pub library_version: Option<String>,
    pub uses: Vec<Use>,
    pub names: HashMap<u64, Name>,
    pub components: BTreeMap<u64, Vec<Component>>,
    /// Host of each rank, without doubles.
    pub hosts: BTreeMap<(i32, String), ()>,
    /// Bytes of a bin of the heat map: start, length, bytes; of reads and of writes.
    pub heat: [Vec<(f64, f64, i64)>; 2],
    pub is_partial: bool,
    pub sums: Sums,
}

/// Sums by the number of their column in `metric`.
#[derive(Debug, Default)]
pub struct Sums {
    counts: Vec<Option<i64>>,
    /// Slowest POSIX read and write.
    pub longest_s: [Option<f64>; 2],
}

impl Sums {
    pub fn get(&self, column: usize) -> Option<i64> {
        self.counts.get(column).copied().flatten()
    }

    pub fn add(&mut self, column: usize, count: i64) {
        if self.counts.is_empty() {
            self.counts = vec![None; metric::DEF.columns.len()];
        }
        let sum = &mut self.counts[column];
        *sum = Some(sum.unwrap_or(0).saturating_add(count));
    }

    /// Columns that have a sum.
    pub fn all(&self) -> impl Iterator<Item = (usize, i64)> {
        let counts = self.counts.iter().enumerate();
        counts.filter_map(|(column, count)| Some((column, (*count)?)))
    }
}

/// The facts of a log by its number.
pub fn at(facts: &mut [LogFacts], log: Option<i32>) -> Option<&mut LogFacts> {
    facts.get_mut(usize::try_from(log?).ok()?)
}
