//! Which files of a log are kept.

use super::{ConvertError, FileChoice, Glob, Lost};
use crate::input::Input;
use crate::{OpenOptions, read_one};
use diya_read::{Selection, TableSet};
use diya_tables::{CallTable, HeatmapTable, NameId, TableId, Tables, file, module};
use diya_write::rows::filter_rows;
use std::collections::HashSet;

/// Modules that are not about single files.
const OF_ALL_FILES: [&str; 3] = ["HEATMAP", "BG/Q", "APMPI"];

/// Ids of the files to keep; `None`: all.
pub(super) fn chosen(
    input: &Input,
    open: &OpenOptions<'_>,
    choice: &FileChoice,
) -> Result<Option<HashSet<u64>>, ConvertError> {
    if choice.only.is_empty() && choice.skip.is_empty() && choice.ids.is_empty() {
        return Ok(None);
    }
    let selection = Selection::tables(TableSet::NONE.with(TableId::File));
    let names = read_one(input, &OpenOptions { selection, ..open.clone() })?;
    let Some(files) = names.table(TableId::File) else { return Err(ConvertError::NoFiles(0)) };
    let name = |row: &usize| files.str(file::PATH, *row).unwrap_or_default();
    let all: HashSet<&str> = (0..files.rows()).map(|row| name(&row)).collect();
    let is_kept = |row: &usize| {
        let id = files.u64(file::FILE_ID, *row).unwrap_or(0);
        let of = |globs: &[Glob]| globs.iter().any(|glob| holds(glob, name(row), &all));
        let is_named = choice.ids.contains(&id) || of(&choice.only);
        let is_wished = choice.only.is_empty() && choice.ids.is_empty();
        (is_wished || is_named) && !of(&choice.skip)
    };
    let rows = (0..files.rows()).filter(is_kept);
    let ids: HashSet<u64> = rows.filter_map(|row| files.u64(file::FILE_ID, row)).collect();
    if ids.is_empty() { Err(ConvertError::NoFiles(files.rows())) } else { Ok(Some(ids)) }
}

/// Does the pattern hold for the file, or for the file an object lies in?
/// Objects of HDF5 and PnetCDF are named `file:object`.
fn holds(glob: &Glob, name: &str, all: &HashSet<&str>) -> bool {
    let containers = name.match_indices(':').map(|(at, _)| &name[..at]);
    glob.holds(name) || containers.filter(|file| all.contains(file)).any(|file| glob.holds(file))
}

/// Takes everything about other files out of tables. Readers leave out what they
/// can; here it does not depend on them, because others may get the new log.
pub(super) fn leave_out(tables: &mut Tables, kept: &HashSet<u64>) -> Vec<Lost> {
    let names = tables.rows(TableId::File);
    for id in TableId::ALL {
        let Some(column) = id.def().column("file_id") else { continue };
        let Some(table) = tables.take(id) else { continue };
        // A row without a file is about the job.
        let is_kept = |row| table.u64(column, row).is_none_or(|file| kept.contains(&file));
        let left = filter_rows(&table, is_kept);
        tables.put_back(id, left);
    }
    tables.heatmap = HeatmapTable::default();
    let calls = tables.calls.runs();
    if calls.into_iter().any(|run| !kept.contains(&run.file_id)) {
        tables.calls = calls_of(&tables.calls, kept);
    }
    let mut losses = vec![Lost {
        part: "names".into(),
        count: (names - tables.rows(TableId::File)) as u64,
        effect: "files that were not selected, and all their records".into(),
    }];
    losses.extend(of_all_files(tables));
    losses
}

/// The calls on these files.
fn calls_of(calls: &CallTable, kept: &HashSet<u64>) -> CallTable {
    let mut out = CallTable::default();
    for chunk in calls.chunks() {
        let mut from = 0;
        for run in &chunk.runs {
            if kept.contains(&run.file_id) {
                let mut name = |id: NameId| out.name_id(calls.name(id));
                let mut run = *run;
                run.host = run.host.map(&mut name);
                run.function = run.function.map(&mut name);
                run.error = run.error.map(&mut name);
                (from..from + run.len).for_each(|call| out.push(run, chunk.call(call)));
            }
            from += run.len;
        }
    }
    out
}

/// Modules whose records sum over all files: they are in no chosen file.
fn of_all_files(tables: &Tables) -> Vec<Lost> {
    let Some(modules) = tables.table(TableId::Module) else { return Vec::new() };
    let name = |row: &usize| modules.str(module::MODULE, *row).unwrap_or_default();
    let rows = (0..modules.rows()).filter(|row| OF_ALL_FILES.contains(&name(row)));
    rows.map(|row| Lost {
        part: name(&row).into(),
        count: modules.u64(module::STORED_BYTES, row).unwrap_or(0),
        effect: "bytes of a module with sums over all files; left out if files are selected".into(),
    })
    .collect()
}
