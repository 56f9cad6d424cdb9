//! A log becomes that of another job.

use crate::people::{HOT_TARGET, Job, SKEW_S, SLOWER};
use crate::random::Random;
use diya_model::Role;
use diya_tables::{
    ColumnDef, HeatmapTable, Kind, LustreComponentRow, LustreTargetRow, MountRow, TableBuilder,
    TableId, Tables, file, job, record_id,
};
use diya_write::darshan::{DarshanOptions, write};
use diya_write::rows::copy_cell;
use std::collections::HashMap;

/// Where the files of jobs lie.
const MOUNT: &str = "/scratch";

/// Targets of the file system.
const TARGETS: usize = 16;

const STRIPE_BYTES: i64 = 1 << 20;

/// A file of the new job.
struct NewFile {
    id: u64,
    path: String,
    targets: Vec<i64>,
}

/// The bytes of the log of a job, made from the tables of a sample.
pub fn log(sample: &Tables, of: &Job, random: &mut Random) -> Result<Vec<u8>, String> {
    let files = new_files(sample, of, random);
    let mut out = Tables::new();
    // A slow target makes the whole run longer by the time that its slowest file takes.
    let mut extra_s = 0f64;
    for id in TableId::ALL {
        let Some(table) = sample.table(id) else { continue };
        let is_kept = !matches!(
            id,
            TableId::LustreComponent
                | TableId::LustreTarget
                | TableId::ReadIssue
                | TableId::RankHost
        );
        if is_kept {
            let changed = match id {
                TableId::Job => continue,
                TableId::File => renamed(table, &files),
                _ => records(table, of, &files, &mut extra_s),
            };
            out.put_back(id, changed);
        }
    }
    out.heatmap = heatmap(sample, of);
    calls(sample, of, &files, &mut out);
    let jobs = sample.table(TableId::Job).ok_or("it has no job")?;
    out.put_back(TableId::Job, job_row(jobs, of, extra_s));
    out.push_mount(MountRow { log: 0, mount: MOUNT, fs_type: "lustre" });
    layouts(&mut out, &files);
    write(&out, 0, &DarshanOptions::default()).map(|log| log.bytes).map_err(|e| e.to_string())
}

/// The files that a job may put where it likes, under new names.
fn new_files(sample: &Tables, of: &Job, random: &mut Random) -> HashMap<u64, NewFile> {
    let mut files = HashMap::new();
    let Some(names) = sample.table(TableId::File) else { return files };
    for row in 0..names.rows() {
        let (Some(old), Some(path)) = (names.u64(file::FILE_ID, row), names.str(file::PATH, row))
        else {
            continue;
        };
        let is_system =
            ["/proc", "/sys", "/dev", "/usr", "/lib", "/etc"].iter().any(|f| path.starts_with(f));
        if !path.starts_with('/') || is_system {
            continue;
        }
        // Objects in files are named `file:object`: both get the folder of the job.
        let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
        let path = format!("{MOUNT}/{}/{}/run{}/{name}", of.user, of.program, of.id);
        let first = random.below(TARGETS) as i64;
        let targets = if of.is_hot { vec![HOT_TARGET] } else { vec![first] };
        files.insert(old, NewFile { id: record_id(path.as_bytes()), path, targets });
    }
    files
}

/// Table `file` with the new names.
fn renamed(table: &TableBuilder, files: &HashMap<u64, NewFile>) -> TableBuilder {
    let mut out = TableBuilder::new(table.def());
    for row in 0..table.rows() {
        let new = table.u64(file::FILE_ID, row).and_then(|id| files.get(&id));
        for column in 0..table.def().columns.len() {
            match (column, new) {
                (file::FILE_ID, Some(new)) => out.push_u64(column, Some(new.id)),
                (file::PATH, Some(new)) => out.push_str(column, Some(&new.path)),
                (file::MOUNT, Some(_)) => out.push_str(column, Some(MOUNT)),
                (file::FS_TYPE, Some(_)) => out.push_str(column, Some("lustre")),
                _ => copy_cell(table, column, row, &mut out),
            }
        }
        out.end_row();
    }
    out
}

/// How a counter grows with the work.
enum Growth {
    /// As the work does.
    Work,
    /// Its square, as a variance.
    WorkSquared,
    /// As the time does.
    Time,
    TimeSquared,
    /// Time in calls, which a slow target stretches.
    Calls,
    Metadata,
    /// A moment of the run.
    Moment,
    None,
}

fn growth(column: &ColumnDef) -> Growth {
    let is_sum = matches!(
        column.role,
        Some(
            Role::BytesRead
                | Role::BytesWritten
                | Role::MaxOffset
                | Role::SlowestBytes
                | Role::FastestBytes
        )
    );
    match (column.kind, column.unit, column.role) {
        (Kind::F64, "s", Some(Role::MetadataTime)) => Growth::Metadata,
        (
            Kind::F64,
            "s",
            Some(Role::ReadTime | Role::WriteTime | Role::SlowestTime | Role::FastestTime),
        ) => Growth::Calls,
        (Kind::F64, "s", _) if column.name.ends_with("_timestamp") => Growth::Moment,
        (Kind::F64, "s", _) => Growth::Time,
        (Kind::F64, "s2", _) => Growth::TimeSquared,
        (Kind::F64, "bytes2", _) => Growth::WorkSquared,
        (Kind::I64, "calls" | "switches", _) => Growth::Work,
        (Kind::I64, "bytes", _) if is_sum => Growth::Work,
        _ => Growth::None,
    }
}

