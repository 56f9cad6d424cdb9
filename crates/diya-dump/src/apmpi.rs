//! APMPI (AutoPerf): one head record, then one record per rank.
//!
//! These lines have no name, mount point and file system: the last three
//! fields are empty. What was measured only when the module was built to
//! measure synchronisation is left out where it was not.

use super::base::{self, Frame};
use super::counters::Counters;
use super::modules::Module;
use super::names::{Names, RecordName};
use super::text::Text;
use diya_tables::{TableId, Tables, apmpi, apmpi_summary};
use std::io;

/// Name of the head record; table `apmpi_summary` does not hold its id.
const HEAD_NAME: &str = "darshan-apmpi-header";

/// Hash of [`HEAD_NAME`], for logs without names.
const HEAD_ID: u64 = 7_713_204_788_897_956_166;

/// The head record is written by rank 0 (darshan-apmpi.c).
const HEAD_RANK: i32 = 0;

const NOWHERE: RecordName<'static> = RecordName { name: "", mount: "", fs_type: "" };

/// Prints all records.
pub(super) fn print(
    text: &mut Text<'_>,
    tables: &Tables,
    module: &Module<'_>,
    names: &Names<'_>,
) -> io::Result<()> {
    let head = tables.table(TableId::ApmpiSummary);
    let has_sync =
        head.and_then(|t| t.bool(apmpi_summary::IS_SYNC_TIME_MEASURED, 0)).unwrap_or(false);
    let mut frame = Frame::default();
    if let Some(head) = head {
        let id = names.id_of(HEAD_NAME).unwrap_or(HEAD_ID);
        frame.set(module.name, HEAD_RANK, id, &NOWHERE);
        let time = head.f64(apmpi_summary::F_VARIANCE_TOTAL_MPITIME, 0).unwrap_or(0.0);
        real(text, &frame, "MPI_TOTAL_COMM_TIME_VARIANCE", time);
        if has_sync {
            let time = head.f64(apmpi_summary::F_VARIANCE_TOTAL_MPISYNCTIME, 0).unwrap_or(0.0);
            real(text, &frame, "MPI_TOTAL_COMM_SYNC_TIME_VARIANCE", time);
        }
    }
    let counters = Counters::of(TableId::Apmpi, tables.table(TableId::Apmpi), module.version);
    for row in 0..counters.rows() {
        frame.set(module.name, counters.rank(row), counters.file_id(row), &NOWHERE);
        let node = counters.text(apmpi::NODE_NAME, row).unwrap_or("");
        frame.line(text, "MPI_PROCESSOR_NAME", |text| {
            text.str(node);
        });
        for counter in &counters.ints {
            base::int_line(text, &frame, counter, counters.int(counter, row));
        }
        let floats = counters.floats.iter().filter(|c| has_sync || !c.name.ends_with("_SYNC_TIME"));
        for counter in floats {
            real(text, &frame, counter.name, counters.float(counter, row));
        }
        text.flush_full()?;
    }
    Ok(())
}

fn real(text: &mut Text<'_>, frame: &Frame, name: &str, value: f64) {
    frame.line(text, name, |text| {
        text.f6(value);
    });
}
