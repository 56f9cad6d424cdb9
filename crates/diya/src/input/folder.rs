//! The logs of a folder and its subfolders, by their names.

use std::io;
use std::path::{Path, PathBuf};

/// Folders below a folder.
const MAX_DEPTH: usize = 8;

/// Logs in all of them.
const MAX_LOGS: usize = 20_000;

/// Logs in a folder and below it, by name. Links that lead out of it are not followed, and a
/// folder inside that cannot be read is left out.
pub fn logs_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut logs = Vec::new();
    find(folder, &folder.canonicalize()?, 0, &mut logs)?;
    logs.sort();
    Ok(logs)
}

fn find(folder: &Path, root: &Path, depth: usize, logs: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        // Where it leads: a link out of the folder leads to what was not named.
        let Ok(real) = path.canonicalize() else { continue };
        if !real.starts_with(root) || logs.len() >= MAX_LOGS {
            continue;
        }
        if path.is_dir() {
            let is_link = path.is_symlink();
            if depth < MAX_DEPTH && !is_link {
                // A folder that is not ours to read is passed over.
                let _unreadable = find(&path, root, depth + 1, logs);
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
}
