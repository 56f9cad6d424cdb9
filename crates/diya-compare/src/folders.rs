//! Folders among the files of a run: libraries open and list them on their way
//! to a file, and a list of files is not about them.

use std::collections::HashSet;

/// Name of the file of calls whose file is not known.
const NO_FILE: &str = "<unknown>";

/// The folders of one run that its log contains.
#[derive(Debug, Default)]
pub(super) struct Folders {
    /// Files whose entries were read.
    listed: HashSet<u64>,
    /// Folders that hold another file of the run.
    above: HashSet<String>,
}

impl Folders {
    /// `paths`: of all files; `listed`: files whose entries were read.
    pub fn of<'p>(paths: impl Iterator<Item = &'p str>, listed: HashSet<u64>) -> Self {
        let mut above = HashSet::new();
        for mut path in paths {
            while let Some((folder, _)) = path.rsplit_once('/') {
                // What is known has its own folders in the set already.
                if folder.is_empty() || !above.insert(folder.to_owned()) {
                    break;
                }
                path = folder;
            }
        }
        Self { listed, above }
    }

    /// Whether this is a folder, or no file at all.
    pub fn has(&self, file_id: u64, path: &str) -> bool {
        matches!(path, "/" | NO_FILE)
            || self.listed.contains(&file_id)
            || self.above.contains(path.trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_told_by_its_files_or_by_being_listed() {
        let paths = ["/", "/usr/lib", "/usr/lib/a/b.so", "/opt/plugins", "/data/out"];
        let folders = Folders::of(paths.into_iter(), HashSet::from([4]));
        let found: Vec<&str> =
            (1..).zip(paths).filter(|(id, path)| folders.has(*id, path)).map(|two| two.1).collect();
        assert_eq!(found, ["/", "/usr/lib", "/opt/plugins"]);
    }

    #[test]
    fn calls_without_a_file_are_none() {
        assert!(Folders::default().has(1, "<unknown>"));
    }
}
