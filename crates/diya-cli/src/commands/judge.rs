//! Options that choose the checks of a command, and the checks that were skipped.

use crate::failure::Failure;
use clap::Args;
use diya::diagnose::CheckSet;
use std::path::PathBuf;

/// Which checks judge, and how: the same for every command that judges.
#[derive(Debug, Default, Args)]
pub struct JudgeArgs {
    /// Also use the checks in this folder (may be given several times)
    #[arg(long = "checks", value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// TOML file with thresholds and severities that replace the defaults
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

impl JudgeArgs {
    pub fn checks(&self) -> Result<CheckSet, Failure> {
        CheckSet::load(&self.folders, self.config.as_deref())
            .map_err(|e| Failure::Input(e.to_string()))
    }
}

/// Names the checks that were skipped.
pub fn report_problems(set: &CheckSet) {
    for note in &set.config.notes {
        say!("note: {note}");
    }
    for problem in &set.problems {
        say!("check skipped: {}", problem.reason);
    }
}
