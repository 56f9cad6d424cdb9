//! Records of table `heatmap` as a block: the bins of all of them in a row.

use super::block::{Block, BlockKind, Effort};
use super::body::Body;
use super::numbers::{put_numbers, put_reals, put_texts};
use diya_tables::{HeatmapRecord, Layer};

/// Records in a full block: some ten thousand rows at the usual 200 bins.
pub(super) const RECORDS_PER_BLOCK: usize = 64;

/// Makes a block of these records.
pub(super) fn encode_heatmap(records: &[HeatmapRecord]) -> Block {
    let mut raw = Body::default();
    let list = |of: &dyn Fn(&HeatmapRecord) -> i64| records.iter().map(of).collect::<Vec<i64>>();
    raw.size(records.len());
    let layers: Vec<&str> = records.iter().map(|r| r.layer.map_or("", Layer::name)).collect();
    put_texts(&mut raw, &layers);
    put_numbers(&mut raw, &list(&|r| r.file_id.cast_signed()));
    put_numbers(&mut raw, &list(&|r| i64::from(r.rank)));
    put_reals(&mut raw, &records.iter().map(|r| r.bin_width_s).collect::<Vec<f64>>());
    put_numbers(&mut raw, &list(&|r| r.write.len() as i64));
    put_numbers(&mut raw, &list(&|r| r.read.len() as i64));
    let bins = |of: fn(&HeatmapRecord) -> &Vec<i64>| {
        records.iter().flat_map(|r| of(r).iter().copied()).collect::<Vec<i64>>()
    };
    put_numbers(&mut raw, &bins(|r| &r.write));
    put_numbers(&mut raw, &bins(|r| &r.read));
    let rows = records.iter().map(|r| r.write.len() + r.read.len()).sum();
    Block::new(BlockKind::Heatmap, "heatmap", &[], rows, &raw, Effort::Small)
}
