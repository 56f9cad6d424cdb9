//! Rows of mapped files and of page faults in them.

use super::clock::seconds;
use super::merge::Merged;
use super::process::{NO_FILE, Outcome};
use diya_tables::{MappingRow, PageFaultRow, Tables, record_id};

/// Of `mmap`: the program may store; stores go to the file.
const WRITABLE: u32 = 2;
const SHARED: u32 = 1;

impl Merged<'_> {
    pub(super) fn mapping_rows(&self, outcome: &Outcome, tables: &mut Tables) {
        let (log, process, rank) = (self.facts.log, outcome.process, outcome.numbers.rank);
        let signed = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        let none = Vec::new();
        for (number, mapping) in &outcome.definitions.mappings {
            let Some((start_ns, end_ns)) = outcome.mapping_spans.get(number).copied() else {
                continue;
            };
            let unnamed = || record_id(NO_FILE.as_bytes());
            let file_id = outcome.file_ids.get(&mapping.file).copied().unwrap_or_else(unnamed);
            let in_bytes =
                |pages: u64| signed(pages.saturating_mul(mapping.page_bytes).min(mapping.bytes));
            let faults = outcome.definitions.faults.get(number).unwrap_or(&none);
            let index = i32::try_from(*number).unwrap_or(i32::MAX);
            tables.push_mapping(MappingRow {
                log,
                process,
                rank,
                mapping: index,
                file_id,
                start_s: seconds(start_ns),
                end_s: end_ns.map(seconds),
                offset_bytes: mapping.offset,
                size_bytes: signed(mapping.bytes),
                is_writable: mapping.protection & WRITABLE != 0,
                is_shared: mapping.flags & SHARED != 0,
                touched_bytes: mapping.touched_pages.map(in_bytes),
                resident_bytes: mapping.resident_pages.map(in_bytes),
                major_faults: mapping.major_faults.map(signed),
                minor_faults: mapping.minor_faults.map(signed),
                faults_recorded: mapping.has_faults.then_some(faults.len() as i64),
            });
            let first = outcome.header.first.mono_ns;
            for (mono_ns, offset) in faults {
                let since_ns = signed(*mono_ns).saturating_sub(signed(first));
                tables.push_page_fault(PageFaultRow {
                    log,
                    process,
                    rank,
                    mapping: index,
                    file_id,
                    time_s: seconds(outcome.start_ns.saturating_add(since_ns)),
                    offset_bytes: mapping.offset.saturating_add(signed(*offset)),
                });
            }
        }
    }
}
