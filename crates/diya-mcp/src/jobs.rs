//! Logs that were opened, kept for the next questions about them.

use crate::arguments::{TOGETHER, checked};
use diya::input::{self, Input};
use diya::{OpenOptions, Selection, Session, TableSet, Threads, by_job};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Sessions that are kept: the two runs of a comparison, and one more.
const KEPT: usize = 3;

/// A session that questions share, one at a time.
pub type Shared = Arc<Mutex<Session<'static>>>;

/// What says that logs are still the same: path, bytes and time of each.
type Key = Vec<(PathBuf, u64, Option<SystemTime>)>;

/// Sessions by their logs, the last one asked at the end.
pub struct Jobs {
    threads: Threads,
    kept: Mutex<Vec<(Key, Shared)>>,
}

impl Jobs {
    /// None is open yet.
    pub fn new(threads: Threads) -> Self {
        Self { threads, kept: Mutex::new(Vec::new()) }
    }

    /// How logs are opened for an assistant: as for a report.
    pub fn options(&self) -> OpenOptions<'static> {
        OpenOptions {
            selection: Selection::tables(TableSet::NONE),
            skips_system: true,
            threads: self.threads,
            ..OpenOptions::default()
        }
    }

    /// The session of these logs; they are opened where they are new or have changed.
    pub fn session(&self, logs: &[String]) -> Result<Shared, String> {
        let key = key(logs)?;
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found =
            kept.iter().position(|(known, _)| *known == key).map(|place| kept.remove(place));
        let entry = match found {
            Some(entry) => entry,
            None => {
                let jobs = jobs_in(logs)?;
                (key, Arc::new(Mutex::new(Session::of_jobs(jobs, self.options()))))
            }
        };
        let session = Arc::clone(&entry.1);
        kept.push(entry);
        let surplus = kept.len().saturating_sub(KEPT);
        kept.drain(..surplus);
        Ok(session)
    }
}

/// The jobs in these logs.
pub fn jobs_in(logs: &[String]) -> Result<Vec<Vec<Input>>, String> {
    key(logs)?;
    let inputs = input::logs(logs).map_err(|e| e.to_string())?;
    Ok(by_job(inputs, TOGETHER))
}

/// Refuses what is no file or folder: standard input is the connection, and a pipe has no end.
fn key(logs: &[String]) -> Result<Key, String> {
    checked(logs)?;
    let one = |log: &String| {
        let path = PathBuf::from(log);
        // `-` would be standard input, even where a file has this name.
        let about = match log.as_str() {
            "-" => return Err("`-` is not a file: give the path of a log".to_owned()),
            log => std::fs::metadata(&path).map_err(|e| match e.kind() {
                std::io::ErrorKind::NotFound => format!("{log}: no such file"),
                _ => format!("{log}: {e}"),
            })?,
        };
        if !about.is_file() && !about.is_dir() {
            return Err(format!("{log}: neither a file nor a directory"));
        }
        Ok((path, about.len(), about.modified().ok()))
    };
    logs.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_file_is_refused() {
        let refused = |log: &str| jobs_in(&[log.to_owned()]).unwrap_err();
        assert_eq!(refused("/nowhere/a.diya"), "/nowhere/a.diya: no such file");
        assert!(refused("-").contains("not a file"));
        assert!(refused("/dev/zero").contains("neither a file"));
        assert!(jobs_in(&[]).unwrap_err().contains("no log is named"));
    }
}
