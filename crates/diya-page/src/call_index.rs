//! What has to be known of all calls before the first is taken in.

use super::numbering::{Last, Names};
use diya_tables::{BatchSource, TableId, call, columns, file, rank_host};
use diya_timeline::{Counts, Kind, StreamKey, Track, layer_depth};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

/// Operation of calls that are no I/O and belong to no file: MPI_Init and
/// MPI_Finalize, which tell where the program's own time begins and ends.
const OTHER: &str = "other";
/// Path that a recording gives to what belongs to no file.
pub(super) const NO_FILE: &str = "<unknown>";

/// The table of calls among others.
pub(super) fn call_table(tables: &[Arc<dyn BatchSource>]) -> Option<&Arc<dyn BatchSource>> {
    tables.iter().find(|table| table.def().name == TableId::Call.def().name)
}

/// What is known of the calls from what runs of them have in common; the calls
/// themselves are not read.
pub(super) struct CallIndex {
    /// Of the layers that are shown.
    pub rows: u64,
    pub layers: Vec<String>,
    pub hosts: Names,
    /// By log, then rank.
    pub tracks: Vec<Track>,
    pub numbers: HashMap<(i32, i32), u32>,
    /// By stream.
    pub counts: Counts,
}

columns! {
    /// What the calls of a run have in common.
    struct RunColumns of call {
        log: i32,
        layer: str,
        rank: i32,
        host: str,
        op: str,
        file_id: u64,
    }
}

columns! {
    struct RankHosts of rank_host { log: i32, rank: i32, host: str }
}

columns! {
    struct Paths of file { log: i32, file_id: u64, path: str }
}

/// What calls have in common: log and rank, number of the layer, and of the operation.
type Group = ((i32, i32), u32, Option<u32>);

impl CallIndex {
    pub fn look(tables: &[Arc<dyn BatchSource>]) -> Self {
        let nowhere = no_files(tables);
        let table = call_table(tables);
        let (mut layers, mut hosts, mut ops) =
            (Names::default(), Names::default(), Names::default());
        let other = ops.number(OTHER);
        // By number of the layer: rows, and whether any of them is I/O.
        let mut of_layer: Vec<(u64, bool)> = Vec::new();
        let mut tracks: BTreeMap<(i32, i32), Option<u32>> = BTreeMap::new();
        let mut groups: HashMap<Group, u64> = HashMap::new();
        for number in 0..table.map_or(0, |table| table.batches()) {
            let Some((lengths, keys)) = table.map(|table| table.runs(number, RunColumns::COLUMNS))
            else {
                continue;
            };
            let of = RunColumns::of(&keys);
            let (mut layer, mut host, mut before) = (Last::default(), Last::default(), None);
            let mut op = Last::default();
            for (row, length) in lengths.into_iter().enumerate() {
                let (track, calls) = ((of.log.value(row), of.rank.value(row)), length as u64);
                if let Some(layer) = layer.at(&of.layer, row, &mut layers) {
                    let op = op.at(&of.op, row, &mut ops);
                    let place = layer as usize;
                    of_layer.resize(of_layer.len().max(place + 1), (0, false));
                    of_layer[place].0 += calls;
                    of_layer[place].1 |= op != Some(other)
                        || !nowhere.contains(&(of.log.value(row), of.file_id.value(row)));
                    *groups.entry((track, layer, op)).or_default() += calls;
                }
                if before != Some(track) {
                    before = Some(track);
                    let number = host.at(&of.host, row, &mut hosts);
                    let known = tracks.entry(track).or_insert(number);
                    *known = known.or(number);
                }
            }
        }
        for of in RankHosts::all(tables) {
            for row in 0..of.rows() {
                if let Some(host) = tracks.get_mut(&(of.log.value(row), of.rank.value(row))) {
                    *host = host.or_else(|| Some(hosts.number(of.host.value(row))));
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
        for ((track, layer, op), calls) in groups {
            let name = names.get(layer as usize);
            let Some(layer) = layers.iter().position(|shown| Some(shown) == name) else { continue };
            let op = op.and_then(|op| ops.all.get(op as usize)).map_or("", String::as_str);
            let track = numbers.get(&track).copied().unwrap_or(0);
            let key = StreamKey { track, layer: layer as u8, kind: Kind::of_op(op) };
            counts.add(key, calls);
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

/// What stands for no file, by log and id.
fn no_files(tables: &[Arc<dyn BatchSource>]) -> HashSet<(i32, u64)> {
    let mut found = HashSet::new();
    for of in Paths::all(tables) {
        let rows = (0..of.rows()).filter(|row| of.path.value(*row) == NO_FILE);
        found.extend(rows.map(|row| (of.log.value(row), of.file_id.value(row))));
    }
    found
}
