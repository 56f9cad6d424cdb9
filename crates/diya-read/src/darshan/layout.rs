//! Which bytes of a fixed-size record are which counter, per module version.
//!
//! The current version of a record holds the counters in the order of the
//! columns of its table; older ones lack some. Source: darshan-*-log-format.h
//! and the up-conversions of darshan-*-logutils.c, 3.0.0 to 3.5.0; sizes are in
//! docs/formats/darshan.md, section 3.

use diya_tables::{Kind, TableId};

/// One 8-byte word of a record (16 bytes for a uuid).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// Integer counter for this column.
    Int(usize),
    /// Real counter for this column.
    Float(usize),
    /// Id for this column.
    Id(usize),
    /// 16 bytes for this text column.
    Uuid(usize),
    /// Opens of one kind in the old PnetCDF record; `opens` is their sum.
    Opens(usize),
    /// Counter of the old POSIX record that counted a stdio call.
    Stdio(usize),
    /// Padding, or nothing that a column exists for.
    Skip,
}

/// A record after its id and rank.
#[derive(Debug)]
pub(crate) struct Layout {
    pub words: Vec<Word>,
    /// Bytes of the record, id and rank included.
    pub size: usize,
}

const RENAMES: [&str; 5] = ["filenos", "dups", "rename_sources", "rename_targets", "renamed_from"];
const OPEN_CLOSE: [&str; 2] = ["f_close_start_timestamp", "f_open_end_timestamp"];

/// Layout of a record of this version; `None` when there is no such version.
pub(crate) fn layout(table: TableId, version: u32) -> Option<Layout> {
    use TableId as T;
    let mut words = match (table, version) {
        (T::Posix, 4)
        | (T::Mpiio, 3)
        | (T::Stdio, 2)
        | (T::Hdf5File, 3)
        | (T::PnetcdfFile, 3)
        | (T::Bgq | T::Dfs | T::Daos, _) => counters(table, &[]),
        (T::Posix, 3) => counters(table, &RENAMES),
        (T::Posix, 1 | 2) => {
            let mut missing = RENAMES.to_vec();
            missing.extend(OPEN_CLOSE);
            counters(table, &missing)
        }
        (T::Mpiio, 1 | 2) => counters(table, &OPEN_CLOSE),
        (T::Stdio, 1) => counters(table, &["fdopens"]),
        (T::Hdf5File, 2) => counters(table, &["flushes", "use_mpiio", "f_meta_time"]),
        (T::Hdf5File, 1) => {
            let [close_start, open_end] = OPEN_CLOSE;
            counters(table, &["flushes", "use_mpiio", "f_meta_time", close_start, open_end])
        }
        (T::Hdf5Dataset, 2) | (T::PnetcdfVar, 1) => {
            let mut words = counters(table, &[]);
            words.insert(0, Word::Id(column(table, "file_rec_id")?));
            words
        }
        (T::Hdf5Dataset, 1) => counters(table, &[]),
        (T::PnetcdfFile, 1 | 2) => old_pnetcdf(version)?,
        _ => return None,
    };
    match (table, version) {
        // Four counters of stdio calls stand after MMAPS... of which OPENS,
        // READS, WRITES, SEEKS, STATS and MMAPS come first.
        (T::Posix, 1) => {
            for (i, name) in ["opens", "reads", "writes", "seeks"].into_iter().enumerate() {
                words.insert(6 + i, Word::Stdio(column(T::Stdio, name)?));
            }
        }
        // A 4-byte integer and its padding stood before the counters.
        (T::Bgq, 1) => words.insert(0, Word::Skip),
        (T::Bgq, 2) | (T::Dfs, 1) => {}
        (T::Daos, 1) => {}
        (T::Bgq | T::Dfs | T::Daos, _) => return None,
        _ => {}
    }
    if matches!(table, T::Dfs | T::Daos) {
        words.push(Word::Uuid(column(table, "pool_uuid")?));
        words.push(Word::Uuid(column(table, "cont_uuid")?));
    }
    if table == T::Daos {
        words.push(Word::Id(column(table, "oid_hi")?));
        words.push(Word::Id(column(table, "oid_lo")?));
    }
    let bytes: usize = words.iter().map(|w| if matches!(w, Word::Uuid(_)) { 16 } else { 8 }).sum();
    Some(Layout { words, size: bytes + 16 })
}

/// The counters of the table in column order, integers before reals, without
/// those that the version lacks.
fn counters(table: TableId, missing: &[&str]) -> Vec<Word> {
    let columns = table.def().columns.iter().enumerate();
    columns
        .filter(|(_, c)| c.darshan.is_some() && !missing.contains(&c.name))
        .map(|(i, c)| if c.kind == Kind::F64 { Word::Float(i) } else { Word::Int(i) })
        .collect()
}

/// Before version 3 a PnetCDF record distinguished independent and collective opens
/// and contained nothing but open and close.
fn old_pnetcdf(version: u32) -> Option<Vec<Word>> {
    let table = TableId::PnetcdfFile;
    let float = |name| column(table, name).map(Word::Float);
    let mut words = vec![
        Word::Opens(column(table, "indep_opens")?),
        Word::Opens(column(table, "coll_opens")?),
        float("f_open_start_timestamp")?,
    ];
    if version == 2 {
        words.push(float("f_close_start_timestamp")?);
        words.push(float("f_open_end_timestamp")?);
    }
    words.push(float("f_close_end_timestamp")?);
    Some(words)
}

fn column(table: TableId, name: &str) -> Option<usize> {
    table.def().column(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sizes as the C structs have them: docs/formats/darshan.md, section 3.
    #[test]
    fn record_sizes_are_those_of_the_c_structs() {
        use TableId as T;
        let sizes = [
            (T::Posix, 4, 704),
            (T::Posix, 3, 664),
            (T::Posix, 2, 648),
            (T::Posix, 1, 680),
            (T::Mpiio, 3, 560),
            (T::Mpiio, 2, 544),
            (T::Mpiio, 1, 544),
            (T::Stdio, 2, 248),
            (T::Stdio, 1, 240),
            (T::Hdf5File, 3, 80),
            (T::Hdf5File, 2, 56),
            (T::Hdf5File, 1, 40),
            (T::Hdf5Dataset, 2, 912),
            (T::Hdf5Dataset, 1, 904),
            (T::PnetcdfFile, 3, 152),
            (T::PnetcdfFile, 2, 64),
            (T::PnetcdfFile, 1, 48),
            (T::PnetcdfVar, 1, 1120),
            (T::Bgq, 2, 112),
            (T::Bgq, 1, 120),
            (T::Dfs, 1, 584),
            (T::Daos, 1, 696),
        ];
        for (table, version, size) in sizes {
            let layout = layout(table, version).map(|l| l.size);
            assert_eq!(layout, Some(size), "{} v{version}", table.def().name);
        }
    }

    #[test]
    fn a_version_that_never_was_has_no_layout() {
        assert!(layout(TableId::Posix, 5).is_none());
        assert!(layout(TableId::Posix, 0).is_none());
        assert!(layout(TableId::Dfs, 2).is_none());
    }
}
