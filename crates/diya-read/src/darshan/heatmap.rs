//! HEATMAP: bytes moved per layer and rank in equal bins of time.
//!
//! Source: darshan-heatmap-log-format.h. The two pointer-sized fields of the
//! head are addresses in the process that wrote the log.

use super::bytes::{Cursor, Order};
use crate::Selection;
use crate::walk::{Damage, Sink, take_whole};
use diya_tables::{HeatmapRecord, HeatmapTable, Layer};
use std::collections::HashMap;

/// Darshan keeps at most 200 bins; what claims more than this is damaged.
const MAX_BINS: i64 = 1 << 20;

/// Record id of a layer's heat map: the hash of "heatmap:" and its name.
/// Checked by the log corpus, whose name records spell the names out.
const POSIX: u64 = 16_592_106_915_301_738_621;
const MPIIO: u64 = 3_668_870_418_325_792_824;
const STDIO: u64 = 3_989_511_027_826_779_520;

/// Decodes the records.
pub(crate) struct Heatmaps<'a> {
    pub order: Order,
    pub log: i32,
    pub selection: &'a Selection,
    /// Names from the log, which tell the layer of an id that is not known.
    pub layers: &'a HashMap<u64, Layer>,
    pub table: HeatmapTable,
}

impl Heatmaps<'_> {
    fn record(&mut self, bytes: &[u8]) -> Result<Option<usize>, Damage> {
        let mut at = Cursor::new(bytes, self.order);
        let (file_id, rank) = match at.base() {
            None => return Ok(None),
            Some(Ok(base)) => base,
            Some(Err(rank)) => return Err(Damage(format!("a HEATMAP record claims rank {rank}"))),
        };
        let head = at.f64().zip(at.i64()).zip(at.take(16));
        let Some(((bin_width_s, bins), _)) = head else { return Ok(None) };
        if !(0..=MAX_BINS).contains(&bins) || !bin_width_s.is_finite() {
            return Err(Damage(format!("a HEATMAP record claims {bins} bins of {bin_width_s} s")));
        }
        let half = usize::try_from(bins).unwrap_or(0) * 8;
        let Some(write) = at.take(half) else { return Ok(None) };
        let Some(read) = at.take(half) else { return Ok(None) };
        // A record without bins would be no row.
        if bins > 0 && self.selection.wants(file_id, rank) {
            self.table.push(HeatmapRecord {
                log: self.log,
                layer: self.layers.get(&file_id).copied().or_else(|| layer_of(file_id)),
                file_id,
                rank,
                bin_width_s,
                write: numbers(write, self.order),
                read: numbers(read, self.order),
            });
        }
        Ok(Some(bytes.len() - at.rest().len()))
    }
}

/// The layer whose heat map has this record id.
pub(crate) fn layer_of(file_id: u64) -> Option<Layer> {
    match file_id {
        POSIX => Some(Layer::Posix),
        MPIIO => Some(Layer::Mpiio),
        STDIO => Some(Layer::Stdio),
        _ => None,
    }
}

/// The layer that a name record of a heat map spells out.
pub(crate) fn layer_named(name: &str) -> Option<Layer> {
    match name {
        "heatmap:POSIX" => Some(Layer::Posix),
        "heatmap:MPIIO" => Some(Layer::Mpiio),
        "heatmap:STDIO" => Some(Layer::Stdio),
        "heatmap:DFS" => Some(Layer::Dfs),
        "heatmap:DAOS" => Some(Layer::Daos),
        _ => None,
    }
}

fn numbers(bytes: &[u8], order: Order) -> Vec<i64> {
    let (words, _) = bytes.as_chunks::<8>();
    words.iter().map(|w| order.i64(*w)).collect()
}

impl Sink for Heatmaps<'_> {
    fn take(&mut self, bytes: &[u8]) -> Result<usize, Damage> {
        take_whole(bytes, |rest| self.record(rest))
    }

    fn reset(&mut self) {}
}
