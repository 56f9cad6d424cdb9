//! Rows of what was applied inside the processes.

use super::merge::Merged;
use super::process::Outcome;
use diya_tables::{AppliedRow, Tables};

impl Merged<'_> {
    pub(super) fn applied_rows(&self, outcome: &Outcome, tables: &mut Tables) {
        let filled = |text: &'_ str| (!text.is_empty()).then(|| text.to_owned());
        for ((setting, why), told) in &outcome.definitions.applied.0 {
            let [files, asked, issued, bytes] =
                told.numbers.map(|number| i64::try_from(number).unwrap_or(i64::MAX));
            let counted = |number| (why.is_empty() && asked > 0).then_some(number);
            tables.push_applied(AppliedRow {
                log: self.facts.log,
                process: outcome.process,
                rank: outcome.numbers.rank,
                setting,
                value: filled(&told.value).as_deref(),
                why_not: filled(why).as_deref(),
                files,
                path: filled(&told.path).as_deref(),
                calls_asked: counted(asked),
                calls_issued: counted(issued),
                bytes: counted(bytes),
            });
        }
    }
}
