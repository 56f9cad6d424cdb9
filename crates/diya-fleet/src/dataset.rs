//! The folder of a dataset: what lies where, who may write, what a killed process left.

use crate::files::PartWriter;
use crate::names::Names;
use crate::{FleetError, Shard};
use diya_tables::TableDef;
use std::fs::File;
use std::path::{Path, PathBuf};

/// What says that a folder is a dataset, and with which names.
const ABOUT: &str = "_diya.json";

/// Files on their way into the dataset, a folder for each commit.
const STAGING: &str = "_staging";

/// Beginning of the names of commits of a compaction.
pub const PREFIX: &str = "compact-";

/// Names of the files that a compaction replaces, a line each: with it, it is committed.
pub const REPLACED: &str = "_replaced";

/// Layout of datasets that this version writes.
const VERSION: u32 = 1;

/// A dataset.
#[derive(Debug, Clone)]
pub struct Dataset {
    root: PathBuf,
}

#[derive(serde::Serialize, serde::Deserialize, PartialEq)]
struct About {
    version: u32,
    is_anonymous: bool,
    is_release: bool,
    key_check: String,
}

/// A lock on a dataset or one of its shards, for as long as it lives.
#[derive(Debug)]
pub struct Lock(#[allow(dead_code)] File);

impl Dataset {
    /// A dataset that is there.
    pub fn open(root: &Path) -> Result<Self, FleetError> {
        if root.join(ABOUT).is_file() {
            Ok(Self { root: root.to_path_buf() })
        } else {
            Err(FleetError::NoDataset(root.to_path_buf()))
        }
    }

    /// A dataset that is there with the same names, or a new one in an empty folder.
    pub(crate) fn create(root: &Path, names: &Names) -> Result<Self, FleetError> {
        std::fs::create_dir_all(root).map_err(FleetError::file(root))?;
        let wanted = About {
            version: VERSION,
            is_anonymous: names.is_anonymous,
            is_release: names.is_release,
            key_check: names.check(),
        };
        let path = root.join(ABOUT);
        let text = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let mut entries = std::fs::read_dir(root).map_err(FleetError::file(root))?;
                let is_foreign = |name: &str| !name.starts_with("_diya");
                let is_foreign =
                    |e: std::fs::DirEntry| is_foreign(&e.file_name().to_string_lossy());
                if !entries.any(|entry| entry.is_ok_and(is_foreign)) {
                    let text = serde_json::to_string_pretty(&wanted).unwrap_or_default();
                    // Shards may start at the same time: the file appears whole.
                    let new = root.join(format!("{ABOUT}.{}", unique()));
                    std::fs::write(&new, text).map_err(FleetError::file(&new))?;
                    std::fs::rename(&new, &path).map_err(FleetError::file(&path))?;
                }
                // Another shard may have made the dataset, with files, since it was missing.
                std::fs::read_to_string(&path)
            }
            other => other,
        };
        let text = text.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => FleetError::NoDataset(root.to_path_buf()),
            _ => FleetError::File { path, source: error },
        })?;
        let is: About =
            serde_json::from_str(&text).map_err(|_| FleetError::NoDataset(root.to_path_buf()))?;
        if is != wanted {
            let (is, wanted) = (words(&is), words(&wanted));
            return Err(FleetError::OtherNames { path: root.to_path_buf(), is, wanted });
        }
        Ok(Self { root: root.to_path_buf() })
    }

    /// Gives every table a file without rows, so that engines know its columns before it
    /// has any: a folder without files is an error to most of them.
    pub(crate) fn add_system(&self, system: &str) -> Result<(), FleetError> {
        for def in crate::TABLES {
            let of_system = self.table(def).join(format!("system={system}"));
            if of_system.is_dir() {
                continue;
            }
            let is_manifest = def.name == crate::manifest::DEF.name;
            let below = if is_manifest { "" } else { "year=0/month=0" };
            let new = of_system.join(below).join(format!("_empty-{}", unique()));
            PartWriter::create(&new, def)?.finish()?;
            let place = new.with_file_name("empty.parquet");
            std::fs::rename(&new, &place).map_err(FleetError::file(&place))?;
        }
        Ok(())
    }

    /// Whether paths and names are pseudonyms.
    pub fn is_anonymous(&self) -> bool {
        let text = std::fs::read_to_string(self.root.join(ABOUT)).unwrap_or_default();
        serde_json::from_str(&text).is_ok_and(|about: About| about.is_anonymous)
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Folder of a table.
    pub(crate) fn table(&self, def: &TableDef) -> PathBuf {
        self.root.join(def.name)
    }

    /// Parquet files of a table, by their path from its folder.
    pub(crate) fn parts(&self, def: &TableDef) -> Result<Vec<PathBuf>, FleetError> {
        let mut parts = Vec::new();
        collect(&self.table(def), &mut parts)?;
        parts.sort();
        Ok(parts)
    }

    pub(crate) fn staging(&self, commit: &str) -> PathBuf {
        self.root.join(STAGING).join(commit)
    }

    /// For one ingest of a shard: others of the same shard, and `compact`, have to wait.
    pub(crate) fn lock_shard(&self, shard: Shard) -> Result<[Lock; 2], FleetError> {
        let all = self.lock("_lock", File::try_lock_shared)?;
        let own = self.lock(&format!("_lock-{}", shard_name(shard)), File::try_lock)?;
        Ok([all, own])
    }

    /// For one join: others, and `compact`, have to wait.
    pub(crate) fn lock_join(&self) -> Result<[Lock; 2], FleetError> {
        let all = self.lock("_lock", File::try_lock_shared)?;
        Ok([all, self.lock("_lock-join", File::try_lock)?])
    }

    /// Against everybody.
    pub(crate) fn lock_all(&self) -> Result<Lock, FleetError> {
        self.lock("_lock", File::try_lock)
    }

    fn lock(
        &self,
        name: &str,
        take: impl FnOnce(&File) -> Result<(), std::fs::TryLockError>,
    ) -> Result<Lock, FleetError> {
        let path = self.root.join(name);
        let file = File::create(&path).map_err(FleetError::file(&path))?;
        match take(&file) {
            Err(std::fs::TryLockError::WouldBlock) => Err(FleetError::Busy(self.root.clone())),
            // File systems without locks: equal names of shards still keep parts apart.
            Ok(()) | Err(std::fs::TryLockError::Error(_)) => Ok(Lock(file)),
        }
    }

    /// Completes commits of processes that were killed, and removes what they left
    /// uncommitted; `own`: only those whose names begin so.
    pub(crate) fn recover(&self, own: Option<&str>) -> Result<(), FleetError> {
        let staging = self.root.join(STAGING);
        let entries = match std::fs::read_dir(&staging) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(FleetError::File { path: staging, source: error }),
        };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_own = own.is_none_or(|own| name.starts_with(own));
            if self.is_committed(&name) {
                self.publish(&name)?;
            } else if is_own {
                remove(&entry.path())?;
            }
        }
        Ok(())
    }

    /// A commit is done when its part of `manifest` is in its place; a compaction when there
    /// is a list of what it replaces. Staged files alone prove nothing: the process
    /// that removes them may have been killed, too.
    fn is_committed(&self, commit: &str) -> bool {
        if commit.starts_with(PREFIX) {
            return self.staging(commit).join(REPLACED).is_file();
        }
        let systems = std::fs::read_dir(self.table(&crate::manifest::DEF));
        let part = format!("{commit}.parquet");
        systems.is_ok_and(|systems| systems.flatten().any(|s| s.path().join(&part).is_file()))
    }

    /// Moves the files of a commit to their places. Another process may do so, too.
    pub(crate) fn publish(&self, commit: &str) -> Result<(), FleetError> {
        let staged = self.staging(commit);
        let mut files = Vec::new();
        collect(&staged, &mut files)?;
        // Files that a compaction replaced go when the new ones are there.
        let replaced = std::fs::read_to_string(staged.join(REPLACED)).unwrap_or_default();
        for file in files {
            let Ok(below) = file.strip_prefix(&staged) else { continue };
            let place = self.root.join(below);
            if let Some(folder) = place.parent() {
                std::fs::create_dir_all(folder).map_err(FleetError::file(folder))?;
            }
            match std::fs::rename(&file, &place) {
                Err(error) if !place.exists() => {
                    return Err(FleetError::File { path: place, source: error });
                }
                _ => {}
            }
        }
        for old in replaced.lines() {
            let old = self.root.join(old);
            match std::fs::remove_file(&old) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(FleetError::File { path: old, source: error });
                }
                _ => {}
            }
        }
        remove(&staged)
    }
}

/// A name that no other process has, not even one of another node with the same number.
fn unique() -> String {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    format!("{}-{:x}", std::process::id(), now.unwrap_or_default().as_nanos())
}

fn words(about: &About) -> &'static str {
    match (about.is_anonymous, about.is_release) {
        (false, _) => "with real names",
        (true, false) => "anonymised with its own key",
        (true, true) => "anonymised with its own key, for release",
    }
}

/// Name of a shard in names of files.
pub(crate) fn shard_name(shard: Shard) -> String {
    format!("{}-of-{}", shard.number, shard.of)
}

/// All Parquet files below a folder, which may be missing.
pub(crate) fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), FleetError> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(FleetError::File { path: folder.to_path_buf(), source: error }),
    };
    for entry in entries {
        let path = entry.map_err(FleetError::file(folder))?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "parquet") {
            files.push(path);
        }
    }
    Ok(())
}

fn remove(folder: &Path) -> Result<(), FleetError> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(FleetError::File { path: folder.to_path_buf(), source: error })
        }
        _ => Ok(()),
    }
}
