//! Files of two runs side by side, by patterns of their names.

use super::pattern::{file_name, folder, pattern};
use diya_report::comparison::{FileChange, FileSide};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// So many files of one pattern are listed one by one, if both runs have them.
const ONE_BY_ONE: usize = 8;

/// Patterns that a comparison holds.
const MOST: usize = 1000;

/// One file as one layer saw it.
#[derive(Debug, Clone)]
pub(super) struct FileUse {
    pub path: String,
    pub layer: String,
    pub side: FileSide,
}

/// Layer and name: pattern or path.
type Key = (String, String);

/// The files of both runs, the largest change of time first.
///
/// Files with one pattern are added up. Patterns that only one run has are
/// matched by the name of the file alone, then by the folder alone, where that
/// is certain: a run in another folder is still the same run.
pub(super) fn files(before: &[FileUse], after: &[FileUse]) -> Vec<FileChange> {
    let (mut a, mut b) = grouped(before, after);
    let mut changes = Vec::new();
    for (key, group_a) in std::mem::take(&mut a) {
        match b.remove(&key) {
            Some(group_b) => changes.push(change(key, Some(group_a), Some(group_b))),
            None => {
                a.insert(key, group_a);
            }
        }
    }
    for part in [file_name, folder] {
        for (key_a, key_b) in pairs_by(part, &a, &b) {
            let (group_a, group_b) = (a.remove(&key_a), b.remove(&key_b));
            changes.push(change((key_a.0, joined(&key_a.1, &key_b.1)), group_a, group_b));
        }
    }
    changes.extend(a.into_iter().map(|(key, group)| change(key, Some(group), None)));
    changes.extend(b.into_iter().map(|(key, group)| change(key, None, Some(group))));
    let seconds = |side: &Option<FileSide>| side.and_then(|side| side.time_s).unwrap_or(0.0);
    let moved = |change: &FileChange| (seconds(&change.after) - seconds(&change.before)).abs();
    changes.sort_by(|a, b| moved(b).total_cmp(&moved(a)).then_with(|| a.pattern.cmp(&b.pattern)));
    changes.truncate(MOST);
    changes
}

fn change(key: Key, before: Option<FileSide>, after: Option<FileSide>) -> FileChange {
    FileChange { layer: key.0, pattern: key.1, before, after }
}

/// Both runs by pattern; a few files that both have stay apart.
fn grouped(
    before: &[FileUse],
    after: &[FileUse],
) -> (BTreeMap<Key, FileSide>, BTreeMap<Key, FileSide>) {
    let mut names: HashMap<Key, [BTreeSet<&str>; 2]> = HashMap::new();
    for (side, files) in [before, after].into_iter().enumerate() {
        for file in files {
            let key = (file.layer.clone(), pattern(&file.path));
            names.entry(key).or_default()[side].insert(&file.path);
        }
    }
    let is_apart = |key: &Key| names.get(key).is_some_and(|[a, b]| a.len() <= ONE_BY_ONE && a == b);
    let group = |files: &[FileUse]| {
        let mut groups: BTreeMap<Key, FileSide> = BTreeMap::new();
        for file in files {
            let mut key = (file.layer.clone(), pattern(&file.path));
            if is_apart(&key) {
                key.1.clone_from(&file.path);
            }
            add(groups.entry(key).or_default(), file.side);
        }
        groups
    };
    (group(before), group(after))
}

/// Pairs of patterns that have this part in common, and no third one has it.
fn pairs_by(
    part: fn(&str) -> &str,
    a: &BTreeMap<Key, FileSide>,
    b: &BTreeMap<Key, FileSide>,
) -> Vec<(Key, Key)> {
    let mut by_name: BTreeMap<(String, String), [Vec<&Key>; 2]> = BTreeMap::new();
    for (side, groups) in [a, b].into_iter().enumerate() {
        for key in groups.keys() {
            let name = (key.0.clone(), pattern(part(&key.1)));
            by_name.entry(name).or_default()[side].push(key);
        }
    }
    let pairs = by_name.into_values().filter_map(|[a, b]| match (a.as_slice(), b.as_slice()) {
        ([a], [b]) => Some(((*a).clone(), (*b).clone())),
        _ => None,
    });
    pairs.collect()
}

