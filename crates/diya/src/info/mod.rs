//! What a log is, what is in it, and what is missing: one screen, without
//! reading the trace of single calls.

mod text;

use crate::input::Input;
use crate::open::{OpenError, OpenOptions, read_one};
use diya_model::{Role, calls_text, recorded_time};
use diya_read::{Selection, TableSet};
use diya_tables::{TableBuilder, TableId, Tables, job, module, mount, process, read_issue};
use serde::Serialize;

/// Overview of one log.
#[derive(Debug, Serialize)]
pub struct Info {
    /// Name of the log.
    pub log: String,
    /// Format: "darshan", "darshan-legacy", "diya".
    pub format: String,
    /// Version text of the format.
    pub log_version: Option<String>,
    /// Version of the library that recorded it.
    pub library_version: Option<String>,
    /// How its parts are compressed.
    pub compression: Option<String>,
    /// Bytes of the file.
    pub size_bytes: u64,
    /// Byte order of the machine that wrote it.
    pub is_big_endian: Option<bool>,
    /// Id of the job.
    pub job_id: Option<i64>,
    /// User id.
    pub uid: Option<i64>,
    /// Program.
    pub exe: Option<String>,
    /// Command line.
    pub command_line: Option<String>,
    /// Processes of the job.
    pub nprocs: Option<i64>,
    /// Start, nanoseconds since 1970 UTC.
    pub start_time_ns: Option<i64>,
    /// Seconds from start to end.
    pub run_time_s: Option<f64>,
    /// File systems that hold files of the job: mount point, type, files.
    pub file_systems: Vec<FileSystem>,
    /// Names in the log: files, and the objects of HDF5, PnetCDF and DAOS.
    pub names: usize,
    /// What each layer did.
    pub layers: Vec<LayerTotals>,
    /// Parts of the log.
    pub modules: Vec<Module>,
    /// What an own trace recorded; not there in another kind of log.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recorded: Option<Recorded>,
    /// What is missing, in words.
    pub missing: Vec<String>,
    /// Rows of `read_issue`.
    pub issues: Vec<Issue>,
}

/// A file system and how many files of the job it holds.
#[derive(Debug, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct FileSystem {
    pub mount: String,
    pub fs_type: String,
    pub files: usize,
}

/// Sums over all records of one layer; null: the layer does not count it.
#[derive(Debug, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct LayerTotals {
    pub layer: String,
    pub files: usize,
    /// Files with a record of all ranks.
    pub shared_files: usize,
    pub read_calls: Option<i64>,
    pub write_calls: Option<i64>,
    pub bytes_read: Option<i64>,
    pub bytes_written: Option<i64>,
    /// Time in calls, summed over ranks.
    pub time_s: Option<f64>,
}

/// Processes of an own trace and their calls.
#[derive(Debug, Default, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Recorded {
    pub processes: usize,
    /// Processes whose end was not recorded: killed, or still running.
    pub unfinished_processes: usize,
    /// Calls in table `call`.
    pub calls_recorded: i64,
    /// Calls in the counters only.
    pub calls_counted: i64,
    /// Calls that are nowhere.
    pub calls_dropped: i64,
}

/// A part of the log.
#[derive(Debug, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Module {
    pub module: String,
    pub version: Option<i32>,
    pub stored_bytes: Option<u64>,
    pub is_partial: bool,
    pub is_decoded: bool,
}

/// A row of `read_issue`.
#[derive(Debug, Serialize)]
#[allow(missing_docs)] // the names say it
pub struct Issue {
    pub kind: String,
    pub module: Option<String>,
    pub byte_offset: Option<u64>,
    pub count: Option<u64>,
    pub effect: String,
}

/// Tables with reads and writes, from the program's side down.
const LAYERS: [TableId; 8] = [
    TableId::Hdf5Dataset,
    TableId::PnetcdfVar,
    TableId::Mpiio,
    TableId::Posix,
    TableId::Stdio,
    TableId::Dfs,
    TableId::Daos,
    TableId::Mdhim,
];

