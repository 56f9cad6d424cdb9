//! What a watch remembers: open problems, and who was called when.

use crate::Question;
use std::collections::BTreeMap;
use std::path::Path;

/// Layout of state files that this version writes.
const VERSION: u32 = 1;

/// The memory of a watch.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct State {
    version: u32,
    /// Identity of the dataset: problems of another one would all count as fixed.
    pub dataset: String,
    /// Open problems by question and key.
    pub(crate) problems: BTreeMap<String, BTreeMap<String, Problem>>,
    /// Day of the last call by user, as YYYY-MM-DD.
    pub(crate) calls: BTreeMap<String, String>,
    /// Digests that the hook has not taken yet.
    #[serde(default)]
    pub pending: Vec<serde_json::Value>,
}

/// An open problem.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Problem {
    /// Day on which it was reported as new, as YYYY-MM-DD.
    pub since: String,
    /// Its size when it was reported last, or since then, if it was smaller.
    pub value: Option<f64>,
    /// Latest start of a job that could have had it, when it was seen last; seconds since 1970.
    pub last_job_s: f64,
    /// Its row then.
    pub row: super::Row,
}

impl State {
    /// Of a first watch.
    pub fn new(dataset: &Path) -> Self {
        Self {
            version: VERSION,
            dataset: dataset.display().to_string(),
            problems: BTreeMap::new(),
            calls: BTreeMap::new(),
            pending: Vec::new(),
        }
    }

    /// Takes a state file apart.
    pub fn parse(text: &str) -> Result<Self, String> {
        let state: Self = serde_json::from_str(text).map_err(|e| e.to_string())?;
        match state.version {
            VERSION => Ok(state),
            other => Err(format!("its version is {other}, this diya knows {VERSION}")),
        }
    }

    /// As a file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Open problems by question.
    pub(crate) fn open(&self, questions: &[Question]) -> Vec<(String, usize)> {
        let watched = questions.iter().filter(|question| question.watch.is_some());
        let count = |name: &str| self.problems.get(name).map_or(0, BTreeMap::len);
        watched.map(|question| (question.name.clone(), count(&question.name))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_as_it_was_written() {
        let mut state = State::new(Path::new("/data/fleet"));
        let row = super::super::Row::from_iter([("user_name".to_owned(), "a\u{1b}b".into())]);
        let since = "2026-03-01".to_owned();
        let problem = Problem { since: since.clone(), value: Some(1.5), last_job_s: 7.0, row };
        state.problems.entry("q".into()).or_default().insert("[\"a\"]".into(), problem);
        state.calls.insert("ines".into(), since);
        assert_eq!(State::parse(&state.text()), Ok(state));
    }

    #[test]
    fn what_is_no_state_is_refused() {
        assert!(State::parse("").is_err());
        assert!(State::parse("{\"version\": 1}").is_err());
        let other = State::new(Path::new("/x")).text().replace("\"version\": 1", "\"version\": 9");
        assert!(State::parse(&other).is_err_and(|why| why.contains("version is 9")));
    }
}
