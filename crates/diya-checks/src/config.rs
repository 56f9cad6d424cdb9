//! Settings: parameters of checks and the limits of severities, from TOML.
//!
//! ```toml
//! [severity]
//! high_ratio = 0.2
//!
//! ["posix/small-requests"]
//! min_calls = 5000
//! ```

use std::collections::BTreeMap;

use crate::check::{MIN_TOTAL, params};
use crate::header::Number;
use crate::{Block, Check, CheckError};

/// Settings that differ from the defaults, and the limits of severities.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Share of the run time from which a finding is HIGH.
    pub high_ratio: f64,
    /// Share of the run time from which a finding is WARN.
    pub warn_ratio: f64,
    /// Seconds below which a finding is INFO, whatever their share.
    pub least_s: f64,
    /// Evidence keeps a row for each class of seconds, as the query gives them: for the cases of
    /// checks.
    pub(crate) keeps_classes: bool,
    /// What to change in the settings: names that go with the next version.
    pub notes: Vec<String>,
    /// Values by check and parameter.
    values: BTreeMap<(String, String), Number>,
}

impl Default for Config {
    /// 10 % and 2 % of the run time, and the defaults of the checks. Two runs
    /// of the same job differ by 6 to 15 % on shared machines (Isakov, SC22):
    /// a stopwatch cannot show what is below WARN. And at least 0.1 s: a user does not
    /// notice less, and runs of some milliseconds differ by more.
    fn default() -> Self {
        Self {
            high_ratio: 0.10,
            warn_ratio: 0.02,
            least_s: 0.1,
            keeps_classes: false,
            notes: Vec::new(),
            values: BTreeMap::new(),
        }
    }
}

impl Config {
    /// Defaults, and evidence as the queries give it.
    pub(crate) fn of_cases() -> Self {
        Self { keeps_classes: true, ..Self::default() }
    }

    /// Reads settings for these checks. What is not known is an error that
    /// names what comes nearest.
    pub fn parse(text: &str, checks: &[Check]) -> Result<Self, CheckError> {
        let tables: BTreeMap<String, BTreeMap<String, Number>> = toml::from_str(text)
            .map_err(|e| CheckError::Config(format!("settings: {}", e.to_string().trim())))?;
        let mut config = Self::default();
        for (section, entries) in tables {
            let check = checks.iter().find(|check| check.is_named(&section));
            if let Some(check) = check.filter(|check| check.id != section) {
                config.notes.push(renamed(&section, check));
            }
            for (name, value) in entries {
                match (section.as_str(), name.as_str(), check) {
                    ("severity", "high_ratio", _) => config.high_ratio = value.real(),
                    ("severity", "warn_ratio", _) => config.warn_ratio = value.real(),
                    ("severity", "least_s", _) => config.least_s = value.real(),
                    ("severity", _, _) => {
                        let known = ["high_ratio", "warn_ratio", "least_s"];
                        return Err(unknown(&format!("severity.{name}"), &name, known));
                    }
                    (_, _, Some(check)) if check.params.contains_key(&name) => {
                        if let Some(metric) = &check.params[&name].fixed_by {
                            return Err(fixed(check, &name, metric));
                        }
                        config.values.insert((check.id.clone(), name), value);
                    }
                    (_, _, Some(check)) => {
                        let known = check.params.keys().map(String::as_str);
                        return Err(unknown(
                            &format!("parameter {name} of {section}"),
                            &name,
                            known,
                        ));
                    }
                    (_, _, None) => {
                        let known = checks.iter().map(|check| check.id.as_str());
                        return Err(unknown(&format!("check {section}"), &section, known));
                    }
                }
            }
        }
        Ok(config)
    }

    /// Value of a parameter of a check.
    pub(crate) fn value(&self, check: &Check, name: &str) -> Option<Number> {
        let key = (check.id.clone(), name.to_owned());
        let default = || check.params.get(name).map(|param| param.default);
        self.values.get(&key).copied().or_else(default)
    }
}

impl Check {
    /// A query with the values of its parameters put in.
    pub fn sql(&self, query: &Block, config: &Config) -> String {
        let mut sql = String::with_capacity(query.text.len());
        let mut done = 0;
        for token in params(&query.text) {
            sql.push_str(&query.text[done..token.start]);
            if let Some(value) = config.value(self, &token.text) {
                sql.push_str(&value.sql());
            }
            done = token.start + 1 + token.text.len();
        }
        sql.push_str(&query.text[done..]);
        sql
    }

    /// Whether rows that cost so much together are a finding; `None`: costs are unknown.
    pub(crate) fn is_worth(&self, total_s: Option<f64>, config: &Config) -> bool {
        let least = config.value(self, MIN_TOTAL).filter(|_| self.params.contains_key(MIN_TOTAL));
        least.zip(total_s).is_none_or(|(least, total_s)| total_s > least.real())
    }
}

fn unknown<'n>(what: &str, name: &str, known: impl IntoIterator<Item = &'n str>) -> CheckError {
    let near = known
        .into_iter()
        .max_by(|a, b| strsim::jaro_winkler(a, name).total_cmp(&strsim::jaro_winkler(b, name)));
    let hint = near.map(|near| format!("; nearest: {near}")).unwrap_or_default();
    CheckError::Config(format!("settings: there is no {what}{hint}"))
}

fn fixed(check: &Check, name: &str, metric: &str) -> CheckError {
    CheckError::Config(format!(
        "settings: {name} of {} cannot be changed: its seconds come from {metric}, which counts with \
         {}",
        check.id, check.params[name].default
    ))
}

/// What to say of an id of an earlier version.
pub fn renamed(former: &str, check: &Check) -> String {
    format!("check {former} is now {}; the old name goes with the next version", check.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_is_answered_with_the_nearest() {
        let error = |text: &str| Config::parse(text, &[]).unwrap_err().to_string();
        assert_eq!(
            error("[severity]\nhigh_ration = 1"),
            "settings: there is no severity.high_ration; nearest: high_ratio"
        );
        assert_eq!(error("[posix]\na = 1"), "settings: there is no check posix");
    }

    #[test]
    fn limits_of_severities_can_be_set() {
        let config = Config::parse("[severity]\nhigh_ratio = 0.5", &[]).unwrap();
        assert_eq!((config.high_ratio, config.warn_ratio), (0.5, 0.02));
    }
}