/// Tables that an overview needs: all but those that come from the trace of
/// single calls and other bulk.
fn wanted() -> TableSet {
    LAYERS
        .into_iter()
        .collect::<TableSet>()
        .with(TableId::File)
        .with(TableId::Hdf5File)
        .with(TableId::PnetcdfFile)
        .with(TableId::Process)
}

/// Reads what an overview needs.
pub fn info(input: &Input, options: &OpenOptions<'_>) -> Result<Info, OpenError> {
    let selection = Selection { tables: wanted(), ..options.selection.clone() };
    let tables = read_one(input, &OpenOptions { selection, ..options.clone() })?;
    Ok(of_tables(input, &tables))
}

fn of_tables(input: &Input, tables: &Tables) -> Info {
    let empty = TableBuilder::new(TableId::Job.def());
    let job = tables.table(TableId::Job).unwrap_or(&empty);
    let text = |column| job.str(column, 0).map(str::to_string);
    let modules = modules(tables);
    let layers: Vec<LayerTotals> = LAYERS.iter().filter_map(|id| totals(tables, *id)).collect();
    let issues = issues(tables);
    let recorded = recorded(tables);
    Info {
        log: input.name.clone(),
        format: text(job::FORMAT).unwrap_or_default(),
        log_version: text(job::LOG_VERSION),
        library_version: text(job::LIBRARY_VERSION),
        compression: text(job::COMPRESSION),
        size_bytes: input.size_bytes(),
        is_big_endian: job.bool(job::IS_BIG_ENDIAN, 0),
        job_id: job.i64(job::JOB_ID, 0),
        uid: job.i64(job::UID, 0),
        exe: text(job::EXE),
        command_line: text(job::COMMAND_LINE),
        nprocs: job.i64(job::NPROCS, 0),
        start_time_ns: job.i64(job::START_TIME, 0),
        run_time_s: job.f64(job::RUN_TIME_S, 0),
        file_systems: file_systems(tables),
        names: tables.rows(TableId::File),
        missing: match &recorded {
            Some(recorded) => missing_of_trace(recorded),
            None => missing(&modules, &layers, job.i64(job::NPROCS, 0)),
        },
        layers,
        modules,
        recorded,
        issues,
    }
}

fn totals(tables: &Tables, id: TableId) -> Option<LayerTotals> {
    let table = tables.table(id)?;
    let rows = 0..table.rows();
    let sum = |role: Role| {
        let columns: Vec<usize> = table.def().with_role(role).collect();
        let cells = rows.clone().flat_map(|row| columns.iter().map(move |c| table.i64(*c, row)));
        cells.flatten().fold(None, |sum: Option<i64>, v| Some(sum.unwrap_or(0).saturating_add(v)))
    };
    let time = |role: Role| {
        let column = table.def().with_role(role).next()?;
        let times = rows.clone().filter_map(|row| table.f64(column, row));
        times.filter_map(recorded_time).reduce(|a, b| a + b)
    };
    let files: std::collections::HashSet<u64> =
        rows.clone().filter_map(|row| table.u64(1, row)).collect();
    let shared_files = rows.clone().filter(|row| table.i32(2, *row) == Some(-1)).count();
    Some(LayerTotals {
        layer: id.def().name.into(),
        files: files.len(),
        shared_files,
        read_calls: sum(Role::Read),
        write_calls: sum(Role::Write),
        bytes_read: sum(Role::BytesRead),
        bytes_written: sum(Role::BytesWritten),
        time_s: Role::TIMES.into_iter().filter_map(time).reduce(|a, b| a + b),
    })
}

fn modules(tables: &Tables) -> Vec<Module> {
    let Some(t) = tables.table(TableId::Module) else { return Vec::new() };
    let row = |row: usize| Module {
        module: t.str(module::MODULE, row).unwrap_or_default().into(),
        version: t.i32(module::VERSION, row),
        stored_bytes: t.u64(module::STORED_BYTES, row),
        is_partial: t.bool(module::IS_PARTIAL, row).unwrap_or(false),
        is_decoded: t.bool(module::IS_DECODED, row).unwrap_or(false),
    };
    // Header, job and names are parts of every log.
    (0..t.rows()).map(row).filter(|m| m.version.is_some()).collect()
}

