//! The fixes of a finding: the one that fits the job, the others by name.

use super::prose;
use super::text_writer::{COLUMN, INDENT, Style, TextWriter, span};
use crate::{Action, Finding, fitting_actions, printable};

/// What to do; with --verbose, in other software and cases, too.
pub(super) fn to_do(writer: &mut TextWriter, finding: &Finding, is_verbose: bool) {
    let (fitting, others) = fitting_actions(finding);
    let (shown, left): (Vec<&Action>, Vec<&Action>) = match is_verbose {
        true => (fitting.into_iter().chain(others).collect(), Vec::new()),
        false => (fitting, others),
    };
    let mut label = "fix";
    for action in shown {
        // A block of code begins a line of its own.
        let after = if action.text.starts_with("```") { "\n\n" } else { " " };
        let heading = action.heading().map_or_else(String::new, |of| format!("**{of}:**{after}"));
        prose::write(writer, INDENT, label, COLUMN, &format!("{heading}{}", action.text));
        label = "";
    }
    if !left.is_empty() {
        let names: Vec<String> = left.iter().filter_map(|action| action.heading()).collect();
        let text = format!("`--verbose` prints the fixes for {}", printable(&names.join("; ")));
        writer.labelled(INDENT, label, COLUMN, &[span(text, Style::Faint)]);
    }
}
