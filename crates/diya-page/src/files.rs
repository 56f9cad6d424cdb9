//! Files, their layouts, and call stacks, as the page shows them.

use arrow::array::{Array, AsArray, RecordBatch};
use arrow::datatypes::{Int32Type, Int64Type, UInt64Type};
use diya_tables::{
    BatchSource, TableId, file, lustre_component, lustre_target, mpiio, stack_frame,
};
use diya_timeline::{Component, File, Layout, NONE};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// A table batch by batch, with all columns.
pub(super) fn batches(
    tables: &[Arc<dyn BatchSource>],
    id: TableId,
) -> impl Iterator<Item = RecordBatch> {
    let table = tables.iter().find(|table| table.def().name == id.def().name).cloned();
    let columns: Vec<usize> = (0..id.def().columns.len()).collect();
    let batches = table.as_ref().map_or(0, |table| table.batches());
    (0..batches).filter_map(move |number| table.as_ref().map(|table| table.batch(number, &columns)))
}

fn text(batch: &RecordBatch, column: usize, row: usize) -> Option<&str> {
    let texts = batch.column(column).as_string_view();
    texts.is_valid(row).then(|| texts.value(row))
}

fn integer(batch: &RecordBatch, column: usize, row: usize) -> Option<i64> {
    let numbers = batch.column(column).as_primitive::<Int64Type>();
    numbers.is_valid(row).then(|| numbers.value(row))
}

/// Files by number, and the numbers by log and id.
#[derive(Default)]
pub(super) struct Files {
    pub all: Vec<File>,
    numbers: HashMap<(i32, u64), u32>,
    collective: HashSet<(i32, u64)>,
}

diya_tables::columns! {
    /// Transfers through MPI-IO, by how they were made.
    struct Transfers of mpiio {
        log: i32,
        file_id: u64,
        indep_reads: i64,
        indep_writes: i64,
        coll_reads: i64,
        coll_writes: i64,
        nb_reads: i64,
        nb_writes: i64,
    }
}

/// Files of which all transfers through MPI-IO are collective.
fn collective(tables: &[Arc<dyn BatchSource>]) -> HashSet<(i32, u64)> {
    let mut is_collective: HashMap<(i32, u64), bool> = HashMap::new();
    for of in Transfers::all(tables) {
        for row in 0..of.rows() {
            let sum = |columns: [&diya_tables::Column<i64>; 2]| -> i64 {
                columns.iter().filter_map(|column| column.get(row)).sum()
            };
            let alone =
                sum([&of.indep_reads, &of.indep_writes]) + sum([&of.nb_reads, &of.nb_writes]);
            let together = sum([&of.coll_reads, &of.coll_writes]);
            if alone > 0 || together > 0 {
                let key = (of.log.value(row), of.file_id.value(row));
                *is_collective.entry(key).or_insert(true) &= alone == 0;
            }
        }
    }
    is_collective.into_iter().filter(|(_, all)| *all).map(|(key, _)| key).collect()
}

impl Files {
    /// Whether counters show that all transfers of a file through MPI-IO are collective, where
    /// the trace does not say it of each call; `None`: they do not.
    pub fn is_collective(&self, log: i32, id: u64) -> Option<bool> {
        self.collective.contains(&(log, id)).then_some(true)
    }

    /// The files that the logs name, striped as they say.
    pub fn read(tables: &[Arc<dyn BatchSource>]) -> Self {
        let mut files = Self { collective: collective(tables), ..Self::default() };
        let mut parents = Vec::new();
        for batch in batches(tables, TableId::File) {
            let logs = batch.column(file::LOG).as_primitive::<Int32Type>();
            let ids = batch.column(file::FILE_ID).as_primitive::<UInt64Type>();
            let inside = batch.column(file::PARENT_ID).as_primitive::<UInt64Type>();
            for row in 0..batch.num_rows() {
                let (log, id) = (logs.value(row), ids.value(row));
                let number = files.number(log, id) as usize;
                let Some(known) = files.all.get_mut(number) else { continue };
                known.path = text(&batch, file::PATH, row).map(str::to_owned);
                if inside.is_valid(row) {
                    parents.push((number, (log, inside.value(row))));
                }
            }
        }
        for (number, parent) in parents {
            files.all[number].parent = files.numbers.get(&parent).copied();
        }
        for ((log, id), layout) in layouts(tables) {
            let number = files.number(log, id) as usize;
            if let Some(file) = files.all.get_mut(number) {
                file.layout = layout;
            }
        }
        files
    }

