//! Records of counters, file by file and rank by rank.

use super::job::cell;
use super::{DiffOptions, Difference, push};
use diya_tables::{TableBuilder, TableId, Tables, file};
use std::collections::HashMap;

/// Module, its table, and the columns that tell its records apart, after
/// `file_id` and `rank`.
const MODULES: [(&str, TableId, &[&str]); 15] = [
    ("POSIX", TableId::Posix, &[]),
    ("MPI-IO", TableId::Mpiio, &[]),
    ("H5F", TableId::Hdf5File, &[]),
    ("H5D", TableId::Hdf5Dataset, &[]),
    ("PNETCDF_FILE", TableId::PnetcdfFile, &[]),
    ("PNETCDF_VAR", TableId::PnetcdfVar, &[]),
    ("BG/Q", TableId::Bgq, &[]),
    ("LUSTRE", TableId::LustreComponent, &["component"]),
    ("LUSTRE", TableId::LustreTarget, &["component", "stripe"]),
    ("STDIO", TableId::Stdio, &[]),
    ("MDHIM", TableId::Mdhim, &[]),
    ("MDHIM", TableId::MdhimServer, &["server"]),
    ("APMPI", TableId::Apmpi, &[]),
    ("DFS", TableId::Dfs, &[]),
    ("DAOS", TableId::Daos, &[]),
];

/// File, rank, further numbers, and which of several equal ones.
type Key = (u64, i32, Vec<i32>, usize);

pub(super) fn compare(a: &Tables, b: &Tables, options: &DiffOptions, found: &mut Vec<Difference>) {
    for (module, id, keys) in MODULES {
        let (of_a, of_b) = (a.table(id), b.table(id));
        let (rows_a, rows_b) = (rows(of_a, keys), rows(of_b, keys));
        let places = RowIndex { a: by_key(&rows_a), b: by_key(&rows_b) };
        // Records of the first log in its order, then those only the second has.
        let only_b = rows_b.iter().filter(|(key, _)| !places.a.contains_key(key));
        for (key, _) in rows_a.iter().chain(only_b) {
            let row_a = of_a.zip(places.a.get(key).copied());
            let row_b = of_b.zip(places.b.get(key).copied());
            record(module, id, key, row_a, row_b, options, found);
        }
    }
}

struct RowIndex<'k> {
    a: HashMap<&'k Key, usize>,
    b: HashMap<&'k Key, usize>,
}

fn by_key(rows: &[(Key, usize)]) -> HashMap<&Key, usize> {
    rows.iter().map(|(key, row)| (key, *row)).collect()
}

fn rows(table: Option<&TableBuilder>, keys: &[&str]) -> Vec<(Key, usize)> {
    let Some(table) = table else { return Vec::new() };
    let columns: Vec<usize> = keys.iter().filter_map(|name| table.def().column(name)).collect();
    let mut seen: HashMap<(u64, i32, Vec<i32>), usize> = HashMap::new();
    let key = |row: usize| {
        let further: Vec<i32> = columns.iter().map(|&c| table.i32(c, row).unwrap_or(0)).collect();
        // File and rank are the second and third column of all these tables.
        (table.u64(1, row).unwrap_or(0), table.i32(2, row).unwrap_or(-1), further)
    };
    let mut rows = Vec::with_capacity(table.rows());
    for row in 0..table.rows() {
        let (file_id, rank, further) = key(row);
        let times = seen.entry((file_id, rank, further.clone())).or_insert(0);
        rows.push(((file_id, rank, further, *times), row));
        *times += 1;
    }
    rows
}

fn record(
    module: &'static str,
    id: TableId,
    (file_id, rank, further, _): &Key,
    a: Option<(&TableBuilder, usize)>,
    b: Option<(&TableBuilder, usize)>,
    options: &DiffOptions,
    found: &mut Vec<Difference>,
) {
    let place = (module, Some(*rank), Some(*file_id));
    let suffix: String = further.iter().map(|n| format!("_{n}")).collect();
    for (column, def) in id.def().columns.iter().enumerate().skip(3 + further.len()) {
        // Times, ranks that are chosen by time, and the sizes of the slowest calls.
        let is_timed = def.name.starts_with("f_")
            || ["max_read_time_size", "max_write_time_size"].contains(&def.name)
            || def.name.starts_with("fastest_")
            || def.name.starts_with("slowest_");
        if options.ignores_times && is_timed {
            continue;
        }
        let value = |record: Option<(&TableBuilder, usize)>| {
            record.and_then(|(table, row)| cell(table, column, row))
        };
        let counter = def
            .darshan
            .map_or_else(|| format!("{module}_{}", def.name.to_uppercase()), str::to_string);
        push(found, place, format!("{counter}{suffix}"), value(a), value(b));
    }
}

/// Names of files in either log.
pub(super) struct Names<'t>(HashMap<u64, &'t str>);

impl<'t> Names<'t> {
    pub fn of(a: &'t Tables, b: &'t Tables) -> Self {
        let mut names = HashMap::new();
        for files in [b, a].into_iter().filter_map(|tables| tables.table(TableId::File)) {
            for row in 0..files.rows() {
                let id = files.u64(file::FILE_ID, row);
                if let Some((id, name)) = id.zip(files.str(file::PATH, row)) {
                    names.insert(id, name);
                }
            }
        }
        Self(names)
    }

    pub fn of_id(&self, id: u64) -> Option<&'t str> {
        self.0.get(&id).copied()
    }
}
