//! The reasons of a setting that hold for a job, and what the setting can cost it.

use crate::condition::{Harm, Truth};
use crate::finding_table;
use crate::library::{Library, Reason, Setting};
use diya::report::Finding;
use diya_query::{Query, QueryError};

/// Why there is no value for a setting.
pub(crate) enum Refusal {
    /// The log has no value for it, or it is for other software.
    NotApplicable(String),
    /// The setting, or a table that it needs, is wrong itself.
    Fault(String),
}

/// A reason of a setting whose conditions do not fail.
pub(crate) struct Ground<'g> {
    pub reason: &'g Reason,
    pub finding: &'g Finding,
    /// Words of the conditions that are unknown.
    pub unknown: Vec<&'g str>,
}

/// The reasons whose conditions do not fail; those whose conditions are all known to hold first.
pub(crate) fn of<'g>(
    query: &mut Query,
    library: &'g Library,
    reasons: &[(&'g Reason, &'g Finding)],
) -> Result<Vec<Ground<'g>>, Refusal> {
    let fault = |error: QueryError| Refusal::Fault(error.to_string());
    let (mut grounds, mut failed) = (Vec::new(), String::new());
    for (reason, finding) in reasons {
        query.add(&finding_table::table(&[finding])).map_err(fault)?;
        let (mut unknown, mut fails) = (Vec::new(), false);
        for condition in reason.conditions.iter().filter_map(|id| library.condition(id)) {
            match condition.truth(query).map_err(fault)? {
                Truth::Holds => {}
                Truth::Unknown => unknown.push(condition.words.as_str()),
                Truth::Fails => {
                    fails = true;
                    failed = format!("it does not hold for this job that {}", condition.words);
                }
            }
        }
        if !fails {
            grounds.push(Ground { reason, finding, unknown });
        }
    }
    grounds.sort_by_key(|ground| !ground.unknown.is_empty());
    match grounds.is_empty() {
        true => Err(Refusal::NotApplicable(failed)),
        false => Ok(grounds),
    }
}

/// What a setting can cost a job; what the log excludes is left out.
pub(crate) fn harms<'s>(
    query: &Query,
    library: &Library,
    setting: &'s Setting,
) -> Result<Vec<&'s Harm>, QueryError> {
    let mut harms = Vec::new();
    for harm in &setting.harm {
        let excluding = harm.unless.as_ref().and_then(|id| library.condition(id));
        let truth = excluding.map(|condition| condition.truth(query)).transpose()?;
        if truth != Some(Truth::Holds) {
            harms.push(harm);
        }
    }
    Ok(harms)
}
