//! The logs of a folder and its subfolders, by their names.

use std::io;
use std::path::{Path, PathBuf};

/// Folders below a folder.
const MAX_DEPTH: usize = 8;

/// Logs in all of them.
const MAX_LOGS: usize = 20_000;

/// Logs in a folder and below it, by name. Links that lead out of it are not followed, and a
/// folder inside that cannot be read is left out. More logs than diya reads at once are an error:
/// an answer from some of them would look like one from all.
pub fn logs_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    at_most(MAX_LOGS, folder)
}

fn at_most(most: usize, folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut logs = Vec::new();
    find(folder, &folder.canonicalize()?, 0, most, &mut logs)?;
    if logs.len() > most {
        return Err(io::Error::other(format!(
            "more than {most} logs in this folder; name some of its subfolders, or make a dataset \
             of all logs (diya fleet ingest FOLDER -o DATASET)"
        )));
    }
    logs.sort();
    Ok(logs)
}

fn find(
    folder: &Path,
    root: &Path,
    depth: usize,
    most: usize,
    logs: &mut Vec<PathBuf>,
) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        if logs.len() > most {
            break;
        }
        let path = entry?.path();
        // Where it leads: a link out of the folder leads to what was not named.
        let Ok(real) = path.canonicalize() else { continue };
        if !real.starts_with(root) {
            continue;
        }
        if path.is_dir() {
            let is_link = path.is_symlink();
            if depth < MAX_DEPTH && !is_link {
                // A folder that is not ours to read is passed over.
                let _unreadable = find(&path, root, depth + 1, most, logs);
            }
        // A pipe would wait for a writer.
        } else if path.is_file() && is_log(&path) {
            logs.push(path);
        }
    }
    Ok(())
}

fn is_log(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let ends = [".gz", ".bz2", ".zst"];
    let name = ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    name.ends_with(".darshan") || name.ends_with(".diya")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_of_subfolders_are_found_by_their_names() {
        let folder = tempfile::tempdir().expect("a folder");
        let below = folder.path().join("2026/11");
        std::fs::create_dir_all(&below).expect("a folder");
        for name in ["b.diya", "a.darshan.gz", "c.diya.zst", "notes.txt"] {
            std::fs::write(below.join(name), b"").expect("a file");
        }
        let found = logs_below(folder.path()).expect("it can be read");
        assert_eq!(found, ["a.darshan.gz", "b.diya", "c.diya.zst"].map(|name| below.join(name)));
    }
    #[test]
    fn more_logs_than_are_read_at_once_are_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let below = folder.path().join("day");
        std::fs::create_dir(&below).expect("a folder");
        for place in [folder.path().join("a.diya"), below.join("b.diya"), below.join("c.diya")] {
            std::fs::write(place, b"").expect("a file");
        }
        assert_eq!(at_most(3, folder.path()).expect("all of them").len(), 3);
        let error = at_most(2, folder.path()).expect_err("too many").to_string();
        assert!(error.contains("more than 2 logs"), "{error}");
    }
}
