//! Sums over the calls: `op_count`, the counters of each layer, heat maps.

use crate::Selection;
use crate::segment::calls::ByKey;
use crate::segment::heat::Heatmaps;
use crate::segment::ops;
use crate::segment::rows::{self, Summary};
use crate::segment::tally::{Access, DataCall, OpSums, moves_data};
use diya_model::Function;
use diya_tables::{
    Call, CallRun, CallTable, FastHashMap, HeatmapRecord, Layer, NameId, Op, OpCountRow, TableId,
    Tables, record_id,
};
use std::collections::{BTreeMap, BTreeSet};

/// Alignment assumed for files: their block sizes are not in such traces.
const USUAL_ALIGNMENT: i64 = 4096;

/// The rank of what all ranks did together.
const ALL_RANKS: i32 = -1;

/// Layer, file, rank.
type FileKey = (u8, u64, i32);

/// What some transfers of a file did not say.
#[derive(Debug, Clone, Copy, Default)]
struct Lack {
    sizes: bool,
    offsets: bool,
    durations: bool,
    /// Whether calls of MPI-IO are collective, split or nonblocking.
    ways: bool,
}

impl Lack {
    /// Can the counter not be known?
    fn hides(self, column: &str) -> bool {
        let begins = |names: &[&str]| names.iter().any(|name| column.starts_with(name));
        let of_sizes = ["bytes_", "size_", "access"];
        let of_offsets = ["max_byte_", "consec_", "seq_", "stride", "file_not_aligned"];
        let of_ways = ["indep_", "coll_", "split_", "nb_", "use_mpiio_collective"];
        let is_time = column.starts_with("f_") && column.ends_with("_time");
        (self.sizes && begins(&of_sizes))
            || ((self.sizes || self.offsets) && begins(&of_offsets))
            || (self.ways && begins(&of_ways))
            || (self.durations && is_time)
    }
}

/// Sums over all calls.
pub(crate) struct Sums {
    functions: ByKey<(FileKey, NameId, u8), OpSums>,
    /// By the name of a function: what counts its calls as split or nonblocking.
    traits: FastHashMap<NameId, Function>,
    accesses: ByKey<FileKey, Access>,
    lacks: FastHashMap<FileKey, Lack>,
    heat: BTreeMap<i32, Heatmaps>,
    job_ns: i64,
}

impl Sums {
    pub fn new(job_ns: i64) -> Self {
        Self {
            functions: ByKey::default(),
            traits: FastHashMap::default(),
            accesses: ByKey::default(),
            lacks: FastHashMap::default(),
            heat: BTreeMap::new(),
            job_ns,
        }
    }

    /// Counts calls of one run, each with the time of calls made inside it. Runs can be as short
    /// as one call: nothing is looked up for a run that was looked up for the one before.
    #[inline]
    pub fn add(
        &mut self,
        run: &CallRun,
        names: &CallTable,
        calls: impl Iterator<Item = (Call, i64)>,
    ) {
        let Some(function) = run.function else { return };
        let (layer, op) = (run.layer.number(), run.op.number());
        let key = (layer, run.file_id, run.rank);
        let plain = Function::plain(0, "", run.layer, run.op);
        let known = || super::known_function(names.name(function)).copied().unwrap_or(plain);
        let kind = &*self.traits.entry(function).or_insert_with(known);
        let has_data = moves_data(op) && run.error.is_none();
        let mut sums = OpSums::default();
        // The way of a call follows from its function, if that is known.
        let has_way = run.layer != Layer::Mpiio || run.is_collective.is_some();
        if has_data && !(run.has_size && run.has_offset && has_way) {
            let lack = self.lacks.entry(key).or_default();
            lack.sizes |= !run.has_size;
            lack.offsets |= !run.has_offset;
            lack.ways |= !has_way;
        }
        let mut access = if has_data { self.accesses.of(key) } else { None };
        let heat = self.heat.entry(run.rank).or_insert_with(|| Heatmaps::new(self.job_ns));
        for (call, inner_ns) in calls {
            let (start_ns, end_ns) = (nanoseconds(call.start_s), nanoseconds(call.end_s));
            let busy_ns = call.busy_s.map_or(end_ns.saturating_sub(start_ns), nanoseconds);
            let count = call.calls.unwrap_or(1).max(0).cast_unsigned();
            let size = call.size_bytes.max(0).cast_unsigned();
            let is_data = run.has_size && has_data;
            sums.merge(&OpSums {
                calls: count,
                failed: if run.error.is_some() { count } else { 0 },
                bytes: if is_data { size } else { 0 },
                busy_ns,
                inner_ns,
                first_ns: start_ns,
                last_ns: end_ns,
            });
            let Some(access) = &mut access else { continue };
            let data = DataCall {
                is_write: run.op == Op::Write,
                offset: run.has_offset.then_some(call.offset_bytes),
                done: if is_data { size } else { 0 },
                calls: count,
                duration_ns: busy_ns,
                is_collective: run.is_collective,
            };
            access.add(&data, kind, USUAL_ALIGNMENT);
            heat.add(layer, data.is_write, start_ns, end_ns, data.done);
        }
        self.functions.with((key, function, op), |all| all.merge(&sums));
    }

    /// Adds bytes that all ranks together moved in a period.
    pub fn add_transfer(
        &mut self,
        layer: Layer,
        is_write: bool,
        (start_ns, end_ns): (i64, i64),
        bytes: u64,
    ) {
        let heat = self.heat.entry(ALL_RANKS).or_insert_with(|| Heatmaps::new(self.job_ns));
        heat.add(layer.number(), is_write, start_ns, end_ns, bytes);
    }

