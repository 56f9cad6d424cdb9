//! Rows of regions, steps, epochs and notes.

use super::clock::seconds;
use super::merge::Merged;
use super::process::Outcome;
use diya_model::segment::{KIND_EPOCH, KIND_REGION, KIND_STEP};
use diya_tables::{RegionRow, Tables};

impl Merged<'_> {
    pub(super) fn region_rows(&self, outcome: &Outcome, tables: &mut Tables) {
        let names = &outcome.definitions.region_names;
        for region in &outcome.regions {
            let (category, usual) = match region.record.kind {
                KIND_REGION => ("region", ""),
                KIND_STEP => ("step", "step"),
                KIND_EPOCH => ("epoch", "epoch"),
                _ => ("note", ""),
            };
            tables.push_region(RegionRow {
                log: self.facts.log,
                name: names.get(&region.record.name).map_or(usual, String::as_str),
                category: Some(category),
                process: outcome.process,
                rank: outcome.numbers.rank,
                thread: Some(u64::from(region.thread)),
                start_s: seconds(region.start_ns),
                end_s: seconds(region.end_ns),
                number: Some(region.record.number).filter(|number| *number >= 0),
            });
        }
    }
}