/// What two paths have in common at their ends, with `*` for what differs.
fn joined(a: &str, b: &str) -> String {
    let parts = |path: &str| path.split('/').map(str::to_owned).collect::<Vec<_>>();
    let (a, b) = (parts(a), parts(b));
    let head = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let most = a.len().min(b.len()) - head;
    let tail = a.iter().rev().zip(b.iter().rev()).take(most).take_while(|(a, b)| a == b).count();
    let mut joined: Vec<&str> = a[..head].iter().map(String::as_str).collect();
    joined.push("*");
    joined.extend(a[a.len() - tail..].iter().map(String::as_str));
    joined.join("/")
}

fn add(sum: &mut FileSide, side: FileSide) {
    fn plus(a: Option<i64>, b: Option<i64>) -> Option<i64> {
        match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (a, b) => a.or(b),
        }
    }
    sum.files += side.files;
    sum.calls = plus(sum.calls, side.calls);
    sum.opens = plus(sum.opens, side.opens);
    sum.bytes_read = plus(sum.bytes_read, side.bytes_read);
    sum.bytes_written = plus(sum.bytes_written, side.bytes_written);
    sum.time_s = match (sum.time_s, side.time_s) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, time_s: f64) -> FileUse {
        let side =
            FileSide { files: 1, calls: Some(10), time_s: Some(time_s), ..FileSide::default() };
        FileUse { path: path.to_owned(), layer: "posix".to_owned(), side }
    }

    fn told(before: &[FileUse], after: &[FileUse]) -> Vec<String> {
        let count = |side: Option<FileSide>| side.map_or(0, |side| side.files);
        let line = |c: &FileChange| format!("{} {} {}", c.pattern, count(c.before), count(c.after));
        files(before, after).iter().map(line).collect()
    }

    #[test]
    fn steps_of_two_runs_are_one_line() {
        let a: Vec<FileUse> = (0..20).map(|n| file(&format!("/job7/step.{n}"), 1.0)).collect();
        let b: Vec<FileUse> = (0..10).map(|n| file(&format!("/job8/step.{n}"), 1.0)).collect();
        assert_eq!(told(&a, &b), ["/job#/step.# 20 10"]);
    }

    #[test]
    fn a_few_files_that_both_have_stay_apart() {
        let both = [file("/in1.nc", 1.0), file("/in2.nc", 2.0)];
        let slower = [file("/in1.nc", 9.0), file("/in2.nc", 2.0)];
        assert_eq!(told(&both, &slower), ["/in1.nc 1 1", "/in2.nc 1 1"]);
    }

    #[test]
    fn another_folder_is_found_by_the_name_of_the_file() {
        let a = [file("/scratch/before/out/a.h5", 1.0), file("/x/only-a", 0.0)];
        let b = [file("/scratch/after/out/a.h5", 2.0), file("/y/only-b", 0.0)];
        assert_eq!(told(&a, &b), ["/scratch/*/out/a.h5 1 1", "/x/only-a 1 0", "/y/only-b 0 1"]);
    }

    #[test]
    fn the_only_new_file_of_a_folder_stands_for_the_only_lost_one() {
        let (a, b) = ([file("/out/slow", 1.0)], [file("/out/fast", 1.0)]);
        assert_eq!(told(&a, &b), ["/out/* 1 1"]);
    }

    #[test]
    fn a_name_that_two_files_have_matches_none() {
        let a = [file("/p/one/a.h5", 1.0), file("/p/two/a.h5", 1.0)];
        let b = [file("/q/three/a.h5", 1.0)];
        assert_eq!(files(&a, &b).len(), 3);
    }
}