/// Records with new ids and grown counters.
fn records(
    table: &TableBuilder,
    of: &Job,
    files: &HashMap<u64, NewFile>,
    extra_s: &mut f64,
) -> TableBuilder {
    let mut out = TableBuilder::new(table.def());
    let work = of.scale as f64;
    let file_column = table.def().column("file_id");
    for row in 0..table.rows() {
        let new = file_column.and_then(|c| table.u64(c, row)).and_then(|id| files.get(&id));
        let is_slow = new.zip(of.slow_target).is_some_and(|(file, slow)| file.targets == [slow]);
        let calls = if is_slow { SLOWER } else { 1.0 };
        for (column, def) in table.def().columns.iter().enumerate() {
            let real = |factor: f64| table.f64(column, row).map(|value| value * factor);
            match growth(def) {
                Growth::Work => {
                    let grown = table.i64(column, row).map(|count| count.saturating_mul(of.scale));
                    out.push_i64(column, grown);
                }
                Growth::WorkSquared => out.push_f64(column, real(work * work)),
                Growth::Time | Growth::Moment => out.push_f64(column, real(work * of.slower)),
                Growth::TimeSquared => {
                    out.push_f64(column, real((work * of.slower * calls).powi(2)))
                }
                Growth::Calls => {
                    let time_s = real(work * of.slower * calls);
                    *extra_s = extra_s.max(time_s.filter(|_| is_slow).unwrap_or(0.0));
                    out.push_f64(column, time_s);
                }
                Growth::Metadata => {
                    let time_s = real(work * of.slower * of.metadata_slower);
                    let more = time_s.filter(|_| of.has_bad_version).unwrap_or(0.0);
                    *extra_s = extra_s.max(more);
                    out.push_f64(column, time_s);
                }
                Growth::None if def.unit == "file_id" => {
                    let id = table.u64(column, row);
                    out.push_u64(column, id.map(|id| files.get(&id).map_or(id, |new| new.id)));
                }
                Growth::None => copy_cell(table, column, row, &mut out),
            }
        }
        out.end_row();
    }
    out
}

fn heatmap(sample: &Tables, of: &Job) -> HeatmapTable {
    let mut out = HeatmapTable::default();
    for record in sample.heatmap.records() {
        let mut record = record.clone();
        record.bin_width_s *= of.scale as f64 * of.slower;
        for bytes in record.read.iter_mut().chain(&mut record.write) {
            *bytes = bytes.saturating_mul(of.scale);
        }
        out.push(record);
    }
    out
}

/// Single calls, where the sample has them: of the new files, at their times.
fn calls(sample: &Tables, of: &Job, files: &HashMap<u64, NewFile>, out: &mut Tables) {
    let slower = of.scale as f64 * of.slower;
    for chunk in sample.calls.chunks() {
        let mut chunk = chunk.into_owned();
        for run in &mut chunk.runs {
            run.file_id = files.get(&run.file_id).map_or(run.file_id, |new| new.id);
            let mut here = |id| out.calls.name_id(sample.calls.name(id));
            run.host = run.host.map(&mut here);
            run.function = run.function.map(&mut here);
            run.error = run.error.map(&mut here);
        }
        chunk.start_s.iter_mut().chain(&mut chunk.end_s).for_each(|time_s| *time_s *= slower);
        out.calls.push_chunk(chunk);
    }
}

fn job_row(table: &TableBuilder, of: &Job, extra_s: f64) -> TableBuilder {
    let mut out = TableBuilder::new(table.def());
    let run_s = table.f64(job::RUN_TIME_S, 0).unwrap_or(1.0).max(1.0) * of.scale as f64 * of.slower;
    let start = of.start_s * 1_000_000_000;
    let length_s = if of.is_skewed { -SKEW_S as f64 } else { run_s + extra_s };
    let exe = format!("/sw/{0}/bin/{0}", of.program);
    for column in 0..table.def().columns.len() {
        match column {
            job::JOB_ID => out.push_i64(column, Some(i64::from(of.id))),
            job::UID => out.push_i64(column, Some(of.uid)),
            job::EXE => out.push_str(column, Some(&exe)),
            job::COMMAND_LINE => out.push_str(column, Some(&format!("{exe} input.nml"))),
            job::START_TIME => out.push_i64(column, Some(start)),
            job::END_TIME => out.push_i64(column, Some(start + (length_s * 1e9) as i64)),
            job::RUN_TIME_S => out.push_f64(column, Some(length_s)),
            job::LIBRARY_VERSION => out.push_str(column, Some(of.library_version)),
            job::METADATA => {
                out.push_str(column, Some(&format!("lib_ver={}\n", of.library_version)))
            }
            _ => copy_cell(table, column, 0, &mut out),
        }
    }
    out.end_row();
    out
}

/// Every file of the job lies on Lustre.
fn layouts(out: &mut Tables, files: &HashMap<u64, NewFile>) {
    let opened: Vec<(u64, i32)> = out.table(TableId::Posix).map_or_else(Vec::new, |posix| {
        let key = |row| posix.u64(1, row).zip(posix.i32(2, row));
        (0..posix.rows()).filter_map(key).collect()
    });
    let by_new: HashMap<u64, &NewFile> = files.values().map(|file| (file.id, file)).collect();
    for (id, rank) in opened {
        let Some(file) = by_new.get(&id) else { continue };
        out.push_lustre_component(LustreComponentRow {
            log: 0,
            file_id: id,
            rank,
            component: 0,
            stripe_size: Some(STRIPE_BYTES),
            stripe_count: Some(file.targets.len() as i64),
            osts: Some(TARGETS as i64),
            mdts: Some(1),
            ..LustreComponentRow::UNKNOWN
        });
        for (stripe, ost) in file.targets.iter().enumerate() {
            out.push_lustre_target(LustreTargetRow {
                log: 0,
                file_id: id,
                rank,
                component: 0,
                stripe: i32::try_from(stripe).unwrap_or(0),
                ost_id: Some(*ost),
            });
        }
    }
}
