//! Files of a library whose own calls a log of Darshan does not hold: what passes between two
//! requests on them, within microseconds, is that library's work.
//!
//! A program does not choose the requests on a file of HDF5. Their number is that of chunks,
//! headers and nodes of trees, each of which the library looks up, checks and copies: with
//! chunks of 512 B that takes longer than the requests. Packages of Python bring a library along
//! that Darshan does not see.

use super::facts::Facts;
use crate::hash::HashSet;
use diya_tables::{BatchSource, file, hdf5_dataset, mpiio};
use std::sync::Arc;

/// Endings of names that HDF5 and NetCDF give their files.
const ENDINGS: [&str; 5] = [".h5", ".hdf5", ".he5", ".nc4", ".nc"];

diya_tables::columns! {
    struct Paths of file { log: i32, file_id: u64, path: str }
}

diya_tables::columns! {
    struct Datasets of hdf5_dataset { log: i32 }
}

diya_tables::columns! {
    struct MpiioFiles of mpiio { log: i32, file_id: u64 }
}

/// The files, by log.
pub(super) fn of(tables: &[Arc<dyn BatchSource>], facts: &[Facts]) -> HashSet<(i32, u64)> {
    let mut logs: HashSet<i32> =
        facts.iter().filter(|facts| facts.is_darshan).map(|facts| facts.log).collect();
    // Where the library's records are, its time is known.
    for of in Datasets::all(tables) {
        (0..of.rows()).for_each(|row| {
            logs.remove(&of.log.value(row));
        });
    }
    let mut files = HashSet::default();
    if logs.is_empty() {
        return files;
    }
    for of in Paths::all(tables) {
        let is_one = |row: &usize| {
            logs.contains(&of.log.value(*row))
                && ENDINGS
                    .iter()
                    .any(|ending| of.path.get(*row).is_some_and(|p| p.ends_with(ending)))
        };
        files.extend(
            (0..of.rows()).filter(is_one).map(|row| (of.log.value(row), of.file_id.value(row))),
        );
    }
    // Between requests of MPI-IO its own calls pass, whose time is known.
    for of in MpiioFiles::all(tables) {
        (0..of.rows()).for_each(|row| {
            files.remove(&(of.log.value(row), of.file_id.value(row)));
        });
    }
    files
}
