//! From table `call` to the columns of `diya-timeline`.

use super::columns::{Columns, known};
use super::files::{Files, Stacks, batches};
use super::names::{Last, Names};
use arrow::array::{Array, AsArray};
use arrow::datatypes::{Float64Type, Int32Type, UInt64Type};
use diya_tables::{BatchSource, TableId, call, file, job, rank_host};
use diya_timeline::{
    CallsBuilder, Counts, Form, Holding, Kind, Log, NONE, NewCall, Store, Stretch, Track,
    layer_depth, ns_of,
};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Log, rank, file and form of a call.
type Key = (i32, i32, u64, Form);

/// The tables that a page's calls are made of.
pub const CALL_TABLES: &[&str] =
    &["call", "file", "job", "rank_host", "lustre_component", "lustre_target", "stack_frame"];

/// Operation of calls that are no I/O and belong to no file: MPI_Init and
/// MPI_Finalize, which tell where the program's own time begins and ends.
const OTHER: &str = "other";
/// Path that a recording gives to what belongs to no file.
const NO_FILE: &str = "<unknown>";

/// The calls of these tables with all that belongs to them. Calls of which the
/// times are not in order are left out; `read_issue` tells of them. So are layers
/// of which the only calls are starting and ending MPI: a lane with nothing in it.
pub fn store(tables: &[Arc<dyn BatchSource>]) -> Store {
    let mut seen = Seen::look(tables);
    let mut files = Files::read(tables);
    let stacks = Stacks::read(tables);
    let counts = std::mem::take(&mut seen.counts);
    let mut taken = Taken::new(&seen, counts.builder());
    if let Some(table) = call_table(tables) {
        for piece in 0..table.pieces() {
            taken.take(&Columns::read(&**table, piece), &seen, &mut files, &stacks);
        }
    }
    let calls = taken.builder.finish();
    let rows_in_all = seen.rows;
    let left_out = rows_in_all - calls.len() as u64;
    let mut store = Store {
        logs: logs(tables),
        layers: seen.layers,
        ops: taken.ops.all,
        functions: taken.functions.all,
        hosts: seen.hosts.all,
        errors: taken.errors.all,
        forms: taken.forms,
        tracks: seen.tracks,
        files: files.all,
        stacks: stacks.all,
        holding: if calls.is_empty() { Holding::Nothing } else { Holding::All },
        rows_in_all,
        note: (left_out > 0)
            .then(|| format!("{left_out} calls have no usable times and are not shown")),
        calls,
        ..Store::default()
    };
    store.prepare();
    store
}

fn logs(tables: &[Arc<dyn BatchSource>]) -> Vec<Log> {
    let mut logs = Vec::new();
    for batch in batches(tables, TableId::Job) {
        let numbers = batch.column(job::LOG).as_primitive::<Int32Type>();
        let names = batch.column(job::LOG_NAME).as_string_view();
        let runs = batch.column(job::RUN_TIME_S).as_primitive::<Float64Type>();
        for row in 0..batch.num_rows() {
            let Ok(place) = usize::try_from(numbers.value(row)) else { continue };
            logs.resize(logs.len().max(place + 1), Log::default());
            let run_s = runs.is_valid(row).then(|| runs.value(row));
            logs[place] = Log { name: names.value(row).to_owned(), run_s };
        }
    }
    logs
}

/// What has to be known before the calls are taken in.
struct Seen {
    /// Of the layers that are shown.
    rows: u64,
    layers: Vec<String>,
    hosts: Names,
    /// By log, then rank.
    tracks: Vec<Track>,
    numbers: HashMap<(i32, i32), u32>,
    /// Calls that have usable times, by stream.
    counts: Counts,
}

/// The table of calls among others.
fn call_table(tables: &[Arc<dyn BatchSource>]) -> Option<&Arc<dyn BatchSource>> {
    tables.iter().find(|table| table.def().name == TableId::Call.def().name)
}

/// Times of a call that can be shown.
fn is_usable(start_s: f64, end_s: f64) -> bool {
    start_s.is_finite() && end_s.is_finite() && start_s <= end_s
}

/// What calls have in common: log and rank, number of the layer, and of the operation.
type Group = ((i32, i32), u32, Option<u32>);

