//! From table `call` to the columns of `diya-timeline`.

use super::call_importer::CallImporter;
use super::call_index::{CallIndex, call_table};
use super::files::{Files, Stacks, batches};
use super::places::Origins;
use arrow::array::{Array, AsArray};
use arrow::datatypes::{Float64Type, Int32Type};
use diya::Threads;
use diya_metrics::Places;
use diya_read::Workers as _;
use diya_tables::{BatchSource, TableId, job};
use diya_timeline::{Holding, Log, Store};
use std::sync::Arc;

/// The tables that a page's calls are made of.
pub const CALL_TABLES: &[&str] = &[
    "call",
    "file",
    "job",
    "rank_host",
    "lustre_component",
    "lustre_target",
    "mpiio",
    "stack_frame",
    "region",
];

/// The calls of these tables with all that belongs to them. Calls of which the
/// times are not in order are left out; `read_issue` lists them. So are layers
/// of which the only calls are starting and ending MPI: a lane with nothing in it.
pub fn store(tables: &[Arc<dyn BatchSource>], threads: Threads) -> Store {
    let mut seen = CallIndex::look(tables);
    let mut files = Files::read(tables);
    let origins = Origins::new(Stacks::read(tables), Places::of(tables));
    let counts = std::mem::take(&mut seen.counts);
    let mut taken = CallImporter::new(&seen, counts.builder());
    if let Some(table) = call_table(tables) {
        taken.take(&**table, (&seen, &mut files, &origins), threads);
    }
    let calls = taken.builder.finish(&|tasks, work| threads.run(tasks, work));
    let rows_in_all = seen.rows;
    let left_out = rows_in_all - calls.len() as u64;
    let (stacks, regions, places) = origins.finish();
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
        stacks,
        regions,
        places,
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

#[cfg(test)]
mod tests {
    use super::super::call_index::NO_FILE;
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
                is_path_suffix: false,
                ..FileRow::UNKNOWN
            });
            let run = CallRun::new(0, *layer, *op, id, 0);
            tables.calls.push(run, Call { start_s: 0.5, end_s: 0.6, ..Call::default() });
        }
        let threads = Threads::new(1);
        let store = store(&diya::freeze(vec![tables], threads), threads);
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