    /// Number of a file; of one that no name belongs to, a new one. Id 0 is no file.
    pub fn number(&mut self, log: i32, id: u64) -> u32 {
        if id == 0 {
            return NONE;
        }
        let next = u32::try_from(self.all.len()).unwrap_or(NONE);
        let number = *self.numbers.entry((log, id)).or_insert(next);
        if number == next && next != NONE {
            self.all.push(File { log, id, ..File::default() });
        }
        number
    }
}

/// Layouts, from the first record of each file.
fn layouts(tables: &[Arc<dyn BatchSource>]) -> BTreeMap<(i32, u64), Layout> {
    let mut components: BTreeMap<(i32, u64, i32), Component> = BTreeMap::new();
    let key = |batch: &RecordBatch, columns: [usize; 3], row: usize| {
        let number = |column: usize| batch.column(column).as_primitive::<Int32Type>().value(row);
        let id = batch.column(columns[1]).as_primitive::<UInt64Type>().value(row);
        (number(columns[0]), id, number(columns[2]))
    };
    let unsigned = |number: Option<i64>| number.and_then(|n| u64::try_from(n).ok());
    for batch in batches(tables, TableId::LustreComponent) {
        use lustre_component::{COMPONENT, EXT_END, EXT_START, FILE_ID, LOG, STRIPE_SIZE};
        for row in 0..batch.num_rows() {
            let number = |column| unsigned(integer(&batch, column, row));
            components.entry(key(&batch, [LOG, FILE_ID, COMPONENT], row)).or_insert_with(|| {
                Component {
                    from_bytes: number(EXT_START).unwrap_or(0),
                    to_bytes: number(EXT_END).unwrap_or(u64::MAX),
                    stripe_bytes: number(STRIPE_SIZE).unwrap_or(0),
                    targets: Vec::new(),
                }
            });
        }
    }
    for batch in batches(tables, TableId::LustreTarget) {
        use lustre_target::{COMPONENT, FILE_ID, LOG, OST_ID, STRIPE};
        let stripes = batch.column(STRIPE).as_primitive::<Int32Type>();
        for row in 0..batch.num_rows() {
            let component = components.get_mut(&key(&batch, [LOG, FILE_ID, COMPONENT], row));
            // Rows come in order of the stripe; a second record repeats them.
            if let (Some(component), Some(target)) = (component, integer(&batch, OST_ID, row))
                && usize::try_from(stripes.value(row)) == Ok(component.targets.len())
            {
                component.targets.push(target);
            }
        }
    }
    let mut layouts: BTreeMap<(i32, u64), Layout> = BTreeMap::new();
    for ((log, id, _), component) in components {
        if component.stripe_bytes > 0 && !component.targets.is_empty() {
            layouts.entry((log, id)).or_default().0.push(component);
        }
    }
    layouts
}

/// Call stacks by number, and the numbers by log and id.
#[derive(Default)]
pub(super) struct Stacks {
    pub all: Vec<Vec<String>>,
    pub numbers: HashMap<(i32, u64), u32>,
}

impl Stacks {
    /// The stacks, frames as `main.c:12 write_all`, innermost first.
    pub fn read(tables: &[Arc<dyn BatchSource>]) -> Self {
        use stack_frame::{ADDRESS, FILE, FUNCTION, LINE, LOG, MODULE, STACK_ID};
        let mut stacks = Self::default();
        for batch in batches(tables, TableId::StackFrame) {
            let logs = batch.column(LOG).as_primitive::<Int32Type>();
            let ids = batch.column(STACK_ID).as_primitive::<UInt64Type>();
            let addresses = batch.column(ADDRESS).as_primitive::<UInt64Type>();
            for row in 0..batch.num_rows() {
                let next = u32::try_from(stacks.all.len()).unwrap_or(NONE);
                let key = (logs.value(row), ids.value(row));
                let number = *stacks.numbers.entry(key).or_insert(next);
                if number == next {
                    stacks.all.push(Vec::new());
                }
                let place = match (text(&batch, FILE, row), integer(&batch, LINE, row)) {
                    (Some(file), Some(line)) => Some(format!("{file}:{line}")),
                    (Some(file), None) => Some(file.to_owned()),
                    _ => None,
                };
                let function = text(&batch, FUNCTION, row).map(str::to_owned);
                let frame = match (place, function) {
                    (Some(place), Some(function)) => format!("{place} {function}"),
                    (Some(one), None) | (None, Some(one)) => one,
                    (None, None) => {
                        let module = text(&batch, MODULE, row).unwrap_or("?");
                        let is_known = addresses.is_valid(row);
                        let address = if is_known { addresses.value(row) } else { 0 };
                        format!("{module}+{address:#x}")
                    }
                };
                if let Some(frames) = stacks.all.get_mut(number as usize) {
                    frames.push(frame);
                }
            }
        }
        stacks
    }
}
