//! The four most frequent strides and request sizes, merged.
//!
//! Each rank kept its own four, so the merged counts are a lower bound: what a
//! rank saw too rarely to keep is not in them. Darshan's are no better.

use diya_tables::{TableBuilder, TableDef};

/// Values that Darshan keeps with their counts.
const KEPT: usize = 4;

/// Columns of one kind of frequent value.
#[derive(Debug)]
pub(super) struct Common {
    slots: Vec<Slot>,
}

/// One of the four: what it was, and how often.
#[derive(Debug)]
struct Slot {
    /// A size or stride; in HDF5 and PnetCDF also lengths and strides by dimension.
    value: Vec<usize>,
    count: usize,
}

/// Is this one of the columns `access1_access`, `stride2_count` and so on?
pub(super) fn is_common(name: &str) -> bool {
    let rest = name.strip_prefix("access").or_else(|| name.strip_prefix("stride"));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}

impl Common {
    /// The columns that start with this word and a number.
    pub fn of(def: &'static TableDef, what: &str) -> Option<Self> {
        let slot = |n: usize| {
            let prefix = format!("{what}{n}_");
            let count = def.column(&format!("{prefix}count"))?;
            let columns = def.columns.iter().enumerate();
            let own = columns.filter(|(i, c)| c.name.starts_with(&prefix) && *i != count);
            Some(Slot { value: own.map(|(i, _)| i).collect(), count })
        };
        let slots: Option<Vec<Slot>> = (1..=KEPT).map(slot).collect();
        slots.map(|slots| Self { slots })
    }

    /// Appends the most frequent values of all rows.
    pub fn push(&self, table: &TableBuilder, rows: &[usize], out: &mut TableBuilder) {
        let mut merged: Vec<(Vec<i64>, i64)> = Vec::new();
        let mut is_recorded = false;
        for (row, slot) in rows.iter().flat_map(|row| self.slots.iter().map(move |s| (*row, s))) {
            let Some(count) = table.i64(slot.count, row) else { continue };
            is_recorded = true;
            let cell = |c: &usize| table.i64(*c, row).unwrap_or(0);
            let value: Vec<i64> = slot.value.iter().map(cell).collect();
            if count > 0 {
                match merged.iter_mut().find(|(known, _)| *known == value) {
                    Some((_, sum)) => *sum = sum.saturating_add(count),
                    None => merged.push((value, count)),
                }
            }
        }
        // The larger value first among equals, so that the order of ranks is without effect.
        merged.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| b.0.cmp(&a.0)));
        for (n, slot) in self.slots.iter().enumerate() {
            let kept = merged.get(n);
            let count = kept.map_or(0, |(_, count)| *count);
            out.push_i64(slot.count, is_recorded.then_some(count));
            for (place, column) in slot.value.iter().enumerate() {
                let value = kept.and_then(|(value, _)| value.get(place)).copied().unwrap_or(0);
                out.push_i64(*column, is_recorded.then_some(value));
            }
        }
    }
}
