//! The fixes of a finding: those for the software of the job.

use super::prose;
use super::text_writer::{COLUMN, INDENT, Style, TextWriter, span};
use crate::{Action, Finding, Report, printable};

/// File systems: advice about them is useful for every program.
const FILE_SYSTEMS: [&str; 7] = ["lustre", "gpfs", "nfs", "daos", "beegfs", "dfuse", "tmpfs"];

/// What to do: for the stacks that the job uses, the others by name.
pub(super) fn to_do(writer: &mut TextWriter, report: &Report, finding: &Finding, is_verbose: bool) {
    let stacks = stacks(report, finding);
    let ordered = ordered(finding, &stacks);
    let (shown, left) = if is_verbose { (ordered, Vec::new()) } else { wanted(ordered, &stacks) };
    let mut label = "fix";
    for action in shown {
        let stack = match action.stack.as_str() {
            "any" => String::new(),
            stack => format!("**{stack}:** "),
        };
        prose::write(writer, INDENT, label, COLUMN, &format!("{stack}{}", action.text));
        label = "";
    }
    if !left.is_empty() {
        let mut stacks: Vec<&str> = left.iter().map(|action| action.stack.as_str()).collect();
        // Some have one fix for writes and one for reads.
        stacks.dedup();
        let text = format!("`--verbose` prints the fixes for {}", printable(&stacks.join(", ")));
        writer.labelled(INDENT, label, COLUMN, &[span(text, Style::Faint)]);
    }
}

/// Languages that remedies are written for: what a person changes is a program, or the
/// statements that it gives to SQLite.
const LANGUAGES: [&str; 8] = ["SQLite", "Python", "Fortran", "C++", "C", "R", "Julia", "Java"];

/// The language of the program first, then what the finding itself is about (a log
/// need not name the library whose traces it shows), then what else the job uses.
pub(crate) fn stacks(report: &Report, finding: &Finding) -> Vec<String> {
    let layer = finding.id.split('/').next().unwrap_or_default();
    let about = ["HDF5", "NetCDF", "PnetCDF", "MPI-IO", "Lustre", "GPFS", "DAOS", "Python"];
    let is_layer = |stack: &&&str| stack.replace('-', "").eq_ignore_ascii_case(layer);
    let own = about.iter().filter(is_layer).map(|stack| (*stack).to_owned());
    let is_language = |stack: &&String| LANGUAGES.contains(&stack.as_str());
    let (languages, others): (Vec<&String>, Vec<&String>) =
        report.job.stacks.iter().partition(is_language);
    languages.into_iter().cloned().chain(own).chain(others.into_iter().cloned()).collect()
}

fn is_file_system(stack: &str) -> bool {
    FILE_SYSTEMS.contains(&stack.to_lowercase().as_str())
}

/// Order: the general fix, fixes for detected software, other fixes.
pub(crate) fn ordered<'a>(finding: &'a Finding, stacks: &[String]) -> Vec<&'a Action> {
    let mut ordered: Vec<&Action> = finding.actions.iter().collect();
    ordered.sort_by_key(|action| match action.stack.as_str() {
        "any" => 0,
        stack => match stacks.iter().position(|s| s.eq_ignore_ascii_case(stack)) {
            Some(place) => 1 + place,
            None => usize::MAX,
        },
    });
    ordered
}

/// The fixes that a report shows for its job; others are for software that it does not use.
pub fn fitting_actions<'f>(report: &Report, finding: &'f Finding) -> Vec<&'f Action> {
    let stacks = stacks(report, finding);
    wanted(ordered(finding, &stacks), &stacks).0
}

/// Splits the fixes into those shown and those left for --verbose. Shown: the general
/// fix, fixes for the file systems of the job, and for its highest library. If nothing
/// fits, the first fix is shown.
fn wanted<'a>(ordered: Vec<&'a Action>, stacks: &[String]) -> (Vec<&'a Action>, Vec<&'a Action>) {
    let is_detected = |a: &Action| stacks.iter().any(|s| s.eq_ignore_ascii_case(&a.stack));
    let is_library = |a: &Action| is_detected(a) && !is_file_system(&a.stack);
    let library = ordered.iter().find(|a| is_library(a)).map(|a| a.stack.as_str());
    let fits = |(_, a): (usize, &Action)| {
        let is_system = is_detected(a) && is_file_system(&a.stack);
        a.stack == "any" || library == Some(a.stack.as_str()) || is_system
    };
    let none_fits = !ordered.iter().enumerate().any(|(at, a)| fits((at, *a)));
    let places: Vec<bool> =
        (0..ordered.len()).map(|at| fits((at, ordered[at])) || (none_fits && at == 0)).collect();
    let of = |is: bool| {
        let all = ordered.iter().zip(&places);
        all.filter(move |(_, fits)| **fits == is).map(|(action, _)| *action).collect()
    };
    (of(true), of(false))
}
