//! Heat maps, bin by bin.

use super::{Difference, push};
use diya_tables::{HeatmapRecord, Tables};
use std::collections::BTreeMap;

const MODULE: &str = "HEATMAP";

pub(super) fn compare(a: &Tables, b: &Tables, found: &mut Vec<Difference>) {
    let (a, b) = (by_key(a), by_key(b));
    let only_b = b.keys().filter(|key| !a.contains_key(key));
    for key in a.keys().chain(only_b) {
        let (of_a, of_b) = (a.get(key), b.get(key));
        let place = (MODULE, Some(key.1), Some(key.0));
        let mut both = |counter: String, value: &dyn Fn(&HeatmapRecord) -> Option<String>| {
            push(found, place, counter, of_a.and_then(|r| value(r)), of_b.and_then(|r| value(r)));
        };
        both("HEATMAP_F_BIN_WIDTH_SECONDS".into(), &|r| Some(r.bin_width_s.to_string()));
        let bins = |r: Option<&&HeatmapRecord>| r.map_or(0, |r| r.read.len().max(r.write.len()));
        for bin in 0..bins(of_a).max(bins(of_b)) {
            let moved = |bins: &[i64]| bins.get(bin).map(i64::to_string);
            both(format!("HEATMAP_READ_BIN_{bin}"), &|r| moved(&r.read));
            both(format!("HEATMAP_WRITE_BIN_{bin}"), &|r| moved(&r.write));
        }
    }
}

fn by_key(tables: &Tables) -> BTreeMap<(u64, i32), &HeatmapRecord> {
    tables.heatmap.records().iter().map(|record| ((record.file_id, record.rank), record)).collect()
}
