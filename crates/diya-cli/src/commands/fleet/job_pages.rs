//! Pages of single jobs beside the page of all of them: one click leads there.

use crate::commands::judge::report_problems;
use crate::commands::report::write_page;
use crate::failure::Failure;
use crate::options::Common;
use crate::progress::Bar;
use diya::diagnose::CheckSet;
use diya::{OpenOptions, Session, Threads};
use diya_fleet::{Dataset, FleetQuery, log_inputs};
use std::collections::HashMap;
use std::path::Path;

/// Bytes of the calls in a page: there may be hundreds of pages.
const MOST_BYTES: usize = 4 << 20;

/// What was written.
pub struct JobPages {
    /// The folder, as the page of all jobs names it.
    pub folder: String,
    /// Number of the page by path of the log.
    pub numbers: HashMap<String, i64>,
    /// Whether a log was gone, had changed or could not be read.
    pub has_gone: bool,
}

impl JobPages {
    /// Writes the pages of the jobs with the largest saving. A log that is gone has none, and
    /// is named.
    pub fn write(
        output: &Path,
        dataset: &Dataset,
        query: &FleetQuery,
        most: usize,
        common: &Common,
    ) -> Result<Self, Failure> {
        let checks = CheckSet::builtin().map_err(|e| Failure::Input(e.to_string()))?;
        if !common.quiet {
            report_problems(&checks);
        }
        let stem = output.file_stem().unwrap_or_default().to_string_lossy();
        let folder = format!("{stem}-jobs");
        let place = output.with_file_name(&folder);
        std::fs::create_dir_all(&place)
            .map_err(|e| Failure::Output(format!("{}: {e}", place.display())))?;
        let (mut numbers, mut gone) = (HashMap::new(), Vec::new());
        let bar = Bar::new(common);
        for (number, path) in (1..).zip(query.worth_a_look(most)?) {
            let page = place.join(format!("{number}.html"));
            let written = bar.during("pages of jobs", || {
                query.check_log(dataset, &path).map_err(|gone| gone.to_string())?;
                let options =
                    OpenOptions { threads: Threads::new(common.threads), ..OpenOptions::default() };
                let mut session = Session::of_jobs(vec![log_inputs(&path)], options);
                match write_page(&mut session, &page, &checks, MOST_BYTES) {
                    // The disk is full, or the folder is not ours: no other page works either.
                    Err(Failure::Output(reason)) => Ok(Err(Failure::Output(reason))),
                    other => other.map(Ok).map_err(|failure| failure.to_string()),
                }
            });
            match written {
                Ok(written) => {
                    written?;
                    numbers.insert(path, number);
                }
                Err(reason) => gone.push(reason),
            }
        }
        if let (Some(first), false) = (gone.first(), common.quiet) {
            say!("{} of {most} jobs have no page of their own; the first: {first}", gone.len());
        }
        Ok(Self { folder, numbers, has_gone: !gone.is_empty() })
    }
}