    /// Writes the rows.
    pub fn rows(
        mut self,
        (log, selection): (i32, &Selection),
        is_file: &dyn Fn(u64) -> bool,
        has_durations: bool,
        names: &CallTable,
        tables: &mut Tables,
    ) {
        let rows = std::mem::take(&mut self.functions).into_rows();
        let named =
            rows.into_iter().map(|((key, name, op), sums)| ((key, names.name(name), op), sums));
        let functions: BTreeMap<(FileKey, &str, u8), OpSums> = named.collect();
        let accesses = std::mem::take(&mut self.accesses).into_rows();
        let mut accesses: FastHashMap<FileKey, Access> = accesses.into_iter().collect();
        let mut rest = functions.iter().peekable();
        while let Some(key) = rest.peek().map(|((key, ..), _)| *key) {
            let mut all = [OpSums::default(); ops::OPS as usize + 1];
            while let Some(((_, function, op), sums)) = rest.next_if(|((of, ..), _)| *of == key) {
                if let Some(slot) = all.get_mut(usize::from(*op)) {
                    slot.merge(sums);
                }
                if selection.tables.has(TableId::OpCount) {
                    let has_bytes = !self.lacks.get(&key).is_some_and(|lack| lack.sizes);
                    op_count(log, (key, function, *op), sums, has_bytes, tables);
                }
            }
            let access = accesses.remove(&key).unwrap_or_default();
            self.counters((log, selection), key, (all, access), is_file, has_durations, tables);
        }
        if selection.tables.has(TableId::Heatmap) {
            self.heat_rows(log, tables);
        }
    }

    /// Layers that have calls.
    pub fn layers(&self) -> BTreeSet<&'static str> {
        let numbers = self.functions.rows().iter().map(|(((layer, ..), ..), _)| *layer);
        numbers.filter_map(Layer::from_number).map(Layer::name).collect()
    }

    fn counters(
        &self,
        (log, selection): (i32, &Selection),
        key: FileKey,
        (all, mut access): ([OpSums; ops::OPS as usize + 1], Access),
        is_file: &dyn Fn(u64) -> bool,
        has_durations: bool,
        tables: &mut Tables,
    ) {
        let (layer, file_id, rank) = key;
        let is_about_files = all.iter().take(usize::from(ops::OTHER)).any(|op| op.calls > 0);
        let is_counted = is_about_files && (layer == ops::STDIO || is_file(file_id));
        let Some(table) = rows::table_of(layer).filter(|_| is_counted) else { return };
        if !wants_counters(selection, table) {
            return;
        }
        let (common_sizes, common_strides) = (access.sizes.top(), access.strides.top());
        let summary = Summary {
            log,
            file_id,
            rank,
            parent_id: None,
            layer,
            ops: all,
            access,
            alignment: USUAL_ALIGNMENT,
            selections: [0; 5],
            attributes: None,
            common_sizes,
            common_strides,
        };
        let builder = tables.builder(table);
        rows::push(&summary, builder);
        let lack = self.lacks.get(&key).copied().unwrap_or_default();
        let lack = Lack { durations: !has_durations, ..lack };
        let row = builder.rows().saturating_sub(1);
        for (column, def) in builder.def().columns.iter().enumerate() {
            if lack.hides(def.name) {
                builder.set_null(column, row);
            }
        }
    }

    fn heat_rows(&mut self, log: i32, tables: &mut Tables) {
        for (rank, mut maps) in std::mem::take(&mut self.heat) {
            maps.settle();
            let bin_width_s = maps.bin_ns as f64 / 1e9;
            for (layer, (read, write)) in maps.layers {
                let name = match layer {
                    ops::POSIX => "heatmap:POSIX",
                    ops::STDIO => "heatmap:STDIO",
                    ops::MPIIO => "heatmap:MPIIO",
                    _ => continue,
                };
                tables.heatmap.push(HeatmapRecord {
                    log,
                    layer: Layer::from_number(layer),
                    file_id: record_id(name.as_bytes()),
                    rank,
                    bin_width_s,
                    write,
                    read,
                });
            }
        }
    }
}

/// Counters are also the source of the tables that are derived from them.
fn wants_counters(selection: &Selection, table: TableId) -> bool {
    selection.tables.has_any(&[table, TableId::SizeHistogram, TableId::AccessSize])
}

fn op_count(
    log: i32,
    key: (FileKey, &str, u8),
    sums: &OpSums,
    has_bytes: bool,
    tables: &mut Tables,
) {
    let ((layer, file_id, rank), function, op) = key;
    let (Some(layer), Some(op)) = (Layer::from_number(layer), Op::from_number(op)) else { return };
    let signed = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
    let seconds = |ns: i64| ns as f64 / 1e9;
    tables.push_op_count(OpCountRow {
        log,
        file_id,
        rank,
        layer: layer.name(),
        op: op.name(),
        function: Some(function),
        calls: signed(sums.calls),
        failed: signed(sums.failed),
        bytes: (has_bytes && matches!(op, Op::Read | Op::Write)).then_some(signed(sums.bytes)),
        time_s: seconds(sums.busy_ns),
        exclusive_s: Some(seconds(sums.busy_ns.saturating_sub(sums.inner_ns).max(0))),
        first_s: Some(seconds(sums.first_ns)),
        last_s: Some(seconds(sums.last_ns)),
    });
}

pub(super) fn nanoseconds(s: f64) -> i64 {
    (s * 1e9).round() as i64
}