impl Seen {
    fn look(tables: &[Arc<dyn BatchSource>]) -> Self {
        let columns = [
            call::LOG,
            call::LAYER,
            call::RANK,
            call::HOST,
            call::OP,
            call::FILE_ID,
            call::START_S,
            call::END_S,
        ];
        let nowhere = no_files(tables);
        let table = call_table(tables);
        let (mut layers, mut hosts, mut ops) =
            (Names::default(), Names::default(), Names::default());
        let other = ops.number(OTHER);
        // By number of the layer: rows, and whether any of them is I/O.
        let mut of_layer: Vec<(u64, bool)> = Vec::new();
        let mut tracks: BTreeMap<(i32, i32), Option<u32>> = BTreeMap::new();
        let mut usable: HashMap<Group, u64> = HashMap::new();
        for piece in 0..table.map_or(0, |table| table.pieces()) {
            let Some(batch) = table.map(|table| table.piece(piece, &columns)) else { continue };
            let logs = batch.column(0).as_primitive::<Int32Type>();
            let layer_names = batch.column(1).as_string_view();
            let ranks = batch.column(2).as_primitive::<Int32Type>();
            let host_names = batch.column(3).as_string_view();
            let op_names = batch.column(4).as_string_view();
            let files = batch.column(5).as_primitive::<UInt64Type>();
            let starts_s = batch.column(6).as_primitive::<Float64Type>();
            let ends_s = batch.column(7).as_primitive::<Float64Type>();
            let (mut layer, mut host, mut before) = (Last::default(), Last::default(), None);
            let mut op = Last::default();
            let mut same: Option<(Group, u64)> = None;
            for row in 0..batch.num_rows() {
                let track = (logs.value(row), ranks.value(row));
                if let Some(layer) = layer.at(layer_names, row, &mut layers) {
                    let op = op.at(op_names, row, &mut ops);
                    let place = layer as usize;
                    of_layer.resize(of_layer.len().max(place + 1), (0, false));
                    of_layer[place].0 += 1;
                    of_layer[place].1 |= op != Some(other)
                        || !nowhere.contains(&(logs.value(row), files.value(row)));
                    let count = u64::from(is_usable(starts_s.value(row), ends_s.value(row)));
                    let key = (track, layer, op);
                    match &mut same {
                        Some((known, calls)) if *known == key => *calls += count,
                        _ => {
                            // Counted where a stretch ends: most are long.
                            if let Some((key, calls)) = same.replace((key, count)) {
                                *usable.entry(key).or_default() += calls;
                            }
                        }
                    }
                }
                if before != Some(track) {
                    before = Some(track);
                    let number = host.at(host_names, row, &mut hosts);
                    let known = tracks.entry(track).or_insert(number);
                    *known = known.or(number);
                }
            }
            if let Some((key, calls)) = same {
                *usable.entry(key).or_default() += calls;
            }
        }
        for batch in batches(tables, TableId::RankHost) {
            let logs = batch.column(rank_host::LOG).as_primitive::<Int32Type>();
            let ranks = batch.column(rank_host::RANK).as_primitive::<Int32Type>();
            let names = batch.column(rank_host::HOST).as_string_view();
            for row in 0..batch.num_rows() {
                if let Some(host) = tracks.get_mut(&(logs.value(row), ranks.value(row))) {
                    *host = host.or_else(|| Some(hosts.number(names.value(row))));
                }
            }
        }
        let names = layers.all.clone();
        let shown = layers.all.into_iter().zip(&of_layer).filter(|(_, (_, has_io))| *has_io);
        let mut rows = 0;
        let mut layers: Vec<String> = shown
            .map(|(layer, (of_it, _))| {
                rows += of_it;
                layer
            })
            .collect();
        layers.sort_by_key(|layer| (layer_depth(layer), layer.clone()));
        let numbers: HashMap<(i32, i32), u32> =
            (0u32..).zip(tracks.keys()).map(|(number, key)| (*key, number)).collect();
        let mut counts = Counts::default();
        for ((track, layer, op), calls) in usable {
            let name = names.get(layer as usize);
            let Some(layer) = layers.iter().position(|shown| Some(shown) == name) else { continue };
            let op = op.and_then(|op| ops.all.get(op as usize)).map_or("", String::as_str);
            let stretch = Stretch {
                track: numbers.get(&track).copied().unwrap_or(0),
                layer: layer as u8,
                kind: Kind::of_op(op),
                file: NONE,
                form: 0,
            };
            counts.add(&stretch, calls);
        }
        Self {
            rows,
            layers,
            hosts,
            counts,
            numbers,
            tracks: tracks
                .into_iter()
                .map(|((log, rank), host)| Track { log, rank, host })
                .collect(),
        }
    }
}

/// Calls taken in so far, and the names met on the way.
struct Taken {
    builder: CallsBuilder,
    /// Place of each name that `layers` has met in the layers of the store.
    layer_names: Names,
    layer_places: Vec<u8>,
    ops: Names,
    functions: Names,
    errors: Names,
    forms: Vec<Form>,
    form_numbers: HashMap<Form, u16>,
}

impl Taken {
    fn new(seen: &Seen, builder: CallsBuilder) -> Self {
        let mut layer_names = Names::default();
        let place = |layer: &String| layer_names.number(layer) as u8;
        let layer_places = seen.layers.iter().map(place).collect();
        Self {
            builder,
            layer_names,
            layer_places,
            ops: Names::default(),
            functions: Names::default(),
            errors: Names::default(),
            forms: Vec::new(),
            form_numbers: HashMap::new(),
        }
    }

