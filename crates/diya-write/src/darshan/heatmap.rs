//! HEATMAP: bytes moved per layer and rank in equal bins of time.
//!
//! Source: darshan-heatmap-log-format.h. The two fields of the head that are
//! addresses in the writing process are zero here.

use super::pack::Packer;
use super::{Records, base};
use crate::Loss;
use diya_tables::{HeatmapRecord, Layer, Tables, record_id};
use std::io::{self, Write as _};

pub(super) struct Heatmaps<'t> {
    records: Vec<&'t HeatmapRecord>,
}

impl<'t> Heatmaps<'t> {
    pub fn new(tables: &'t Tables, log: i32, losses: &mut Vec<Loss>) -> Self {
        let of_log = tables.heatmap.records().iter().filter(|r| r.log == log);
        let (records, nameless): (Vec<_>, Vec<_>) = of_log.partition(|r| id(r) != 0);
        if !nameless.is_empty() {
            let effect = "heat maps of layers that Darshan does not know are left out";
            losses.push(Loss { part: "HEATMAP", count: nameless.len() as u64, effect });
        }
        Self { records }
    }
}

/// Record id: as recorded, or the hash of its name; 0: it has none.
pub(super) fn id(record: &HeatmapRecord) -> u64 {
    let name = record.layer.and_then(heatmap_name).filter(|_| record.file_id == 0);
    name.map_or(record.file_id, |name| record_id(name.as_bytes()))
}

/// Name of a layer's heat map; its hash is the record id.
pub(super) fn heatmap_name(layer: Layer) -> Option<&'static str> {
    match layer {
        Layer::Posix => Some("heatmap:POSIX"),
        Layer::Mpiio => Some("heatmap:MPIIO"),
        Layer::Stdio => Some("heatmap:STDIO"),
        Layer::Dfs => Some("heatmap:DFS"),
        Layer::Daos => Some("heatmap:DAOS"),
        _ => None,
    }
}

impl Records for Heatmaps<'_> {
    fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    fn pack(&self, into: &mut Packer) -> io::Result<()> {
        for record in &self.records {
            let bins = record.write.len().max(record.read.len());
            let mut bytes = base(id(record), record.rank).to_vec();
            bytes.extend(record.bin_width_s.to_le_bytes());
            bytes.extend((bins as u64).to_le_bytes());
            bytes.extend([0; 16]);
            for half in [&record.write, &record.read] {
                bytes.extend(half.iter().flat_map(|moved| moved.to_le_bytes()));
                bytes.resize(bytes.len() + (bins - half.len()) * 8, 0);
            }
            into.write_all(&bytes)?;
        }
        Ok(())
    }
}
