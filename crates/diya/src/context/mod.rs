//! What is known of a job from outside its log: where its nodes stand, and what
//! the storage servers measured while it ran.
//!
//! Files of both kinds come from elsewhere: what is wrong in one is an error
//! with its line, and nothing of it is used. Formats: docs/formats/context.md.

mod hosts;
mod records;
mod server;
mod time;
mod topology;
mod topology_yaml;

pub use server::{MetricSample, Samples};
pub use topology::{NodePlace, Topology};

use crate::{AskError, Session};
use diya_tables::{BatchSource, TableId};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file about the machine cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContextError {
    /// The file cannot be read.
    #[error("{file}: {source}")]
    Io {
        /// Path of the file.
        file: String,
        /// Why.
        source: std::io::Error,
    },
    /// The file holds something else than it should.
    #[error("{file}:{line}: {what}")]
    Format {
        /// Path of the file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        what: String,
    },
    /// What the logs say of their nodes and times could not be read.
    #[error(transparent)]
    Ask(#[from] AskError),
}

/// What is wrong, and in which line (from 1).
type Complaint = (usize, String);

/// A complaint about the whole of a file.
fn complaint(line: usize, what: impl Into<String>) -> Complaint {
    (line, what.into())
}

/// What is known from outside the logs.
#[derive(Debug, Default)]
pub struct Context {
    machine: Vec<Arc<dyn BatchSource>>,
    topology: Option<Topology>,
    samples: Samples,
}

impl Context {
    /// Reads the files.
    ///
    /// # Errors
    ///
    /// The first file that cannot be read or is wrong, with the line.
    pub fn read(topology: Option<&Path>, server_metrics: &[PathBuf]) -> Result<Self, ContextError> {
        let topology =
            topology.map(|path| Topology::parse(&name(path), &text(path)?)).transpose()?;
        let mut samples = Samples::default();
        for path in server_metrics {
            samples.append(&name(path), &text(path)?)?;
        }
        Ok(Self { machine: Vec::new(), topology, samples })
    }

    /// Also what requests cost on the machine: the tables of a profile.
    pub fn with_machine(self, profile: impl IntoIterator<Item = Arc<dyn BatchSource>>) -> Self {
        Self { machine: profile.into_iter().collect(), ..self }
    }

    /// Adds the tables of the machine's profile, `topology` and `server_metric` to
    /// a session in which nothing was asked yet: rows for the nodes and the time
    /// of each log.
    pub fn add_to(&self, session: &mut Session<'_>) -> Result<(), ContextError> {
        for profile in &self.machine {
            session.add(vec![Arc::clone(profile)]);
        }
        if self.topology.is_none() && self.samples.is_empty() {
            return Ok(());
        }
        let needed = [TableId::Job, TableId::RankHost, TableId::Process];
        session.prepare(&needed.map(|id| id.def().name))?;
        let known = needed.map(|id| session.table(id.def().name).cloned());
        let [job, rank_host, process] = &known;
        let mut tables: Vec<Arc<dyn BatchSource>> = Vec::new();
        if let Some(topology) = &self.topology {
            tables.push(topology.table([rank_host, process].into_iter().flatten()));
        }
        if let Some(job) = job.as_ref().filter(|_| !self.samples.is_empty()) {
            tables.push(self.samples.table(job));
        }
        session.add(tables);
        Ok(())
    }
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

fn text(path: &Path) -> Result<String, ContextError> {
    std::fs::read_to_string(path).map_err(|source| ContextError::Io { file: name(path), source })
}
