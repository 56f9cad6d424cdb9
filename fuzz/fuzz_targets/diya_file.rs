//! Any bytes as a diya file. Check sums are put right first, so that a mutation
//! gets behind them.
#![no_main]

use diya_read::{Request, Selection, Serial, read};
use diya_tables::{BatchSource as _, TableId, Tables};
use libfuzzer_sys::fuzz_target;

fn crc32(bytes: &[u8]) -> [u8; 4] {
    let mut crc = flate2::Crc::new();
    crc.update(bytes);
    crc.sum().to_le_bytes()
}

/// Puts right the check sums of the block that starts here, where its lengths
/// fit; see docs/formats/diya.md.
fn repair(block: &mut [u8]) -> Option<()> {
    let head = block.get(..36)?.to_vec();
    let number = |at: usize, bytes: usize| {
        head[at..at + bytes].iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte))
    };
    let end = 36 + number(10, 2) + number(12, 2);
    let payload = end + 4..end + 4 + number(24, 4) + number(28, 4);
    let crc = crc32(block.get(payload)?);
    block.get_mut(32..36)?.copy_from_slice(&crc);
    let crc = crc32(block.get(..end)?);
    block.get_mut(end..end + 4)?.copy_from_slice(&crc);
    Some(())
}

fuzz_target!(|bytes: &[u8]| {
    let mut source = bytes.to_vec();
    for at in 0..source.len() {
        if source[at..].starts_with(b"DIYABLK\n") {
            let _ = repair(&mut source[at..]);
        }
    }
    let some = Selection { ranks: Some(0..=1), ..Selection::all() };
    for selection in [&Selection::all(), &some] {
        let mut tables = Tables::new();
        let request = Request {
            source: &source,
            log: 0,
            log_name: "fuzz",
            outer_compression: None,
            selection,
            workers: &Serial,
        };
        if read(&request, &mut tables).is_err() {
            continue;
        }
        // Whatever was read fits the definitions of the tables.
        let calls = std::mem::take(&mut tables.calls).finish();
        let columns: Vec<usize> = (0..TableId::Call.def().columns.len()).collect();
        (0..calls.batches()).for_each(|number| drop(calls.batch(number, &columns)));
        for id in TableId::ALL {
            tables.take(id).map(diya_tables::TableBuilder::into_batch);
        }
    }
});
