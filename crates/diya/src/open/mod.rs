//! One or more logs, read into tables.

mod joined;
mod no_job;
mod outside;
mod system;

pub use joined::{Together, by_job};
pub use outside::Outside;

use crate::Threads;
use crate::input::{Input, InputError};
use diya_read::{ReadError, Request, Selection, Serial, TableSet, Within, Workers};
use diya_tables::{
    BatchSource, Batches, FrozenCalls, Issue, IssueKind, TableBuilder, TableId, Tables, file, job,
};
use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Hears of the progress of the work; called from several threads.
pub trait Progress: Sync {
    /// So many of all logs are read; 0: reading begins.
    fn logs_read(&self, read: usize, all: usize);
    /// What follows after the logs are read.
    fn began(&self, stage: Stage);
}

/// What is done with logs that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Metrics are computed.
    Computing,
    /// The checks judge.
    Judging,
}

/// How to open logs.
#[derive(Clone)]
pub struct OpenOptions<'a> {
    /// What is wanted of them.
    pub selection: Selection,
    /// Only files whose path contains one of these texts; empty: all files.
    pub paths: Vec<String>,
    /// Only calls of these regions and steps, and what can be counted from them.
    pub within: Within,
    /// Leaves out what is no data: /proc, pipes, sockets. Darshan does so itself.
    pub skips_system: bool,
    /// Keeps records with impossible numbers. By default these are left out, with a row
    /// in `read_issue`, because sums with them mean nothing.
    pub as_recorded: bool,
    /// Worker threads.
    pub threads: Threads,
    /// Listener for progress.
    pub progress: Option<&'a dyn Progress>,
}

impl Default for OpenOptions<'_> {
    fn default() -> Self {
        Self {
            selection: Selection::all(),
            paths: Vec::new(),
            within: Within::default(),
            skips_system: false,
            as_recorded: false,
            threads: Threads::new(0),
            progress: None,
        }
    }
}

/// Why one log is not in the tables.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {reason}")]
pub struct Refused {
    /// Number of the log.
    pub log: i32,
    /// Its name.
    pub name: String,
    /// Why it was refused.
    pub reason: String,
    /// Where in it the bytes stop making sense; `None`: at no one place.
    pub byte_offset: Option<u64>,
}

/// None of the logs could be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// A name leads to no log.
    #[error(transparent)]
    Input(#[from] InputError),
    /// Every log was refused; the first one, in words.
    #[error("{0}")]
    Refused(Refused),
    /// No log has a region or step that was asked for.
    #[error(transparent)]
    Outside(#[from] Outside),
    /// No log was named.
    #[error("no log was named")]
    Nothing,
}

/// `job.format` of a recording of our own.
const OWN_FORMAT: &str = "diya";

/// Logs per set of tables when there are many: large enough that batches are
/// worth their while, small enough that threads share the work evenly.
const LOGS_PER_BLOCK: usize = 64;

/// One or more logs as tables.
#[derive(Debug)]
pub struct Trace {
    names: Vec<String>,
    sources: Vec<Arc<dyn BatchSource>>,
    refused: Vec<Refused>,
}

impl Trace {
    /// Reads the logs.
    ///
    /// A log that is refused leaves a row in `read_issue` and is listed in
    /// [`Self::refused`]; only when all are refused is it an error.
    pub fn open(inputs: &[Input], options: &OpenOptions<'_>) -> Result<Self, OpenError> {
        let options = &for_analysis(options);
        let (blocks, refused) = read_blocks(inputs, options);
        let names = inputs.iter().map(|input| input.name.clone()).collect();
        Self::of((blocks, names), refused, inputs.len(), options)
    }

    /// Reads the logs of several jobs; those of one job become one log.
    pub fn open_jobs(jobs: &[Vec<Input>], options: &OpenOptions<'_>) -> Result<Self, OpenError> {
        let single = |job: &Vec<Input>| <[Input; 1]>::try_from(job.clone()).ok();
        if let Some(inputs) = jobs.iter().map(single).collect::<Option<Vec<[Input; 1]>>>() {
            return Self::open(inputs.as_flattened(), options);
        }
        let options = &for_analysis(options);
        let logs = jobs.iter().map(Vec::len).sum();
        let tell = |read: usize| {
            if let Some(progress) = options.progress {
                progress.logs_read(read, logs);
            }
        };
        let (mut blocks, mut refused) = (Vec::with_capacity(jobs.len()), Vec::new());
        let mut read = 0;
        tell(read);
        for (log, job) in jobs.iter().enumerate() {
            let log = i32::try_from(log).unwrap_or(i32::MAX);
            let mut is_read = || {
                read += 1;
                tell(read);
            };
            blocks.push(joined::read(job, log, options, &mut refused, &mut is_read));
        }
        let names = jobs.iter().map(|job| job_name(job)).collect();
        Self::of((blocks, names), refused, logs, options)
    }

    fn of(
        (mut blocks, names): (Vec<Tables>, Vec<String>),
        mut refused: Vec<Refused>,
        logs: usize,
        options: &OpenOptions<'_>,
    ) -> Result<Self, OpenError> {
        if !options.as_recorded {
            blocks.iter_mut().for_each(diya_read::remove_impossible);
        }
        let is_refused = refused.len() == logs;
        if options.within.is_set() && logs > 0 && !is_refused {
            outside::restrict(options, &mut blocks)?;
        }
        match logs {
            0 => Err(OpenError::Nothing),
            _ if is_refused => Err(OpenError::Refused(refused.remove(0))),
            _ => Ok(Self { names, sources: freeze(blocks, options.threads), refused }),
        }
    }

    /// Names of the logs; the number of a log is its place here.
    pub fn log_names(&self) -> &[String] {
        &self.names
    }

    /// Logs that are in no table but `read_issue`.
    pub fn refused(&self) -> &[Refused] {
        &self.refused
    }

    /// A table; it has no rows when the logs hold nothing for it.
    pub fn table(&self, id: TableId) -> &Arc<dyn BatchSource> {
        &self.sources[id as usize]
    }

    /// All tables.
    pub fn tables(&self) -> &[Arc<dyn BatchSource>] {
        &self.sources
    }
}

/// With table `job`, whose numbers say what else can be true, with what a filter looks at, and
/// with packed calls.
fn for_analysis<'a>(options: &OpenOptions<'a>) -> OpenOptions<'a> {
    let tables = options.selection.tables.with(TableId::Job).union(options.within.tables());
    let selection = Selection { tables, packs_calls: true, ..options.selection.clone() };
    OpenOptions { selection, ..options.clone() }
}

