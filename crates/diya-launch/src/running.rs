//! Processes that go on after the command has ended: `sh -c 'server &'`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// How long processes get that are just ending, such as the ranks of a job.
const LOOKS: u32 = 10;
const BETWEEN: Duration = Duration::from_millis(20);

/// A process that still writes to its segment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Running {
    /// Its number on this node.
    pub pid: u32,
    /// Name of its program, as the kernel has it: the first 15 bytes.
    pub name: String,
}

/// Processes of this node that have a segment of the folder mapped.
pub fn still_running(folder: &Path) -> Vec<Running> {
    for _ in 1..LOOKS {
        if writers(folder).is_empty() {
            return Vec::new();
        }
        std::thread::sleep(BETWEEN);
    }
    writers(folder)
}

fn writers(folder: &Path) -> Vec<Running> {
    let mut found = BTreeSet::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let Some(pid) = pid_of(&name) else { continue };
        let read = |what: &str| fs::read_to_string(format!("/proc/{pid}/{what}"));
        // The number may be another process's by now.
        if read("maps").is_ok_and(|maps| is_mapped(&maps, &entry.path())) {
            let name = read("comm").unwrap_or_default().trim_end().to_string();
            found.insert(Running { pid, name });
        }
    }
    found.into_iter().collect()
}

/// `HOST.PID.TICKS.seg`; a host's name may have dots.
fn pid_of(name: &str) -> Option<u32> {
    name.strip_suffix(".seg")?.rsplit('.').nth(1)?.parse().ok()
}

fn is_mapped(maps: &str, path: &Path) -> bool {
    let path = path.to_string_lossy();
    maps.lines().any(|line| line.ends_with(path.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_process_is_in_the_name() {
        assert_eq!(pid_of("node1.example.org.4711.123456.seg"), Some(4711));
        assert_eq!(pid_of("note.json"), None);
        assert_eq!(pid_of("node1.tar"), None);
    }

    #[test]
    fn a_segment_is_mapped_by_its_whole_path() {
        let maps = "7f00-7f10 rw-s 00000000 00:17 9 /dev/shm/diya-0-1/n.5.9.seg\n";
        assert!(is_mapped(maps, Path::new("/dev/shm/diya-0-1/n.5.9.seg")));
        assert!(!is_mapped(maps, Path::new("/dev/shm/diya-0-2/n.5.9.seg")));
    }

    #[test]
    fn a_folder_that_is_gone_has_none() {
        assert_eq!(still_running(Path::new("/nonexistent")), []);
    }
}
