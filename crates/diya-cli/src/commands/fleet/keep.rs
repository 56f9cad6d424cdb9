//! `diya fleet compact DATASET`, `diya fleet hash DATASET`

use crate::entry::Example;
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, to_stdout};
use crate::progress::Bar;
use clap::Args;
use diya::report::TextTable;
use diya_fleet::Dataset;
use std::io::Write as _;
use std::path::PathBuf;

pub const COMPACT: &[Example] = &[
    ("diya fleet compact jobs/", "few large files instead of many small ones"),
    ("diya fleet compact jobs/ --json", "the result for a script"),
];

pub const HASH: &[Example] = &[
    ("diya fleet hash jobs/", "a checksum of each table"),
    ("diya fleet hash jobs/ --json", "to compare two datasets"),
];

#[derive(Debug, Args)]
pub struct KeepArgs {
    /// Folder that `diya fleet ingest` filled
    #[arg(value_name = "DATASET")]
    dataset: PathBuf,
}

pub fn compact(args: &KeepArgs, common: &Common) -> Result<Done, Failure> {
    let dataset = Dataset::open(&args.dataset)?;
    let bar = Bar::new(common);
    let done = bar.during("compacting", || dataset.compact())?;
    to_stdout(Content::of(common.json), |out| {
        if common.json {
            writeln!(out, "{}", serde_json::to_string(&done).unwrap_or_default())?;
        } else if !common.quiet {
            writeln!(
                out,
                "{} files became {}; {} rows of logs that were there twice or have changed are gone",
                done.files_before, done.files_after, done.rows_dropped
            )?;
        }
        Ok(())
    })?;
    Ok(Done::WHOLE)
}

pub fn hash(args: &KeepArgs, common: &Common) -> Result<Done, Failure> {
    let dataset = Dataset::open(&args.dataset)?;
    let bar = Bar::new(common);
    let tables = bar.during("hashing", || dataset.hash())?;
    to_stdout(Content::of(common.json), |out| {
        if common.json {
            return Ok(writeln!(out, "{}", serde_json::to_string(&tables).unwrap_or_default())?);
        }
        let mut lines = TextTable::new([("table", false), ("rows", true), ("hash", false)]);
        for table in &tables {
            lines.row([table.name.to_string(), table.rows.to_string(), table.hash.to_string()]);
        }
        Ok(lines.write(out, 0)?)
    })?;
    Ok(Done::WHOLE)
}