    fn form(&mut self, form: Form) -> u16 {
        if let Some(number) = self.form_numbers.get(&form) {
            return *number;
        }
        // More forms than numbers: those beyond lose their error names first.
        let number = u16::try_from(self.forms.len()).unwrap_or(u16::MAX);
        if self.forms.len() <= usize::from(u16::MAX) {
            self.forms.push(form);
        }
        self.form_numbers.insert(form, number);
        number
    }

    fn take(&mut self, columns: &Columns, seen: &Seen, files: &mut Files, stacks: &Stacks) {
        let (mut layer, mut op) = (Last::default(), Last::default());
        let (mut function, mut error) = (Last::default(), Last::default());
        // Layer, op, file, rank, form of the row before: mostly the same again.
        let mut before: Option<(Key, Option<u32>, Stretch)> = None;
        for row in 0..columns.rows {
            let (start_s, end_s) = (columns.starts_s.value(row), columns.ends_s.value(row));
            if !is_usable(start_s, end_s) {
                continue;
            }
            let log = columns.logs.value(row);
            let (rank, id) = (columns.ranks.value(row), columns.files.value(row));
            let layer = layer.at(&columns.layers, row, &mut self.layer_names);
            let Some(place) = layer.and_then(|layer| self.layer_places.get(layer as usize)) else {
                continue; // of a layer that is not shown
            };
            let form = Form {
                op: op
                    .at(&columns.ops, row, &mut self.ops)
                    .and_then(|op| u8::try_from(op).ok())
                    .unwrap_or(0),
                function: function.at(&columns.functions, row, &mut self.functions),
                is_collective: columns
                    .is_collective
                    .is_valid(row)
                    .then(|| columns.is_collective.value(row)),
                error: error.at(&columns.errors, row, &mut self.errors),
            };
            let key = (log, rank, id, form);
            let stretch = match before {
                Some((same, same_layer, stretch)) if same == key && same_layer == layer => stretch,
                _ => {
                    let op_name = self.ops.all.get(usize::from(form.op)).map_or("", String::as_str);
                    Stretch {
                        track: seen.numbers.get(&(log, rank)).copied().unwrap_or(0),
                        layer: *place,
                        kind: Kind::of_op(op_name),
                        file: files.number(log, id),
                        form: self.form(form),
                    }
                }
            };
            before = Some((key, layer, stretch));
            self.builder.push(
                stretch,
                NewCall {
                    start_ns: ns_of(start_s),
                    end_ns: ns_of(end_s),
                    offset_bytes: known(&columns.offsets, row).and_then(|n| n.try_into().ok()),
                    size_bytes: known(&columns.sizes, row).and_then(|n| n.try_into().ok()),
                    traced: columns.traced(row, log, stacks),
                },
            );
        }
    }
}

/// What stands for no file, by log and id.
fn no_files(tables: &[Arc<dyn BatchSource>]) -> HashSet<(i32, u64)> {
    let mut found = HashSet::new();
    for batch in batches(tables, TableId::File) {
        let logs = batch.column(file::LOG).as_primitive::<Int32Type>();
        let ids = batch.column(file::FILE_ID).as_primitive::<UInt64Type>();
        let paths = batch.column(file::PATH).as_string_view();
        let rows = (0..batch.num_rows()).filter(|row| paths.value(*row) == NO_FILE);
        found.extend(rows.map(|row| (logs.value(row), ids.value(row))));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_tables::{Call, CallRun, FileRow, Layer, Op, Tables};

    /// Layer, operation and path of each call.
    fn layers_of(calls: &[(Layer, Op, &str)]) -> (Vec<String>, u64, usize) {
        let mut tables = Tables::new();
        for (id, (layer, op, path)) in (1..).zip(calls) {
            tables.push_file(FileRow {
                log: 0,
                file_id: id,
                path: Some(path),
                mount: None,
                fs_type: None,
                is_path_suffix: false,
                kind: None,
                parent_id: None,
            });
            let run = CallRun::new(0, *layer, *op, id, 0);
            tables.calls.push(run, Call { start_s: 0.5, end_s: 0.6, ..Call::default() });
        }
        let store = store(&crate::trace::freeze(vec![tables], crate::Threads::new(1)));
        (store.layers.clone(), store.rows_in_all, store.calls.len())
    }

    #[test]
    fn starting_mpi_alone_makes_no_layer() {
        let init = (Layer::Mpiio, Op::Other, NO_FILE);
        let posix = (Layer::Posix, Op::Write, "/a");
        assert_eq!(layers_of(&[init, posix, init]), (vec!["posix".to_owned()], 1, 1));
    }

    #[test]
    fn a_layer_with_data_shows_when_mpi_was_started_and_other_calls_of_a_file_count() {
        let names = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        let init = (Layer::Mpiio, Op::Other, NO_FILE);
        let write = (Layer::Mpiio, Op::Write, "/a");
        assert_eq!(layers_of(&[init, write]), (names(&["mpiio"]), 2, 2));
        let on_a_file = (Layer::Mpiio, Op::Other, "/a");
        assert_eq!(layers_of(&[on_a_file]), (names(&["mpiio"]), 1, 1));
    }
}
