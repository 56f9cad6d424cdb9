//! Logs without the region or step that was asked for.

use super::OpenOptions;
use diya_read::Within;
use diya_tables::Tables;
use std::collections::BTreeSet;

/// Names that an error lists.
const MOST_NAMES: usize = 12;

/// No log has a region or step that was asked for.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Outside(String);

/// Leaves out the calls outside of the wanted regions and steps.
pub(super) fn restrict(options: &OpenOptions<'_>, blocks: &mut [Tables]) -> Result<(), Outside> {
    let (mut regions, mut names, mut steps) = (0, BTreeSet::new(), None::<(i64, i64)>);
    for block in blocks {
        let found = options.within.restrict(&options.selection, block);
        regions += found.regions;
        names.extend(found.names);
        steps = match (steps, found.steps) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            (a, b) => a.or(b),
        };
    }
    match regions {
        0 => Err(Outside(words(&options.within, &names, steps))),
        _ => Ok(()),
    }
}

/// What was asked for, what there is, and the way out.
fn words(within: &Within, names: &BTreeSet<String>, steps: Option<(i64, i64)>) -> String {
    if names.is_empty() {
        return "no region or step was recorded, so none can be selected; \
                docs/guide/annotate.md says how a program names them"
            .to_owned();
    }
    let shown: Vec<&str> = names.iter().take(MOST_NAMES).map(String::as_str).collect();
    let more = match names.len().saturating_sub(MOST_NAMES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let there = format!("regions are {}{more}", shown.join(", "));
    match (&within.steps, steps) {
        (Some(wanted), Some((first, last))) => {
            let asked = match wanted.start() == wanted.end() {
                true => wanted.start().to_string(),
                false => format!("{} to {}", wanted.start(), wanted.end()),
            };
            format!("no step {asked} was recorded; steps are {first} to {last}")
        }
        (Some(_), None) => format!("no step with a number was recorded; {there}"),
        (None, _) => format!("no region {} was recorded; {there}", within.regions.join(", ")),
    }
}
