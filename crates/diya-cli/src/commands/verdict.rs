//! The last lines of `diya run` and `diya collect`: what costs time, and the two next commands.

use super::{behind, jobs, open_options};
use crate::options::Common;
use crate::output;
use crate::progress::Bar;
use diya::diagnose::{CheckSet, MetricRows, diagnose};
use diya::report::{Detail, Report, TextOptions, write_text};
use diya::{OpenOptions, Session, TableSet, Together};
use std::path::Path;

/// With more calls the diagnosis takes longer than people like to wait for a prompt.
const MOST_CALLS: u64 = 2_000_000;

/// Says on standard error what a log shows, in a few lines, and what to do next.
pub fn write(log: &Path, calls: u64, common: &Common) {
    // Behind a launcher each rank ends so: one verdict for each says nothing of the job.
    let is_one_of_many = behind::rank(|name| std::env::var(name).ok()).is_some();
    if common.quiet || is_one_of_many {
        return;
    }
    if calls <= MOST_CALLS
        && let Some(report) = judged(log, common)
    {
        let (columns, detail) = (output::columns_of_messages(), Detail::First);
        let layout = TextOptions { columns, detail, ..TextOptions::default() };
        // Where standard error is closed there is no other place for it.
        let _ = output::on_stderr(|out| write_text(out, &report, &layout));
    }
    let log = log.display();
    say!("next: diya report {log} (all of it, with fixes), diya open {log} (in the browser)");
}

/// The diagnosis with the checks that everybody has; `None`: `diya report` will say why not.
fn judged(log: &Path, common: &Common) -> Option<Report> {
    let bar = Bar::new(common);
    let jobs = jobs(&[log.to_path_buf()], Together::OneJob, &bar).ok()?;
    let options = open_options(common, None, TableSet::NONE, &bar);
    let mut session = Session::of_jobs(jobs, OpenOptions { skips_system: true, ..options });
    let checks = CheckSet::load(&[], None).ok()?;
    let reports = bar.during("diagnosing", || diagnose(&mut session, &checks, &MetricRows::None));
    reports.ok()?.into_iter().next()
}
