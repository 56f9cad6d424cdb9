//! Which files an ingest looks at: folders, day folders, archives, lists.
//!
//! Entries come in the order of their names, one folder at a time: a tree of any size
//! needs the memory of its largest folder.

use crate::FleetError;
use crate::names::Names;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// One of `of` equal parts of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// From 1.
    pub number: u32,
    /// How many there are.
    pub of: u32,
}

impl Default for Shard {
    fn default() -> Self {
        Self { number: 1, of: 1 }
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts =
            text.split_once('/').and_then(|(n, of)| Some((n.parse().ok()?, of.parse().ok()?)));
        let shard = parts.map(|(number, of)| Self { number, of });
        let shard = shard.filter(|shard| (1..=shard.of).contains(&shard.number));
        shard.ok_or_else(|| format!("{text} is no shard; examples: 1/8, 8/8"))
    }
}

impl Shard {
    /// Whether a file belongs to it. It depends on its path alone, so that every run
    /// and every node agrees.
    pub fn holds(self, path: &str) -> bool {
        let plain = Names::new(&crate::Anonymity::default());
        let hash = plain.hash("shard", path.as_bytes()).cast_unsigned();
        self.of <= 1 || hash % u64::from(self.of) == u64::from(self.number - 1)
    }
}

/// A day: only logs from there on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Since {
    /// Year, month, day.
    pub day: (i16, i8, i8),
    /// Its start, nanoseconds since 1970 UTC.
    pub ns: i64,
}

impl std::str::FromStr for Since {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let day: jiff::civil::Date =
            text.parse().map_err(|_| format!("{text} is no date; example: 2026-03-31"))?;
        let start = day.to_zoned(jiff::tz::TimeZone::UTC).map_err(|e| e.to_string())?;
        let ns = i64::try_from(start.timestamp().as_nanosecond()).map_err(|e| e.to_string())?;
        Ok(Self { day: (day.year(), day.month(), day.day()), ns })
    }
}

/// Something that may be a log, or an archive of logs.
#[derive(Debug, Clone)]
pub struct Candidate {
    pub path: PathBuf,
    pub size_bytes: u64,
    /// Nanoseconds since 1970 UTC.
    pub mtime: i64,
    pub is_archive: bool,
}

/// What a walk comes across.
pub enum Found {
    File(Candidate),
    /// A file or folder that cannot be looked at, and why.
    Unreadable(PathBuf, std::io::Error),
}

/// The file name decides what is an archive. Opening each of a million files once more would
/// double the requests to the file system, which limit the speed.
const ARCHIVES: [&str; 7] = [".tar", ".tar.gz", ".tgz", ".zip", ".sqsh", ".sqfs", ".squashfs"];

fn is_archive(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase());
    name.is_some_and(|name| ARCHIVES.iter().any(|ending| name.ends_with(ending)))
}

/// Visits every file below the paths; ends early when `visit` says false.
pub fn walk(
    paths: &[PathBuf],
    since: Option<Since>,
    visit: &mut dyn FnMut(Found) -> bool,
) -> Result<(), FleetError> {
    for path in paths {
        let named = |source| FleetError::Input { path: path.clone(), source };
        let path = std::path::absolute(path).map_err(named)?;
        let about = std::fs::metadata(&path).map_err(named)?;
        let goes_on = if about.is_dir() {
            folder(&path, since, visit)
        } else {
            visit(Found::File(candidate(path, &about)))
        };
        if !goes_on {
            break;
        }
    }
    Ok(())
}

fn candidate(path: PathBuf, about: &std::fs::Metadata) -> Candidate {
    let is_archive = is_archive(&path);
    Candidate { is_archive, size_bytes: about.len(), mtime: mtime_ns(about), path }
}

/// When a file was changed last, nanoseconds since 1970 UTC; 0: the file system does not know.
pub fn mtime_ns(about: &std::fs::Metadata) -> i64 {
    let time = about.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    time.and_then(|time| i64::try_from(time.as_nanos()).ok()).unwrap_or(0)
}

