//! Rows of the counter tables: `posix`, `mpiio`, `stdio`, `hdf5_file`, ...
//!
//! Their columns are Darshan's counters. Which sum fills which column follows
//! from the column's name, so a counter that we cannot know stays null.

use super::ops;
use super::tally::{Access, OpSums};
use diya_model::{Layer, SizeBin};
use diya_tables::{FastHashMap, TableBuilder, TableId};

/// All that is known of one file in one layer on one rank.
pub(crate) struct Summary<'a> {
    pub log: i32,
    pub file_id: u64,
    pub rank: i32,
    pub parent_id: Option<u64>,
    pub layer: u8,
    pub ops: [OpSums; ops::OPS as usize + 1],
    pub access: Access,
    pub alignment: i64,
    pub selections: [u64; 5],
    pub attributes: Option<&'a FastHashMap<String, String>>,
    pub common_sizes: [(i64, u64); 4],
    pub common_strides: [(i64, u64); 4],
}

/// The table of a layer's counters; none for layers without one.
pub(crate) fn table_of(layer: u8) -> Option<TableId> {
    TableId::of_layer(Layer::from_number(layer)?)
}

enum Value {
    Int(i64),
    Id(u64),
    Real(f64),
    Null,
}

/// Appends the row of this file, layer and rank.
pub(crate) fn push(summary: &Summary<'_>, table: &mut TableBuilder) {
    for (column, def) in table.def().columns.iter().enumerate() {
        match def.name {
            "log" => table.push_i32(column, Some(summary.log)),
            "file_id" => table.push_u64(column, Some(summary.file_id)),
            "rank" => table.push_i32(column, Some(summary.rank)),
            name => match summary.value(name) {
                Value::Int(n) => table.push_i64(column, Some(n)),
                Value::Id(n) => table.push_u64(column, Some(n)),
                Value::Real(n) => table.push_f64(column, Some(n)),
                Value::Null => {}
            },
        }
    }
    table.end_row();
}

fn int(n: u64) -> Value {
    Value::Int(i64::try_from(n).unwrap_or(i64::MAX))
}

