//! What a rank that others wait for does meanwhile.

use super::cells::{Cells, Row};
use crate::{AskError, Session};
use diya_checks::ProcessNames;
use diya_metrics::Catalog;
use diya_report::{Finding, LatePart, LateRank, Value};
use diya_tables::Batches;

/// Column of the evidence that names the rank.
const COLUMN: &str = "late_rank";

/// Places of one kind that are named.
const NAMED: usize = 2;

/// Share of the largest difference below which a place is not named.
const NAMED_SHARE: f64 = 0.2;

/// Share of the saving that a place must explain: less is not what makes the rank late.
const OF_SAVING: f64 = 0.1;

/// Where ranks spend more time than others, of logs with stacks and late ranks.
pub(super) struct LateRanks {
    lines: Option<Cells>,
}

impl LateRanks {
    /// Asks only where a finding names a late rank: the question goes over all calls.
    pub fn read<'f>(
        session: &Session<'_>,
        mut findings: impl Iterator<Item = &'f Finding>,
    ) -> Result<Self, AskError> {
        let metric = Catalog::built_in().get("rank_line");
        let has_stacks = session.table("user_frame").is_some_and(|table| table.rows() > 0);
        let is_asked = has_stacks && findings.any(|finding| late_rank(finding).is_some());
        let Some(metric) = metric.filter(|_| is_asked) else { return Ok(Self { lines: None }) };
        let rows = session.engine()?.run(&metric.sql)?;
        Ok(Self { lines: Some(Cells::read(&Batches::new(metric.def, rows.batches))) })
    }

    /// What the late rank of a finding does; `None`: it names none, or nothing makes it late.
    pub fn of(&self, log: i32, finding: &Finding, names: &ProcessNames) -> Option<LateRank> {
        let (lines, rank) = self.lines.as_ref().zip(late_rank(finding))?;
        let saved_s = finding.lost_high_s.unwrap_or(0.0);
        let rows = lines.rows(log).filter(|row| row.integer("rank") == Some(rank));
        let parts = worth_naming(rows.map(part).collect(), OF_SAVING * saved_s);
        (!parts.is_empty()).then(|| LateRank { name: names.name(i64::from(log), rank), parts })
    }
}

/// The rank that the worst row names.
fn late_rank(finding: &Finding) -> Option<i64> {
    finding.evidence.first()?.values.get(COLUMN).and_then(Value::integer)
}

fn part(row: Row<'_>) -> LatePart {
    LatePart {
        kind: row.text("kind").unwrap_or_default(),
        source: row.text("source").unwrap_or_default(),
        until: row.text("until"),
        time_s: row.number("time_s").unwrap_or(0.0),
        others_s: row.number("others_s").unwrap_or(0.0),
    }
}

/// The places with the largest difference, some of each kind.
fn worth_naming(mut parts: Vec<LatePart>, least_s: f64) -> Vec<LatePart> {
    let excess_s = |part: &LatePart| part.time_s - part.others_s;
    parts.sort_by(|a, b| excess_s(b).total_cmp(&excess_s(a)).then_with(|| a.source.cmp(&b.source)));
    let most_s = parts.first().map_or(0.0, excess_s);
    if most_s < least_s {
        return Vec::new();
    }
    let mut named: Vec<LatePart> = Vec::new();
    for part in parts {
        let is_alike = |known: &&LatePart| known.kind == part.kind;
        let alike = named.iter().filter(is_alike).count();
        // Code takes less: a processor is shared, and its samples are of the program only.
        let least = if part.kind == "code" { 0.5 * NAMED_SHARE } else { NAMED_SHARE };
        if alike < NAMED && excess_s(&part) >= least * most_s {
            named.push(part);
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(parts: &[(&str, f64)], least_s: f64) -> String {
        let part = |(kind, time_s): &(&str, f64)| LatePart {
            kind: (*kind).to_owned(),
            time_s: *time_s,
            ..LatePart::default()
        };
        let parts = worth_naming(parts.iter().map(part).collect(), least_s);
        let text = parts.iter().map(|part| format!("{} {}", part.kind, part.time_s));
        text.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn the_places_that_make_a_rank_late_are_named() {
        let parts = [("between", 3.3), ("code", 0.5), ("between", 0.1), ("call", 0.4)];
        assert_eq!(named(&parts, 0.2), "between 3.3, code 0.5");
        assert_eq!(named(&[("call", 3.0), ("call", 2.0), ("call", 1.0)], 0.0), "call 3, call 2");
    }

    #[test]
    fn a_difference_that_explains_nothing_is_not_named() {
        assert_eq!(named(&[("between", 0.05)], 0.2), "");
    }
}