fn folder(path: &Path, since: Option<Since>, visit: &mut dyn FnMut(Found) -> bool) -> bool {
    let is_before = |since: Since| day_of(path).is_some_and(|day| is_over(day, since.day));
    if since.is_some_and(is_before) {
        return true;
    }
    let entries = match std::fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) => return visit(Found::Unreadable(path.to_path_buf(), error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        match entry {
            Ok(entry) => names.push(entry.file_name()),
            Err(error) => {
                if !visit(Found::Unreadable(path.to_path_buf(), error)) {
                    return false;
                }
            }
        }
    }
    // Numbers by their value: day 10 comes after day 9.
    names.sort_by_cached_key(|name| {
        let text = name.to_string_lossy().into_owned();
        (text.parse::<u64>().unwrap_or(u64::MAX), text)
    });
    for name in names {
        let below = path.join(name);
        // Links to folders are not followed: they can lead back.
        let about = match std::fs::symlink_metadata(&below) {
            Ok(about) if about.is_symlink() => match std::fs::metadata(&below) {
                Ok(target) if target.is_dir() => continue,
                Ok(target) => target,
                Err(error) => {
                    if !visit(Found::Unreadable(below, error)) {
                        return false;
                    }
                    continue;
                }
            },
            Ok(about) => about,
            // It was removed since the folder was read.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => {
                if !visit(Found::Unreadable(below, error)) {
                    return false;
                }
                continue;
            }
        };
        let goes_on = if about.is_dir() {
            folder(&below, since, visit)
        } else if about.is_file() {
            let found = candidate(below, &about);
            let is_old = |since: Since| day_of(&found.path).is_none() && found.mtime < since.ns;
            since.is_some_and(is_old) || visit(Found::File(found))
        } else {
            // Pipes and devices are no logs, and reading them may never end.
            true
        };
        if !goes_on {
            return false;
        }
    }
    true
}

/// Year, month and day of a path below `YYYY/M/D`, the last of which may be missing.
fn day_of(path: &Path) -> Option<(i16, Option<i8>, Option<i8>)> {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    let number = |text: Option<&&str>, most: i8| {
        text.and_then(|text| text.parse::<i8>().ok()).filter(|n| (1..=most).contains(n))
    };
    // The last year in the path: folders above may be numbers as well.
    (0..parts.len()).rev().find_map(|at| {
        let is_year = |text: &&&str| text.len() == 4;
        let year = parts.get(at).filter(is_year)?.parse::<i16>().ok();
        let year = year.filter(|year| (1990..=2200).contains(year))?;
        let month = number(parts.get(at + 1), 12);
        let day = month.and_then(|_| number(parts.get(at + 2), 31));
        let is_date = month.is_some() || at + 1 == parts.len();
        is_date.then_some((year, month, day))
    })
}

/// Whether a year, month or day lies wholly before a day.
fn is_over(of: (i16, Option<i8>, Option<i8>), since: (i16, i8, i8)) -> bool {
    (of.0, of.1.unwrap_or(i8::MAX), of.2.unwrap_or(i8::MAX)) < since
}

/// The paths in a list, one a line.
pub fn listed(list: &Path) -> Result<Vec<PathBuf>, FleetError> {
    let named = |source| FleetError::Input { path: list.to_path_buf(), source };
    let text = if list == Path::new("-") {
        std::io::read_to_string(std::io::stdin()).map_err(named)?
    } else {
        std::fs::read_to_string(list).map_err(named)?
    };
    Ok(text.lines().map(str::trim).filter(|line| !line.is_empty()).map(PathBuf::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_folders_have_a_date() {
        let of = |path: &str| day_of(Path::new(path));
        assert_eq!(of("/logs/2024/3/12/a.darshan"), Some((2024, Some(3), Some(12))));
        assert_eq!(of("/logs/2024/3"), Some((2024, Some(3), None)));
        assert_eq!(of("/logs/2024"), Some((2024, None, None)));
        assert_eq!(of("/logs/2024/x/a.darshan"), None);
        assert!(is_over((2024, Some(2), Some(28)), (2024, 3, 1)));
        assert!(!is_over((2024, Some(3), None), (2024, 3, 12)));
        assert!(!is_over((2024, None, None), (2024, 3, 12)));
    }

    #[test]
    fn every_file_is_in_one_shard() {
        for path in ["/a", "/b", "/c", "/d"] {
            let of = |number| Shard { number, of: 3 }.holds(path);
            assert_eq!((1..=3).filter(|number| of(*number)).count(), 1);
        }
    }

    #[test]
    fn a_shard_is_two_numbers() {
        assert_eq!("2/8".parse(), Ok(Shard { number: 2, of: 8 }));
        assert!("0/8".parse::<Shard>().is_err());
        assert!("9/8".parse::<Shard>().is_err());
    }
}