fn issues(tables: &Tables) -> Vec<Issue> {
    let Some(t) = tables.table(TableId::ReadIssue) else { return Vec::new() };
    let row = |row: usize| Issue {
        kind: t.str(read_issue::KIND, row).unwrap_or_default().into(),
        module: t.str(read_issue::MODULE, row).map(str::to_string),
        byte_offset: t.u64(read_issue::BYTE_OFFSET, row),
        count: t.u64(read_issue::COUNT, row),
        effect: t.str(read_issue::EFFECT, row).unwrap_or_default().into(),
    };
    (0..t.rows()).map(row).collect()
}

fn file_systems(tables: &Tables) -> Vec<FileSystem> {
    let (Some(mounts), Some(files)) = (tables.table(TableId::Mount), tables.table(TableId::File))
    else {
        return Vec::new();
    };
    let mut counts = std::collections::HashMap::new();
    for row in 0..files.rows() {
        if let Some(mount) = files.str(diya_tables::file::MOUNT, row) {
            *counts.entry(mount).or_insert(0) += 1;
        }
    }
    let mut out: Vec<FileSystem> = (0..mounts.rows())
        .filter_map(|row| {
            let name = mounts.str(mount::MOUNT, row)?;
            let files = counts.remove(name)?;
            let fs_type = mounts.str(mount::FS_TYPE, row).unwrap_or_default().into();
            Some(FileSystem { mount: name.into(), fs_type, files })
        })
        .collect();
    out.sort_by_key(|fs| std::cmp::Reverse(fs.files));
    out
}

fn recorded(tables: &Tables) -> Option<Recorded> {
    let t = tables.table(TableId::Process)?;
    // Processes of Darshan logs that are read as one job have no counts of calls.
    t.i64(process::CALLS_RECORDED, 0)?;
    let sum = |column| (0..t.rows()).filter_map(|row| t.i64(column, row)).sum();
    let has_end = |row: &usize| t.f64(process::END_S, *row).is_some();
    Some(Recorded {
        processes: t.rows(),
        unfinished_processes: t.rows() - (0..t.rows()).filter(has_end).count(),
        calls_recorded: sum(process::CALLS_RECORDED),
        calls_counted: sum(process::CALLS_COUNTED),
        calls_dropped: sum(process::CALLS_DROPPED),
    })
}

/// What an own trace does not hold, and how to get it.
fn missing_of_trace(recorded: &Recorded) -> Vec<String> {
    let mut missing = Vec::new();
    if recorded.calls_counted > 0 {
        missing.push(format!(
            "{} single calls: they are in the counters only (profile mode, or after --max-trace)",
            calls_text(recorded.calls_counted.unsigned_abs())
        ));
    }
    if recorded.calls_dropped > 0 {
        missing.push(format!(
            "{} calls: the issues have the reason",
            calls_text(recorded.calls_dropped.unsigned_abs())
        ));
    }
    missing
}

/// What a reader of this log would look for in vain, and how to get it.
fn missing(modules: &[Module], layers: &[LayerTotals], nprocs: Option<i64>) -> Vec<String> {
    let has = |name: &str| modules.iter().any(|m| m.module == name);
    let mut missing = Vec::new();
    if !has("DXT_POSIX") && !has("DXT_MPIIO") {
        missing.push(
            "single calls (no DXT): set DXT_ENABLE_IO_TRACE=1, or Darshan's MOD_ENABLE, for the job"
                .to_string(),
        );
    }
    if !has("HEATMAP") && !has("DXT_POSIX") {
        missing
            .push("activity over time (no HEATMAP): Darshan 3.4 and later record it".to_string());
    }
    let has_mpiio = has("MPI-IO") || layers.iter().any(|l| l.layer == "mpiio");
    if nprocs.is_some_and(|n| n > 1) && !has_mpiio {
        missing.push(
            "MPI-IO calls: the program makes none, or Darshan was built without this module".into(),
        );
    }
    if layers.is_empty() {
        missing.push("all counters of reads and writes".to_string());
    }
    missing
}
