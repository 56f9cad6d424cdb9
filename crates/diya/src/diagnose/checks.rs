//! Which checks judge: the built-in ones, those of a facility, and settings.

use diya_checks::{Check, CheckError, Config, builtin, from_folder, trial};
use diya_report::Problem;
use std::path::{Path, PathBuf};

/// Checks with their settings.
#[derive(Debug)]
pub struct CheckSet {
    /// The checks, the built-in ones first.
    pub checks: Vec<Check>,
    /// Settings that differ from the defaults.
    pub config: Config,
    /// Checks of a facility that cannot be used, and why.
    pub problems: Vec<Problem>,
}

/// The settings cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckSetError {
    /// A check or a setting is wrong.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// The settings cannot be read.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// The settings are wrong.
    #[error("{path}: {source}")]
    Config {
        /// The file.
        path: String,
        /// What is wrong in it.
        source: CheckError,
    },
}

impl CheckSet {
    /// The checks that come with diya, with their defaults.
    pub fn builtin() -> Result<Self, CheckSetError> {
        Self::load(&[], None)
    }

    /// Also the checks below these folders, with settings from a TOML file.
    ///
    /// A check that cannot be used becomes a problem and is skipped; settings
    /// that cannot be used are an error, since verdicts would differ in silence.
    pub fn load(folders: &[PathBuf], config: Option<&Path>) -> Result<Self, CheckSetError> {
        let mut checks = builtin()?;
        let mut problems = Vec::new();
        for folder in folders {
            let (found, errors) = from_folder(folder);
            problems.extend(errors.iter().map(problem));
            for check in found {
                match checks
                    .iter()
                    .find(|known| known.is_named(&check.id) || known.code == check.code)
                {
                    None => checks.push(check),
                    Some(known) => problems.push(Problem {
                        what: check.path.clone(),
                        reason: format!(
                            "{}:1: id {} or code {} is that of {}: choose another one",
                            check.path, check.id, check.code, known.path
                        ),
                    }),
                }
            }
        }
        let config = match config {
            None => Config::default(),
            Some(path) => {
                let name = || path.display().to_string();
                let text = std::fs::read_to_string(path)
                    .map_err(|source| CheckSetError::File { path: name(), source })?;
                Config::parse(&text, &checks)
                    .map_err(|source| CheckSetError::Config { path: name(), source })?
            }
        };
        Ok(Self { checks, config, problems })
    }
}

/// What came of running the cases of checks.
#[derive(Debug, Default)]
pub struct Tested {
    /// Checks that could be read.
    pub checks: usize,
    /// Their cases.
    pub cases: usize,
    /// What is wrong, each with file and line.
    pub faults: Vec<String>,
}

/// Runs the cases of the checks on these pages or below these folders; of the
/// checks that come with diya where none is named.
pub fn test_checks(places: &[PathBuf]) -> Tested {
    let mut tested = Tested::default();
    if places.is_empty() {
        match builtin() {
            Ok(checks) => tested.run(&checks),
            Err(error) => tested.faults.push(error.to_string()),
        }
    }
    for place in places {
        let (checks, errors) = from_folder(place);
        tested.faults.extend(errors.iter().map(ToString::to_string));
        tested.run(&checks);
    }
    tested
}

impl Tested {
    fn run(&mut self, checks: &[Check]) {
        for check in checks {
            self.checks += 1;
            self.cases += check.cases.len();
            let faults = trial::faults(check).into_iter();
            self.faults.extend(faults.map(|fault| format!("{}:{fault}", check.path)));
        }
    }
}

/// A fault of a check as a line of a report.
pub(super) fn problem(error: &CheckError) -> Problem {
    let what = match error {
        CheckError::Page { path, .. }
        | CheckError::Query { path, .. }
        | CheckError::File { path, .. } => path.clone(),
        _ => "checks".to_owned(),
    };
    Problem { what, reason: error.to_string() }
}
