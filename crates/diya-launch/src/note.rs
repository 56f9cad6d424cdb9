//! A note beside the segments: what was started, for whoever collects them
//! later, when the launcher is gone.

use crate::LeaderTime;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::{fs, io};

/// Its file name.
const NAME: &str = "run.json";

/// What the launcher knows of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Note {
    /// What was started.
    pub command: Vec<String>,
    /// When, in nanoseconds since 1970.
    pub start_ns: Option<u64>,
    /// When it ended, in nanoseconds since 1970.
    pub end_ns: Option<u64>,
    /// Name of the node.
    pub host: String,
    /// Version of diya.
    pub version: String,
    /// Mount points and their types.
    pub mounts: Vec<(String, String)>,
    /// Exit code of the command; none: killed, or still running.
    pub exit_code: Option<i32>,
    /// Signal that ended it.
    pub signal: Option<i32>,
    /// Settings that the command was given: `VARIABLE=VALUE`, or `VARIABLE:KEY=VALUE` where the
    /// variable names a file.
    pub applied: Vec<String>,
    /// What could not be recorded, and why.
    pub obstacles: Vec<String>,
    /// What the leading thread of the command did.
    pub leader: Vec<LeaderTime>,
}

impl Note {
    /// Reads the note of a folder; one without a note has an empty one.
    pub fn read(folder: &Path) -> Self {
        let text = fs::read_to_string(folder.join(NAME)).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    /// Whether there is one in a folder.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(NAME).exists()
    }

    /// Writes it into a folder.
    pub fn write(&self, folder: &Path) -> io::Result<()> {
        fs::write(folder.join(NAME), serde_json::to_vec_pretty(self)?)
    }
}
