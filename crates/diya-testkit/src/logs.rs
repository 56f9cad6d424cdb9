//! Where logs are.

use std::path::{Path, PathBuf};

/// Root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_path_buf()
}

/// A log of the repository, by its name.
pub fn corpus_log(name: &str) -> PathBuf {
    root().join("corpus/logs").join(name)
}

/// The logs that belong to the repository.
pub fn corpus_logs() -> Vec<PathBuf> {
    let mut logs = Vec::new();
    collect(&root().join("corpus/logs"), &mut logs);
    assert!(!logs.is_empty(), "the corpus is part of the repository");
    logs
}

/// The traces of other tools that belong to the repository.
pub fn corpus_traces() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("corpus/traces")).expect("it is there");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_none_or(|ending| ending != "c"));
    paths.sort();
    assert!(!paths.is_empty(), "the corpus is part of the repository");
    paths
}

/// The folder with further real logs for testing in place, beside the
/// repository or where `DIYA_SHARED` says; `None` when there is none, which is said,
/// and fails in CI.
pub fn shared_folder() -> Option<PathBuf> {
    let beside = || root().parent().map(|parent| parent.join("shared"));
    let folder = std::env::var_os("DIYA_SHARED").map(PathBuf::from).or_else(beside);
    let folder = folder.filter(|folder| folder.join("logs").is_dir());
    if folder.is_none() {
        crate::skip("no shared logs (set DIYA_SHARED to the folder that holds logs/)");
    }
    folder
}

/// The logs in that folder.
pub fn shared_logs() -> Vec<PathBuf> {
    let mut logs = Vec::new();
    if let Some(folder) = shared_folder() {
        // Not those that were damaged on purpose: the reader's own tests hold them.
        for part in ["generated", "public"] {
            collect(&folder.join("logs").join(part), &mut logs);
        }
    }
    logs
}

fn collect(folder: &Path, logs: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let name =
            path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if path.is_dir() {
            collect(&path, logs);
        } else if name.ends_with(".darshan") || name.ends_with(".darshan.gz") {
            logs.push(path);
        }
    }
}
