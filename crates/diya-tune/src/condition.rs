//! What has to be true of a job for a setting to help, and what it costs where it is not.

use crate::{TuneError, rows};
use diya::report::Value;
use diya_query::{Limits, Query, QueryError};
use serde::Deserialize;

/// A condition: a file of `tuning/conditions/`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Condition {
    /// Name of its file.
    #[serde(skip)]
    pub id: String,
    /// What has to be true, as the end of "only if ...".
    pub words: String,
    /// A row per log with `log` and `holds`; no row, or null: unknown from this log.
    pub sql: Option<String>,
    /// Why it is unknown from every log, where there is no statement.
    pub unknown: Option<String>,
    /// It holds where this other one fails.
    pub opposite_of: Option<String>,
}

/// What a setting costs.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "WrittenHarm")]
pub struct Harm {
    /// A sentence.
    pub words: String,
    /// It costs run time.
    pub is_slower: bool,
    /// The condition under which it cannot happen.
    pub unless: Option<String>,
}

/// As it stands in a file: a sentence, or more about it.
#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenHarm {
    Words(String),
    Whole(WholeHarm),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WholeHarm {
    words: String,
    #[serde(default)]
    is_slower: bool,
    unless: Option<String>,
}

impl From<WrittenHarm> for Harm {
    fn from(written: WrittenHarm) -> Self {
        match written {
            WrittenHarm::Words(words) => Self { words, is_slower: false, unless: None },
            WrittenHarm::Whole(WholeHarm { words, is_slower, unless }) => {
                Self { words, is_slower, unless }
            }
        }
    }
}

/// Whether a condition is true of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Truth {
    Holds,
    Fails,
    Unknown,
}

impl Condition {
    /// Takes the text of a file apart; one without a statement says why.
    pub(crate) fn parse(id: &str, text: &str) -> Result<Self, TuneError> {
        let wrong = |what: String| TuneError::setting(id, what);
        let condition: Self = toml::from_str(text).map_err(|e| wrong(e.to_string()))?;
        let ways = [&condition.sql, &condition.unknown, &condition.opposite_of];
        if ways.iter().filter(|way| way.is_some()).count() != 1 {
            let one = "a condition has `sql`, `opposite_of`, or `unknown`: why no log holds it";
            return Err(wrong(one.into()));
        }
        let name = id.rsplit('/').next().unwrap_or_default().to_owned();
        Ok(Self { id: name, ..condition })
    }

    /// Takes the statement of the one that it is the opposite of.
    pub(crate) fn resolve(&mut self, others: &[Self]) -> Result<(), TuneError> {
        let Some(opposite) = &self.opposite_of else { return Ok(()) };
        let other = others.iter().find(|other| other.id == *opposite);
        self.sql = other.and_then(|other| other.sql.clone());
        match self.sql {
            Some(_) => Ok(()),
            None => Err(TuneError::setting(&self.id, format!("{opposite} has no statement"))),
        }
    }

    /// Asks the tables of a job; table `finding` holds the evidence of the reasons.
    pub(crate) fn truth(&self, query: &Query) -> Result<Truth, QueryError> {
        let Some(sql) = &self.sql else { return Ok(Truth::Unknown) };
        let rows = rows::all(&query.run_within(sql, Limits::OF_A_PERSON)?);
        let is_asked = self.opposite_of.is_none();
        let of = |row: &rows::Row| match row.get("holds") {
            Some(Value::Flag(holds)) if *holds == is_asked => Truth::Holds,
            Some(Value::Flag(_)) => Truth::Fails,
            _ => Truth::Unknown,
        };
        let truths: Vec<Truth> = rows.iter().map(of).collect();
        Ok(all_of(&truths))
    }
}

/// One that fails decides; nothing is proven by no row.
pub(crate) fn all_of(truths: &[Truth]) -> Truth {
    match truths {
        _ if truths.contains(&Truth::Fails) => Truth::Fails,
        [] => Truth::Unknown,
        _ if truths.contains(&Truth::Unknown) => Truth::Unknown,
        _ => Truth::Holds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_fails_decides_and_no_row_proves_nothing() {
        use Truth::{Fails, Holds, Unknown};
        assert_eq!(all_of(&[Holds, Unknown, Fails]), Fails);
        assert_eq!(all_of(&[Holds, Unknown]), Unknown);
        assert_eq!(all_of(&[]), Unknown);
        assert_eq!(all_of(&[Holds, Holds]), Holds);
    }

    #[test]
    fn a_condition_has_a_statement_or_says_why_not() {
        assert!(Condition::parse("conditions/x", "words='w'").is_err());
        let both = "words='w'\nsql='select 1'\nunknown='u'";
        assert!(Condition::parse("conditions/x", both).is_err());
        let condition = Condition::parse("conditions/x", "words='w'\nunknown='u'");
        assert!(condition.is_ok_and(|condition| condition.id == "x"));
        let mut opposite =
            Condition::parse("conditions/y", "words='w'\nopposite_of='x'").expect("right");
        assert!(opposite.resolve(&[]).is_err(), "there is no x");
    }
}
