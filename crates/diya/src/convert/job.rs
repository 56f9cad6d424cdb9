//! The one row of table `job`, as a conversion needs it.

use super::ConvertOptions;
use diya_tables::{TableBuilder, TableId, Tables, job};
use diya_write::rows::copy_cell;

/// Ranks of the job; 0 when it was not recorded.
pub(super) fn nprocs(tables: &Tables) -> u64 {
    let jobs = tables.table(TableId::Job);
    let nprocs = jobs.and_then(|jobs| jobs.i64(job::NPROCS, 0));
    nprocs.and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
}

/// Changes the metadata as the options say.
pub(super) fn edit_metadata(tables: &mut Tables, options: &ConvertOptions) {
    if !options.resets_metadata && options.annotation.is_none() {
        return;
    }
    let Some(jobs) = tables.take(TableId::Job) else { return };
    let old = jobs.str(job::METADATA, 0).unwrap_or_default();
    let mut text = if options.resets_metadata { library_only(old) } else { old.to_string() };
    if let Some(annotation) = &options.annotation {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str("annotation=");
        text.push_str(&annotation.replace('\n', " "));
        text.push('\n');
    }
    if options.resets_metadata {
        tables.truncate(TableId::MpiHint, 0);
    }
    tables.put_back(TableId::Job, with_metadata(&jobs, &text));
}

/// The line that says what recorded the log: no reader can do without it.
pub(super) fn library_only(metadata: &str) -> String {
    let kept = metadata.lines().filter(|line| line.starts_with("lib_ver="));
    kept.map(|line| format!("{line}\n")).collect()
}

fn with_metadata(jobs: &TableBuilder, metadata: &str) -> TableBuilder {
    let mut out = TableBuilder::new(jobs.def());
    let others = (0..jobs.def().columns.len()).filter(|c| *c != job::METADATA);
    others.for_each(|column| copy_cell(jobs, column, 0, &mut out));
    out.push_str(job::METADATA, Some(metadata).filter(|text| !text.is_empty()));
    out.end_row();
    out
}
