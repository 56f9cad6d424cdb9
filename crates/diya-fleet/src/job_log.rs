//! From a job to its log: it may be gone by now, or another one.

use crate::{AskError, Dataset, FleetQuery};
use diya::input::Input;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Why the page of a job cannot be shown.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LogUnavailable {
    /// No job has this path.
    #[error("No job of this dataset has a log at this path.")]
    Unknown,
    /// The dataset has pseudonyms for paths.
    #[error(
        "This dataset is anonymised: it does not know where the logs are. Use the dataset that \
         has their paths, or open the log by its path: diya open PATH"
    )]
    Anonymous,
    /// There is no such file.
    #[error(
        "The log is gone: {0} cannot be read. What the dataset knows of the job is in the table. \
         If the log was moved or archived, ingest its new place, or open it there: diya open PATH"
    )]
    Missing(String),
    /// There is, with other content.
    #[error(
        "The log has changed since it was read: {0} has another size or time of change. \
         `diya fleet ingest` reads it again; to see it as it is now: diya open PATH"
    )]
    Changed(String),
    /// The dataset cannot be asked.
    #[error(transparent)]
    Ask(#[from] AskError),
}

impl FleetQuery {
    /// Whether the log at a path is the one that the dataset read.
    ///
    /// # Errors
    /// With the reason in words for a person, and the way out.
    pub fn check_log(&self, dataset: &Dataset, path: &str) -> Result<(), LogUnavailable> {
        let known = self.log_at(path)?.ok_or(LogUnavailable::Unknown)?;
        if dataset.is_anonymous() {
            return Err(LogUnavailable::Anonymous);
        }
        let (file, member) = parts(path);
        let about =
            std::fs::metadata(file).map_err(|_| LogUnavailable::Missing(file.to_owned()))?;
        let since = about.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let mtime = since.and_then(|since| i64::try_from(since.as_nanos()).ok());
        let size = i64::try_from(about.len()).ok();
        // The size of a member is not that of its archive.
        let has_size = member.is_some() || known.size_bytes.is_none_or(|of| Some(of) == size);
        let has_time = known.mtime_ns.is_none_or(|of| Some(of) == mtime);
        match has_size && has_time {
            true => Ok(()),
            false => Err(LogUnavailable::Changed(file.to_owned())),
        }
    }
}

/// File and member of an archive. A file may have the sign in its name.
fn parts(path: &str) -> (&str, Option<&str>) {
    match path.split_once('!') {
        Some((archive, member)) if !Path::new(path).exists() => (archive, Some(member)),
        _ => (path, None),
    }
}

/// The bytes behind a path of the dataset. What cannot be read says so when it is opened.
pub fn log_inputs(path: &str) -> Vec<Input> {
    let (file, member) = parts(path);
    let mut found = None;
    if member.is_some() {
        let mut visit = |input: Input| {
            let is_it = input.name == path;
            found = is_it.then_some(input).or_else(|| found.take());
            !is_it
        };
        // What is missing is said below.
        let _unreadable = diya::input::each(Path::new(file), &mut visit);
    }
    vec![found.unwrap_or_else(|| Input::from_file(path, file.into()))]
}
