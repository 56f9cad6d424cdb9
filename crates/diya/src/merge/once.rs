//! What a merged log has once: the job, and each mount, name, hint and host.

use diya_tables::{
    TableBuilder, TableId, Tables, apmpi_summary, file, job, mount, mpi_hint, rank_host,
};
use diya_write::rows::{copy_cell, filter_rows};
use std::collections::{HashMap, HashSet};

/// One job from the first start to the last end; everything else as in the
/// first log that has it, but for a given number of processes.
pub(crate) fn merge_jobs(tables: &mut Tables, end_time_s: Option<i64>, nprocs: Option<i64>) {
    let Some(jobs) = tables.take(TableId::Job) else { return };
    let mut out = TableBuilder::new(jobs.def());
    let times = |column| (0..jobs.rows()).map(move |row| (column, row));
    let start = times(job::START_TIME).filter_map(|(c, r)| jobs.i64(c, r)).min();
    let given = end_time_s.and_then(|s| s.checked_mul(1_000_000_000));
    let end = times(job::END_TIME).filter_map(|(c, r)| jobs.i64(c, r)).max().or(given);
    for column in 0..jobs.def().columns.len() {
        match column {
            job::START_TIME => out.push_i64(column, start),
            job::END_TIME => out.push_i64(column, end),
            job::NPROCS if nprocs.is_some() => out.push_i64(column, nprocs),
            job::RUN_TIME_S => out.push_f64(column, seconds(start, end)),
            job::EXE | job::COMMAND_LINE | job::METADATA => {
                let first = (0..jobs.rows()).find_map(|row| jobs.str(column, row));
                out.push_str(column, first);
            }
            _ => copy_cell(&jobs, column, 0, &mut out),
        }
    }
    out.end_row();
    tables.put_back(TableId::Job, out);
}

fn seconds(start_ns: Option<i64>, end_ns: Option<i64>) -> Option<f64> {
    start_ns.zip(end_ns).map(|(start, end)| (i128::from(end) - i128::from(start)) as f64 / 1e9)
}

/// Rows that say the same are kept once, in the order of the logs.
pub(crate) fn keep_first_rows(tables: &mut Tables) {
    let texts: [(TableId, &[usize]); 3] = [
        (TableId::Mount, &[mount::MOUNT, mount::FS_TYPE]),
        (TableId::MpiHint, &[mpi_hint::HINT, mpi_hint::VALUE]),
        (TableId::RankHost, &[rank_host::HOST, rank_host::SOURCE]),
    ];
    for (id, columns) in texts {
        keep_first(tables, id, |table, row| {
            let cells = columns.iter().map(|&c| table.str(c, row).unwrap_or_default().to_string());
            let rank = if id == TableId::RankHost { table.i32(rank_host::RANK, row) } else { None };
            (rank, cells.collect::<Vec<_>>())
        });
    }
    keep_first(tables, TableId::ApmpiSummary, |table, row| table.i32(apmpi_summary::LOG, row));
    names(tables);
}

fn keep_first<K: Eq + std::hash::Hash>(
    tables: &mut Tables,
    id: TableId,
    key: impl Fn(&TableBuilder, usize) -> K,
) {
    let Some(table) = tables.take(id) else { return };
    let mut seen = HashSet::new();
    let is_first: Vec<bool> = (0..table.rows()).map(|row| seen.insert(key(&table, row))).collect();
    tables.put_back(id, filter_rows(&table, |row| is_first[row]));
}

/// The first name of an id that is not empty counts, as in a single log.
fn names(tables: &mut Tables) {
    let Some(files) = tables.take(TableId::File) else { return };
    let mut best: HashMap<Option<u64>, usize> = HashMap::new();
    for row in 0..files.rows() {
        let slot = best.entry(files.u64(file::FILE_ID, row)).or_insert(row);
        if files.str(file::PATH, *slot).is_none() && files.str(file::PATH, row).is_some() {
            *slot = row;
        }
    }
    let kept: HashSet<usize> = best.into_values().collect();
    tables.put_back(TableId::File, filter_rows(&files, |row| kept.contains(&row)));
}
