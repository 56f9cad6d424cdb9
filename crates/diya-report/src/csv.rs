//! A report as CSV: one row per finding, for spreadsheets and scripts.

use std::io::{self, Write};

use crate::escape::csv_cell;
use crate::terminal::severity_word;
use crate::{Finding, Report};

/// The columns, in order.
const COLUMNS: [&str; 21] = [
    "log",
    "job_id",
    "command",
    "nprocs",
    "run_s",
    "io_s",
    "id",
    "code",
    "severity",
    "title",
    "saved_s",
    "lost_low_s",
    "lost_high_s",
    "explained_by",
    "text",
    "files",
    "ranks",
    "targets",
    "window_start_s",
    "window_end_s",
    "source",
];

/// Writes the findings of any number of reports as CSV with one heading.
///
/// Numbers are in the units of their columns, with all their digits; what is
/// not known is empty. Lists are joined by `; `. A report without findings has
/// no row: the verdict is in the JSON.
pub fn write_csv(out: &mut dyn Write, reports: &[Report]) -> io::Result<()> {
    let mut rows = csv::Writer::from_writer(out);
    rows.write_record(COLUMNS)?;
    for report in reports {
        for finding in &report.findings {
            rows.write_record(cells(report, finding))?;
        }
    }
    rows.flush()
}

fn cells(report: &Report, finding: &Finding) -> [String; COLUMNS.len()] {
    let job = &report.job;
    let window = finding.window_s;
    [
        csv_cell(&report.logs.join("; ")),
        number(job.id),
        csv_cell(job.command.as_deref().unwrap_or_default()),
        number(job.nprocs),
        number(job.run_s),
        number(report.verdict.io_s),
        csv_cell(&finding.id),
        csv_cell(&finding.code),
        severity_word(finding.severity).to_owned(),
        csv_cell(&finding.title),
        number(finding.saved_s),
        number(finding.lost_low_s),
        number(finding.lost_high_s),
        csv_cell(finding.explained_by.as_deref().unwrap_or_default()),
        csv_cell(&finding.text),
        csv_cell(&finding.files.join("; ")),
        list(&finding.ranks),
        list(&finding.targets),
        number(window.map(|(start_s, _)| start_s)),
        number(window.map(|(_, end_s)| end_s)),
        csv_cell(&finding.source.join("; ")),
    ]
}

fn number<T: ToString>(number: Option<T>) -> String {
    number.map(|number| number.to_string()).unwrap_or_default()
}

/// Numbers alone are no formula, whatever their sign.
fn list(numbers: &[i64]) -> String {
    numbers.iter().map(i64::to_string).collect::<Vec<_>>().join("; ")
}
