//! Records of files that all ranks opened become one record of rank -1.
//!
//! Darshan does so when a job ends, so that a log does not grow with the number
//! of ranks; `darshan-merge --shared-redux` does it later. Source: the
//! `*_record_reduction_op` and `*_shared_record_variance` functions of
//! darshan-runtime 3.4.1 and docs/formats/darshan.md, section 4.

mod common;
mod compared;
mod rules;

use crate::rows::{copy_row, filter_rows};
use diya_tables::{TableBuilder, TableId, Tables, lustre_component};
use rules::Reduction;
use std::collections::{HashMap, HashSet};

/// Columns `log`, `file_id` and `rank` are the first three of every such table.
const LOG: usize = 0;
const FILE_ID: usize = 1;
const RANK: usize = 2;

/// Rank of a record of all ranks.
const SHARED: i32 = -1;

/// Tables of counters per file and rank. Timed calls and heat maps are of one
/// rank each and stay so.
const REDUCED: [TableId; 9] = [
    TableId::Posix,
    TableId::Mpiio,
    TableId::Stdio,
    TableId::Hdf5File,
    TableId::Hdf5Dataset,
    TableId::PnetcdfFile,
    TableId::PnetcdfVar,
    TableId::Dfs,
    TableId::Daos,
];

/// Tables that follow from the counters and would no longer fit them.
const DERIVED: [TableId; 2] = [TableId::SizeHistogram, TableId::AccessSize];

/// Reduces the records of a job of `nprocs` ranks; returns how many records
/// became how many.
///
/// `size_histogram` and `access_size` are emptied: they follow from the counters.
pub fn reduce(tables: &mut Tables, log: i32, nprocs: u64) -> (usize, usize) {
    let (mut before, mut after) = (0, 0);
    for id in REDUCED {
        let Some(table) = tables.take(id) else { continue };
        let reduced = counters(&table, log, nprocs);
        before += table.rows();
        after += reduced.rows();
        tables.put_back(id, reduced);
    }
    layouts(tables, log, nprocs);
    DERIVED.into_iter().for_each(|id| tables.truncate(id, 0));
    (before, after)
}

/// Rows of the files that every rank has one record of, by file.
fn shared_files(table: &TableBuilder, log: i32, nprocs: u64) -> HashMap<u64, Vec<usize>> {
    let mut by_file: HashMap<u64, Vec<usize>> = HashMap::new();
    for row in (0..table.rows()).filter(|&row| table.i32(LOG, row) == Some(log)) {
        by_file.entry(table.u64(FILE_ID, row).unwrap_or(0)).or_default().push(row);
    }
    by_file.retain(|_, rows| {
        let ranks: HashSet<i32> = rows.iter().filter_map(|&row| table.i32(RANK, row)).collect();
        let is_whole = ranks.len() as u64 == nprocs && !ranks.contains(&SHARED);
        is_whole && nprocs > 1
    });
    by_file
}

fn counters(table: &TableBuilder, log: i32, nprocs: u64) -> TableBuilder {
    let mut shared = shared_files(table, log, nprocs);
    // One record per rank, or they are not records of one file on all ranks.
    shared.retain(|_, rows| rows.len() as u64 == nprocs);
    let reduction = Reduction::of(table.def());
    let mut out = TableBuilder::new(table.def());
    for row in 0..table.rows() {
        let id = table.u64(FILE_ID, row).unwrap_or(0);
        match shared.get(&id).filter(|rows| rows.binary_search(&row).is_ok()) {
            // The record stands where the first of its ranks stood.
            Some(rows) if rows.first() == Some(&row) => reduction.push(table, rows, &mut out),
            Some(_) => {}
            None => copy_row(table, row, &mut out),
        }
    }
    out
}

/// Layouts are the same on all ranks: one copy stays.
fn layouts(tables: &mut Tables, log: i32, nprocs: u64) {
    let Some(components) = tables.take(TableId::LustreComponent) else { return };
    let first_only =
        filter_rows(&components, |row| components.i32(lustre_component::COMPONENT, row) == Some(0));
    let shared = shared_files(&first_only, log, nprocs);
    let lowest: HashMap<u64, i32> = shared
        .into_iter()
        .filter_map(|(id, rows)| {
            rows.iter().filter_map(|&row| first_only.i32(RANK, row)).min().map(|rank| (id, rank))
        })
        .collect();
    let targets = tables.take(TableId::LustreTarget);
    tables.put_back(TableId::LustreComponent, one_copy(&components, log, &lowest));
    if let Some(targets) = targets {
        tables.put_back(TableId::LustreTarget, one_copy(&targets, log, &lowest));
    }
}

fn one_copy(table: &TableBuilder, log: i32, lowest: &HashMap<u64, i32>) -> TableBuilder {
    let mut out = TableBuilder::new(table.def());
    for row in 0..table.rows() {
        let id = table.u64(FILE_ID, row).unwrap_or(0);
        let is_ours = table.i32(LOG, row) == Some(log);
        match lowest.get(&id).filter(|_| is_ours) {
            Some(rank) if table.i32(RANK, row) != Some(*rank) => {}
            Some(_) => {
                out.push_i32(RANK, Some(SHARED));
                let others = (0..table.def().columns.len()).filter(|c| *c != RANK);
                others.for_each(|c| crate::rows::copy_cell(table, c, row, &mut out));
                out.end_row();
            }
            None => copy_row(table, row, &mut out),
        }
    }
    out
}

#[cfg(test)]
mod tests;