impl Summary<'_> {
    fn sum(&self, list: &[u8]) -> OpSums {
        let mut sum = OpSums::default();
        for &op in list {
            if let Some(one) = self.ops.get(usize::from(op)) {
                sum.merge(one);
            }
        }
        sum
    }

    fn done(&self, list: &[u8]) -> Value {
        let sum = self.sum(list);
        int(sum.calls.saturating_sub(sum.failed))
    }

    fn number(&self, attribute: &str) -> Value {
        let text = self.attributes.and_then(|all| all.get(attribute));
        text.and_then(|t| t.parse().ok()).map_or(Value::Null, Value::Int)
    }

    /// One of a list of numbers, as in `64,64`.
    fn dimension(&self, attribute: &str, at: usize) -> Value {
        let text = self.attributes.and_then(|all| all.get(attribute));
        let part = text.and_then(|t| t.split([',', 'x', ' ']).filter(|p| !p.is_empty()).nth(at));
        part.and_then(|t| t.parse().ok()).map_or(Value::Null, Value::Int)
    }

    fn points(&self, attribute: &str) -> Value {
        let Some(text) = self.attributes.and_then(|all| all.get(attribute)) else {
            return Value::Null;
        };
        let parts = text.split([',', 'x', ' ']).filter(|p| !p.is_empty());
        parts
            .map(|p| p.parse::<i64>().ok())
            .try_fold(1i64, |all, n| all.checked_mul(n?))
            .map_or(Value::Null, Value::Int)
    }

    fn value(&self, name: &str) -> Value {
        if let Some(value) = self.named_by_prefix(name) {
            return value;
        }
        let (read, write) = (&self.access.read, &self.access.write);
        let is_dataset = matches!(self.layer, ops::HDF5_DATASET | ops::PNETCDF_VAR);
        match name {
            "opens" if self.layer == ops::PNETCDF_FILE => self.done(&[ops::OPEN]),
            "opens" => self.done(&[ops::OPEN, ops::CREATE]),
            "creates" => self.done(&[ops::CREATE]),
            "filenos" | "fdopens" => Value::Int(0),
            "dups" => self.done(&[ops::DUP]),
            "reads" => int(read.calls),
            "writes" => int(write.calls),
            "seeks" => self.done(&[ops::SEEK]),
            "stats" => self.done(&[ops::STAT]),
            "mmaps" => self.done(&[ops::MAP]),
            "fsyncs" | "syncs" => self.done(&[ops::SYNC]),
            "fdsyncs" => self.done(&[ops::DATASYNC]),
            "flushes" => self.done(&[ops::FLUSH]),
            "rename_sources" => self.done(&[ops::RENAME]),
            "views" => self.done(&[ops::VIEW]),
            "hints" => self.done(&[ops::INFO]),
            "bytes_read" => int(read.bytes),
            "bytes_written" => int(write.bytes),
            "max_byte_read" => Value::Int(read.max_byte),
            "max_byte_written" => Value::Int(write.max_byte),
            "consec_reads" => int(read.consecutive),
            "consec_writes" => int(write.consecutive),
            "seq_reads" => int(read.sequential),
            "seq_writes" => int(write.sequential),
            "rw_switches" => int(self.access.switches),
            "file_not_aligned" => int(self.access.not_aligned),
            "file_alignment" => Value::Int(self.alignment),
            "max_read_time_size" => int(read.slowest_size),
            "max_write_time_size" => int(write.slowest_size),
            "indep_opens" => {
                let opens = self.sum(&[ops::OPEN, ops::CREATE]);
                let done = opens.calls.saturating_sub(opens.failed);
                int(done.saturating_sub(self.access.collective_opens))
            }
            "coll_opens" => int(self.access.collective_opens),
            "indep_reads" => int(independent(read)),
            "indep_writes" => int(independent(write)),
            "coll_reads" => int(read.collective),
            "coll_writes" => int(write.collective),
            "split_reads" => int(read.split),
            "split_writes" => int(write.split),
            "nb_reads" => int(read.nonblocking),
            "nb_writes" => int(write.nonblocking),
            "mode" if self.layer == ops::MPIIO => self.number("mpi:amode"),
            "use_mpiio" => match self.attributes.and_then(|all| all.get("h5f:driver")) {
                Some(driver) => Value::Int(i64::from(driver == "mpio")),
                None => Value::Null,
            },
            "use_mpiio_collective" => Value::Int(i64::from(self.access.collective_transfers > 0)),
            "regular_hyperslab_selects" => int(self.selections[1]),
            "irregular_hyperslab_selects" => int(self.selections[2]),
            "point_selects" => int(self.selections[3]),
            "dataspace_ndims" => self.number("h5d:ndims"),
            "dataspace_npoints" => self.points("h5d:dims"),
            "datatype_size" if self.layer == ops::HDF5_DATASET => self.number("h5d:type_size"),
            "file_rec_id" => self.parent_id.map_or(Value::Null, Value::Id),
            "f_meta_time" if is_dataset => {
                seconds(self.sum(&[ops::OPEN, ops::CREATE, ops::CLOSE, ops::FLUSH]).busy_ns)
            }
            "f_meta_time" => seconds(self.meta_ns()),
            "f_read_time" => seconds(self.sum(&[ops::READ]).busy_ns),
            "f_write_time" => seconds(self.write_ns()),
            "f_wait_time" => seconds(self.sum(&[ops::WAIT]).busy_ns),
            "f_max_read_time" => seconds(read.slowest_ns),
            "f_max_write_time" => seconds(write.slowest_ns),
            _ => Value::Null,
        }
    }

    fn named_by_prefix(&self, name: &str) -> Option<Value> {
        if let Some(rest) = name.strip_prefix("size_") {
            let (way, bin) = match rest.split_once('_')? {
                ("read", bin) => (&self.access.read, bin),
                ("write", bin) => (&self.access.write, bin),
                _ => return None,
            };
            let bin = bin.strip_prefix("agg_").unwrap_or(bin);
            let at = SizeBin::index_of_name(bin)?;
            return way.sizes.get(at).map(|&n| int(n));
        }
        if let Some(rest) = name.strip_prefix("chunk_size_d") {
            let at: usize = rest.parse().ok()?;
            return Some(self.dimension("h5d:chunk", at.checked_sub(1)?));
        }
        if let Some((common, rest)) = name
            .strip_prefix("access")
            .map(|rest| (&self.common_sizes, rest))
            .or_else(|| name.strip_prefix("stride").map(|rest| (&self.common_strides, rest)))
        {
            let (number, what) = rest.split_once('_')?;
            let &(value, calls) = common.get(number.parse::<usize>().ok()?.checked_sub(1)?)?;
            return Some(match what {
                "access" | "stride" => Value::Int(value),
                "count" => int(calls),
                _ => Value::Null,
            });
        }
        self.timestamp(name)
    }

    /// `f_open_start_timestamp` and the like.
    fn timestamp(&self, name: &str) -> Option<Value> {
        let what = name.strip_prefix("f_")?.strip_suffix("_timestamp")?;
        let (op, end) = what.split_once('_')?;
        let sum = match op {
            "open" => self.sum(&[ops::OPEN, ops::CREATE]),
            "close" => self.sum(&[ops::CLOSE]),
            "read" => self.sum(&[ops::READ]),
            "write" => self.sum(&[ops::WRITE]),
            "wait" => self.sum(&[ops::WAIT]),
            _ => return None,
        };
        if sum.calls == 0 {
            return Some(Value::Null);
        }
        Some(seconds(if end == "start" { sum.first_ns } else { sum.last_ns }))
    }

    /// Syncs belong to writing, as Darshan has it.
    fn write_ns(&self) -> i64 {
        let flush: &[u8] = match self.layer {
            ops::POSIX | ops::MPIIO => &[ops::WRITE, ops::SYNC, ops::DATASYNC],
            ops::STDIO => &[ops::WRITE, ops::FLUSH],
            _ => &[ops::WRITE],
        };
        self.sum(flush).busy_ns
    }

    fn meta_ns(&self) -> i64 {
        let all: i64 = self.ops.iter().fold(0, |sum, o| o.busy_ns.saturating_add(sum));
        let waits = self.sum(&[ops::WAIT]).busy_ns;
        all.saturating_sub(self.write_ns())
            .saturating_sub(self.sum(&[ops::READ]).busy_ns)
            .saturating_sub(waits)
    }
}

fn independent(way: &super::tally::Direction) -> u64 {
    way.calls
        .saturating_sub(way.collective)
        .saturating_sub(way.split)
        .saturating_sub(way.nonblocking)
}

fn seconds(ns: i64) -> Value {
    Value::Real(ns as f64 / 1e9)
}
