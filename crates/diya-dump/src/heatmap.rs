//! HEATMAP: width of the bins, then bytes read per bin, then bytes written.

use super::base::{Frame, NO_NAME};
use super::names::Names;
use super::text::Text;
use diya_tables::{HeatmapRecord, Tables};
use std::io::{self, Write};

/// Prints all records.
pub(super) fn print(
    text: &mut Text<'_>,
    tables: &Tables,
    module: &str,
    names: &Names<'_>,
) -> io::Result<()> {
    let records = tables.heatmap.records();
    let mut frame = Frame::default();
    let mut name = Vec::new();
    for record in records {
        frame.set(module, record.rank, record.file_id, &names.place(record.file_id, NO_NAME));
        frame.line(text, "HEATMAP_F_BIN_WIDTH_SECONDS", |text| {
            text.f6(record.bin_width_s);
        });
        let bins = bins_of(record, records.first());
        for (label, values) in [("READ", &record.read), ("WRITE", &record.write)] {
            for bin in 0..bins {
                name.clear();
                write!(name, "HEATMAP_{label}_BIN_{bin}")?;
                let name = std::str::from_utf8(&name).unwrap_or_default();
                let bytes = values.get(bin).copied().unwrap_or(0);
                frame.line(text, name, |text| {
                    text.i64(bytes);
                });
            }
        }
        text.flush_full()?;
    }
    Ok(())
}

/// Bins that are printed: one more or less than in the first record is made
/// equal, because Darshan 3.4.0 to 3.4.3 wrote such logs when it did not
/// reduce shared records (darshan issue 941).
fn bins_of(record: &HeatmapRecord, first: Option<&HeatmapRecord>) -> usize {
    let own = record.write.len();
    match first {
        Some(first) if first.bin_width_s == record.bin_width_s => {
            if own.abs_diff(first.write.len()) == 1 { first.write.len() } else { own }
        }
        _ => own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(bins: usize, bin_width_s: f64) -> HeatmapRecord {
        let bytes = vec![1; bins];
        HeatmapRecord { write: bytes.clone(), read: bytes, bin_width_s, ..HeatmapRecord::default() }
    }

    #[test]
    fn one_bin_too_many_or_too_few_is_made_good() {
        let first = record(10, 0.1);
        assert_eq!(bins_of(&record(11, 0.1), Some(&first)), 10);
        assert_eq!(bins_of(&record(9, 0.1), Some(&first)), 10);
        assert_eq!(bins_of(&record(8, 0.1), Some(&first)), 8);
        assert_eq!(bins_of(&record(11, 0.2), Some(&first)), 11);
    }
}
