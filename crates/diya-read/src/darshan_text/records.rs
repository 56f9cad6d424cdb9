//! Counter lines: one per counter of a record, all of a record together.

use super::super::darshan::heatmap::layer_named;
use crate::Request;
use crate::darshan::issues::Issues;
use crate::darshan::modules::{Decoder, named};
use crate::darshan::names::Names;
use crate::darshan::records::{FILE_ID, LOG, RANK};
use diya_tables::{HeatmapRecord, IssueKind, Kind, TableId, Tables};
use std::collections::{BTreeMap, HashMap};

/// Bins that a heat map of Darshan can have; more are damage.
const MAX_BINS: usize = 1 << 16;

/// Record of which lines come.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Key {
    module: String,
    rank: i32,
    id: u64,
}

/// Records of the text.
pub(super) struct Records<'a> {
    request: &'a Request<'a>,
    /// Table and column of each counter.
    columns: HashMap<&'static str, (TableId, usize)>,
    open: Option<(Key, usize)>,
    values: Vec<(TableId, usize, Value)>,
    heat: Heat,
    /// Counters per record, by module, and records.
    counters: BTreeMap<String, (usize, u64)>,
    short: u64,
    /// Of the line before.
    last_counter: String,
    pub names: TextNames,
}

#[derive(Debug, Clone, Copy)]
enum Value {
    Int(i64),
    Id(u64),
    Real(f64),
}

/// A heat map whose bins come line by line.
#[derive(Debug, Default)]
struct Heat {
    width_s: f64,
    read: Vec<i64>,
    write: Vec<i64>,
    name: String,
}

/// Names by id, and the mount point that a line gives.
pub(super) struct TextNames(Names);

impl TextNames {
    fn new() -> Self {
        Self(Names::new(crate::darshan::bytes::Order::Little, false))
    }

    pub fn add(&mut self, id: u64, name: &str) {
        // What darshan-parser prints where the log has no name.
        if name != "(null)" {
            self.0.add(id, name.as_bytes());
        }
    }

    pub fn add_all(&mut self, others: &[(u64, String)]) {
        others.iter().for_each(|(id, name)| self.add(*id, name));
    }

    pub fn rows(&self, request: &Request<'_>, mounts: &[(String, String)], tables: &mut Tables) {
        if request.selection.tables.has(TableId::File) {
            self.0.push(request.log, mounts, tables);
        }
    }
}

impl<'a> Records<'a> {
    pub fn new(request: &'a Request<'a>) -> Self {
        let columns = TableId::ALL.into_iter().flat_map(|table| {
            let columns = table.def().columns.iter().enumerate();
            columns.filter_map(move |(at, column)| Some((column.darshan?, (table, at))))
        });
        Self {
            request,
            columns: columns.collect(),
            open: None,
            values: Vec::new(),
            heat: Heat::default(),
            counters: BTreeMap::new(),
            short: 0,
            last_counter: String::new(),
            names: TextNames::new(),
        }
    }

    /// Does the text have records of this module?
    pub fn has(&self, module: &str) -> bool {
        self.counters.contains_key(module)
    }

    /// Takes in a line; false: it makes no sense.
    pub fn line(&mut self, line: &str, tables: &mut Tables) -> bool {
        let mut fields = line.split('\t');
        let mut field = || fields.next();
        let (Some(module), Some(rank), Some(id), Some(counter), Some(value), Some(name)) =
            (field(), field(), field(), field(), field(), field())
        else {
            return false;
        };
        let (Ok(rank), Ok(id)) = (rank.parse(), id.parse()) else { return false };
        let Some(known) = named(module) else { return false };
        let is_same = |key: &Key| key.module == module && key.rank == rank && key.id == id;
        if !self.open.as_ref().is_some_and(|(key, _)| is_same(key)) {
            self.close(tables);
            self.open = Some((Key { module: module.to_string(), rank, id }, 0));
            self.names.add(id, name);
        }
        if let Some((_, lines)) = &mut self.open {
            *lines += 1;
        }
        counter.clone_into(&mut self.last_counter);
        match known.decoder {
            Decoder::Heatmap => self.heat_line(counter, value, name),
            Decoder::Counters(_) => self.counter(counter, value),
            _ => true,
        }
    }

    fn counter(&mut self, counter: &str, value: &str) -> bool {
        // A counter of a newer version has no column.
        let Some((table, column)) = self.columns.get(counter).copied() else { return true };
        let kind = table.def().columns.get(column).map(|column| column.kind);
        let value = match kind {
            Some(Kind::I64) => value.parse().ok().map(Value::Int),
            Some(Kind::U64) => value.parse().ok().map(Value::Id),
            Some(Kind::F64) => value.parse().ok().map(Value::Real),
            _ => return true,
        };
        let Some(value) = value else { return false };
        self.values.push((table, column, value));
        true
    }

