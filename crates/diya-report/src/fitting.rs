//! Which actions of a finding are shown at once, and what a source line calls.

use crate::{Action, Finding};

/// The actions that a report shows at once; all, where none is marked.
pub fn fitting_actions(finding: &Finding) -> (Vec<&Action>, Vec<&Action>) {
    let (fitting, others): (Vec<&Action>, Vec<&Action>) =
        finding.actions.iter().partition(|action| action.fits);
    if fitting.is_empty() { (others, fitting) } else { (fitting, others) }
}

/// The function that a line calls.
pub fn called(line: &str) -> Option<&str> {
    line.split_once("), calls ").map(|(_, called)| called)
}
