//! A block of heat map records.

use super::cursor::{Cursor, MAX_ROWS, Payload};
use super::numbers::{Texts, numbers, reals};
use crate::Selection;
use crate::walk::Damage;
use diya_tables::{HeatmapRecord, HeatmapTable, Layer};

/// Decodes a block.
pub(super) fn decode(
    payload: &Payload,
    rows: usize,
    log: i32,
    selection: &Selection,
) -> Result<HeatmapTable, Damage> {
    let mut at = Cursor::new(payload);
    let count = at.count(MAX_ROWS.min(rows))?;
    let layers = Texts::read(&mut at, count)?;
    let column = |at: &mut Cursor<'_>| numbers(at, count).map(Vec::into_iter);
    let (mut ids, mut ranks) = (column(&mut at)?, column(&mut at)?);
    let widths = reals(&mut at, count)?;
    let (writes, reads) = (numbers(&mut at, count)?, numbers(&mut at, count)?);
    let (writes, written) = bins(&mut at, writes, rows)?;
    let (reads, read) = bins(&mut at, reads, rows - written)?;
    if written + read != rows {
        return Err(Damage(format!("{} bins where the head says {rows}", written + read)));
    }
    let mut table = HeatmapTable::default();
    let values = widths.into_iter().zip(writes).zip(reads);
    for (place, ((bin_width_s, write), read)) in values.enumerate() {
        let file_id = ids.next().unwrap_or_default().cast_unsigned();
        let rank = i32::try_from(ranks.next().unwrap_or(-1)).unwrap_or(-1);
        if selection.wants(file_id, rank) {
            let layer = Layer::from_name(layers.get(place));
            table.push(HeatmapRecord { log, layer, file_id, rank, bin_width_s, write, read });
        }
    }
    Ok(table)
}

/// Bins of all records, given how many each has; at most `most` together.
fn bins(
    at: &mut Cursor<'_>,
    counts: Vec<i64>,
    most: usize,
) -> Result<(Vec<Vec<i64>>, usize), Damage> {
    let too_many = || Damage("more bins than the head says".into());
    let mut total = 0_usize;
    for count in &counts {
        let count = usize::try_from(*count).map_err(|_| too_many())?;
        total = total.checked_add(count).filter(|total| *total <= most).ok_or_else(too_many)?;
    }
    let mut values = numbers(at, total)?.into_iter();
    let take = |count: &i64| values.by_ref().take(usize::try_from(*count).unwrap_or(0)).collect();
    Ok((counts.iter().map(take).collect(), total))
}