    fn heat_line(&mut self, counter: &str, value: &str, name: &str) -> bool {
        if counter == "HEATMAP_F_BIN_WIDTH_SECONDS" {
            name.clone_into(&mut self.heat.name);
            let width = value.parse().ok();
            self.heat.width_s = width.unwrap_or_default();
            return width.is_some();
        }
        let (bins, number) = match counter.strip_prefix("HEATMAP_READ_BIN_") {
            Some(number) => (&mut self.heat.read, number),
            None => match counter.strip_prefix("HEATMAP_WRITE_BIN_") {
                Some(number) => (&mut self.heat.write, number),
                None => return true,
            },
        };
        let (Ok(number), Ok(value)) = (number.parse::<usize>(), value.parse()) else {
            return false;
        };
        // In the order of the bins; a line that is missing is a bin without bytes.
        if number < bins.len() || number >= MAX_BINS {
            return false;
        }
        bins.resize(number, 0);
        bins.push(value);
        true
    }

    fn close(&mut self, tables: &mut Tables) {
        let Some((key, lines)) = self.open.take() else { return };
        let counted = self.counters.entry(key.module.clone()).or_default();
        self.short += u64::from(lines < counted.0);
        *counted = (counted.0.max(lines), counted.1 + 1);
        let values = std::mem::take(&mut self.values);
        let mut heat = std::mem::take(&mut self.heat);
        let selection = self.request.selection;
        if !selection.wants(key.id, key.rank) {
            return;
        }
        let bins = heat.read.len().max(heat.write.len());
        if bins > 0 && heat.width_s > 0.0 && selection.tables.has(TableId::Heatmap) {
            heat.read.resize(bins, 0);
            heat.write.resize(bins, 0);
            tables.heatmap.push(HeatmapRecord {
                log: self.request.log,
                layer: layer_named(&heat.name),
                file_id: key.id,
                rank: key.rank,
                bin_width_s: heat.width_s,
                write: heat.write,
                read: heat.read,
            });
        }
        let Some(Decoder::Counters(main)) = named(&key.module).map(|module| module.decoder) else {
            return;
        };
        let derived = [main, TableId::SizeHistogram, TableId::AccessSize];
        if !selection.tables.has_any(&derived) {
            return;
        }
        let is_shared = key.rank == -1;
        let row = tables.builder(main);
        row.push_i32(LOG, Some(self.request.log));
        row.push_u64(FILE_ID, Some(key.id));
        row.push_i32(RANK, Some(key.rank));
        let mut filled = vec![false; main.def().columns.len()];
        for (_, column, value) in values.iter().filter(|(table, ..)| *table == main) {
            // A line that comes twice would put the columns out of step.
            match filled.get_mut(*column) {
                Some(is_filled) if !*is_filled => *is_filled = true,
                _ => continue,
            }
            match *value {
                Value::Int(value) => row.push_counter(*column, value, is_shared),
                Value::Id(0) => row.push_u64(*column, None),
                Value::Id(value) => row.push_u64(*column, Some(value)),
                // Darshan prints -1 for a time that an older version did not keep.
                Value::Real(-1.0) => row.push_f64(*column, None),
                Value::Real(value) => row.push_f_counter(*column, value, is_shared),
            }
        }
        row.end_row();
    }

    /// Is the record that was read last whole? Programs print its counters in the order
    /// of the columns, and the record of the file of a dataset last.
    fn is_whole(&self) -> bool {
        let Some((key, _)) = &self.open else { return true };
        match named(&key.module).map(|module| module.decoder) {
            Some(Decoder::Heatmap) => self.heat.read.len() == self.heat.write.len(),
            Some(Decoder::Counters(table)) => {
                let last = self.columns.get(self.last_counter.as_str());
                let later = |at: usize| {
                    let rest = table.def().columns.iter().skip(at + 1);
                    rest.filter_map(|column| column.darshan)
                        .any(|counter| !counter.ends_with("FILE_REC_ID"))
                };
                self.last_counter.ends_with("FILE_REC_ID")
                    || last.is_none_or(|(of, at)| *of != table || !later(*at))
            }
            _ => true,
        }
    }

    /// The text has ended.
    pub fn finish(&mut self, issues: &mut Issues, tables: &mut Tables) {
        if !self.is_whole() {
            let effect = "the text ends inside of a record: its other counters are null";
            let module = self.open.as_ref().map(|(key, _)| key.module.clone());
            issues.push(IssueKind::Truncated, module.as_deref(), None, None, effect.into());
        }
        self.close(tables);
        if self.short > 0 {
            let effect = "records have fewer lines than others of their module: their other \
                          counters are null";
            issues.push(IssueKind::Corrupt, None, None, Some(self.short), effect.into());
        }
    }
}