/// Reads one log into tables that are still open, for consumers of single
/// cells such as `dump`.
pub fn read_one(input: &Input, options: &OpenOptions<'_>) -> Result<Tables, OpenError> {
    let mut tables = Tables::new();
    read_log(input, 0, options, &options.threads, &mut tables).map_err(OpenError::Refused)?;
    Ok(tables)
}

/// Appends a log, as log 0, to tables that may hold parts of the same job.
pub(crate) fn read_more(
    input: &Input,
    options: &OpenOptions<'_>,
    tables: &mut Tables,
) -> Result<(), OpenError> {
    read_log(input, 0, options, &options.threads, tables).map_err(OpenError::Refused)
}

fn read_blocks(inputs: &[Input], options: &OpenOptions<'_>) -> (Vec<Tables>, Vec<Refused>) {
    let threads = options.threads;
    let done = AtomicUsize::new(0);
    let tell = |read: usize| {
        if let Some(progress) = options.progress {
            progress.logs_read(read, inputs.len());
        }
    };
    tell(0);
    let is_many = inputs.len() >= threads.width() * 2;
    let per_block = if is_many {
        LOGS_PER_BLOCK.min(inputs.len().div_ceil(threads.width()))
    } else {
        inputs.len()
    };
    let blocks: Vec<&[Input]> = inputs.chunks(per_block.max(1)).collect();
    let results: Vec<Mutex<(Tables, Vec<Refused>)>> =
        blocks.iter().map(|_| Mutex::new((Tables::new(), Vec::new()))).collect();
    let read_block = |block: usize, workers: &dyn Workers| {
        let mut result = results[block].lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let (tables, refused) = &mut *result;
        for (place, input) in blocks[block].iter().enumerate() {
            let log = i32::try_from(block * per_block + place).unwrap_or(i32::MAX);
            if let Err(refusal) = read_log(input, log, options, workers, tables) {
                refused_row(tables, &refusal);
                refused.push(refusal);
            }
            tell(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    // Many logs: one thread per block of them. Few: the threads work inside.
    if is_many {
        threads.run(blocks.len(), &|block| read_block(block, &Serial));
    } else {
        (0..blocks.len()).for_each(|block| read_block(block, &threads));
    }
    let results = results.into_iter();
    let results =
        results.map(|r| r.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner));
    let (tables, refused): (Vec<_>, Vec<_>) = results.unzip();
    (tables, refused.into_iter().flatten().collect())
}

/// Name of a log that was several.
fn job_name(job: &[Input]) -> String {
    let first = job.first().map_or("", |input| input.name.as_str());
    match job.len() {
        0 | 1 => first.to_owned(),
        logs => format!("{first} and {} more", logs - 1),
    }
}

fn refused_row(tables: &mut Tables, refusal: &Refused) {
    tables.push_issue(refusal.log, Issue::of_log(IssueKind::Refused, &refusal.reason));
}

fn read_log(
    input: &Input,
    log: i32,
    options: &OpenOptions<'_>,
    workers: &dyn Workers,
    tables: &mut Tables,
) -> Result<(), Refused> {
    let refuse =
        |reason: String| Refused { log, name: input.name.clone(), reason, byte_offset: None };
    let opened = input.open().map_err(|e| match e {
        InputError::Io { source, .. } => refuse(source.to_string()),
        // Its text begins with the name, as that of a refusal does.
        InputError::Mapping(_, reason) => {
            let way_out = "docs/formats/mapping.md has an example";
            refuse(format!("the mapping cannot be used: {reason}; {way_out}"))
        }
        other => refuse(other.to_string()),
    })?;
    let request = Request {
        source: &*opened.source,
        log,
        log_name: &input.name,
        outer_compression: opened.outer_compression,
        selection: &options.selection,
        workers,
    };
    let refuse_for = |e: ReadError| {
        let reason = match opened.problem.get() {
            Some(problem) => format!("{e} ({})", problem.effect),
            None => e.to_string(),
        };
        Refused { byte_offset: e.byte_offset(), ..refuse(reason) }
    };
    let file_ids = if options.paths.is_empty() && !options.skips_system {
        None
    } else {
        ids_of(&request, options).map_err(refuse_for)?
    };
    let jobs = tables.rows(TableId::Job);
    if file_ids.is_none() {
        diya_read::read(&request, tables).map_err(refuse_for)?;
    } else {
        let selection = &Selection { file_ids, ..options.selection.clone() };
        diya_read::read(&Request { selection, ..request }, tables).map_err(refuse_for)?;
    }
    if tables.rows(TableId::Job) == jobs {
        no_job::push(tables, log, &input.name);
    }
    if let Some(problem) = opened.problem.get() {
        tables.push_issue(log, Issue::of_log(problem.kind, &problem.effect));
    }
    Ok(())
}

/// Ids of the files that are wanted; `None`: all are.
fn ids_of(
    request: &Request<'_>,
    options: &OpenOptions<'_>,
) -> Result<Option<HashSet<u64>>, ReadError> {
    let read = |table: TableId| {
        let mut tables = Tables::new();
        let selection = &Selection::tables(TableSet::NONE.with(table));
        diya_read::read(&Request { selection, ..*request }, &mut tables).map(|()| tables)
    };
    let skips_system = options.skips_system && {
        let jobs = read(TableId::Job)?;
        let format = jobs.table(TableId::Job).and_then(|jobs| jobs.str(job::FORMAT, 0));
        format.is_some_and(|format| !format.starts_with("darshan"))
    };
    if options.paths.is_empty() && !skips_system {
        return Ok(None);
    }
    let names = read(TableId::File)?;
    let Some(files) = names.table(TableId::File) else { return Ok(Some(HashSet::new())) };
    let is_selected = |row: &usize| {
        let path = files.str(file::PATH, *row).unwrap_or_default();
        let is_named = options.paths.iter().any(|text| path.contains(text.as_str()));
        (options.paths.is_empty() || is_named) && !(skips_system && system::is_system(path))
    };
    let wanted = (0..files.rows()).filter(is_selected);
    let ids = wanted.filter_map(|row| files.u64(file::FILE_ID, row));
    Ok(Some(ids.collect()))
}

/// Tables of all blocks, ready to be read as Arrow.
pub fn freeze(mut blocks: Vec<Tables>, threads: Threads) -> Vec<Arc<dyn BatchSource>> {
    let mut calls = diya_tables::CallTable::default();
    let mut heatmap = diya_tables::HeatmapTable::default();
    for block in &mut blocks {
        calls.append(std::mem::take(&mut block.calls));
        heatmap.append(std::mem::take(&mut block.heatmap));
    }
    let calls = calls.finish_on(&|tasks, work| threads.run(tasks, work));
    let mut calls: Option<FrozenCalls> = Some(calls);
    let mut heatmap = Some(heatmap.finish());
    TableId::ALL
        .into_iter()
        .map(|id| -> Arc<dyn BatchSource> {
            match (
                id,
                calls.take_if(|_| id == TableId::Call),
                heatmap.take_if(|_| id == TableId::Heatmap),
            ) {
                (_, Some(calls), _) => Arc::new(calls),
                (_, _, Some(heatmap)) => Arc::new(heatmap),
                _ => {
                    let parts = blocks.iter_mut().filter_map(|block| block.take(id));
                    let batches = parts.map(TableBuilder::into_batch).collect();
                    Arc::new(Batches::new(id.def(), batches))
                }
            }
        })
        .collect()
}

/// The tables that a set of names needs, for callers that know them as text.
pub fn tables_named<'n>(names: impl IntoIterator<Item = &'n str>) -> TableSet {
    names.into_iter().filter_map(crate::table_named).collect()
}
