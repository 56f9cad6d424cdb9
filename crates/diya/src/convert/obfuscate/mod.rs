//! Names replaced by keyed hashes, so that a log can be given away.
//!
//! The same key gives the same names, in all logs; without the key a guess cannot
//! be tested. Kept: all counters, times, ranks, sizes, file system types,
//! functions and layers; that two names were equal; which object lies in which
//! file and which file on which mount. Replaced: paths, objects, mount points,
//! executable, command line, user, job id, hosts, pools. Dropped: hints,
//! metadata but the library version, and tables that name things elsewhere.

mod names;
mod tables;

use diya_tables::{CallTable, NameId, TableId, Tables};
use names::Names;
use siphasher::sip128::{Hasher128 as _, SipHasher24};
use std::collections::HashMap;
use std::hash::Hasher as _;

/// How to replace names.
#[derive(Debug, Clone)]
pub struct Obfuscation {
    /// The secret.
    pub key: String,
    /// Keep mount points as they are.
    pub keeps_mounts: bool,
}

/// Hashes under a key: SipHash-2-4, of which 64 bits are shown.
pub(super) struct Keyed {
    key: [u8; 16],
}

impl Keyed {
    pub fn new(key: &str) -> Self {
        let mut hasher = SipHasher24::new();
        hasher.write(key.as_bytes());
        Self { key: hasher.finish128().as_bytes() }
    }

    /// `kind` keeps a host and a path of the same name apart.
    pub fn number(&self, kind: &str, value: &[u8]) -> u64 {
        let mut hasher = SipHasher24::new_with_key(&self.key);
        hasher.write(kind.as_bytes());
        hasher.write(&[0]);
        hasher.write(value);
        hasher.finish128().h1
    }

    pub fn text(&self, kind: &str, value: &str) -> String {
        format!("{:016x}", self.number(kind, value.as_bytes()))
    }

    /// A number that fits where user and job ids are kept (31 bits).
    pub fn id(&self, kind: &str, value: i64) -> i64 {
        i64::try_from(self.number(kind, &value.to_le_bytes()) >> 33).unwrap_or(0)
    }
}

/// Replaces the names in all tables.
pub(super) fn obfuscate(tables: &mut Tables, obfuscation: &Obfuscation) {
    let keyed = Keyed::new(&obfuscation.key);
    let names = Names::of(tables, &keyed, obfuscation.keeps_mounts);
    for id in TableId::ALL {
        let Some(table) = tables.take(id) else { continue };
        if let Some(renamed) = tables::renamed(id, &table, &names, &keyed) {
            tables.put_back(id, renamed);
        }
    }
    let calls = std::mem::take(&mut tables.calls);
    tables.calls = renamed_calls(&calls, &names, &keyed);
}

/// The same calls under new ids and on new hosts.
fn renamed_calls(calls: &CallTable, names: &Names, keyed: &Keyed) -> CallTable {
    let mut out = CallTable::default();
    let mut known: HashMap<NameId, NameId> = HashMap::new();
    for chunk in calls.chunks() {
        let mut from = 0;
        for run in &chunk.runs {
            let mut run = *run;
            run.file_id = names.id(run.file_id);
            run.host = run.host.map(|host| {
                *known
                    .entry(host)
                    .or_insert_with(|| out.name_id(&keyed.text("host", calls.name(host))))
            });
            // Functions and errors tell nothing of the user.
            run.function = run.function.map(|name| out.name_id(calls.name(name)));
            run.error = run.error.map(|name| out.name_id(calls.name(name)));
            (from..from + run.len).for_each(|call| out.push(run, chunk.call(call)));
            from += run.len;
        }
    }
    out
}

/// Names that say what a file is, not whose.
fn is_general(name: &str) -> bool {
    matches!(name, "<STDIN>" | "<STDOUT>" | "<STDERR>") || name.starts_with("heatmap:")
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_tables::{CallRun, FileRow, Layer, MountRow, Op, file, record_id};

    fn log() -> Tables {
        let mut tables = Tables::new();
        tables.push_mount(MountRow { log: 0, mount: "/scratch", fs_type: "lustre" });
        for path in ["/scratch/alice/a.h5", "/scratch/alice/a.h5:/grid", "<STDOUT>"] {
            let file_id = record_id(path.as_bytes());
            let mount = path.starts_with("/scratch").then_some("/scratch");
            tables.push_file(FileRow {
                log: 0,
                file_id,
                path: Some(path),
                mount,
                fs_type: mount.map(|_| "lustre"),
                is_path_suffix: false,
                kind: None,
                parent_id: None,
            });
        }
        let id = record_id(b"/scratch/alice/a.h5");
        let host = Some(tables.calls.name_id("alices-laptop"));
        let run = CallRun { host, ..CallRun::new(0, Layer::Posix, Op::Write, id, 3) };
        tables.calls.push(run, diya_tables::Call { size_bytes: 8, ..Default::default() });
        tables
    }

    fn hidden(key: &str, keeps_mounts: bool) -> (Tables, Vec<String>) {
        let mut tables = log();
        obfuscate(&mut tables, &Obfuscation { key: key.into(), keeps_mounts });
        let files = tables.table(TableId::File).expect("files");
        let paths = (0..files.rows()).map(|r| files.str(file::PATH, r).unwrap_or("").to_string());
        let paths = paths.collect();
        (tables, paths)
    }

    #[test]
    fn ids_are_those_of_the_new_names_everywhere() {
        let (tables, paths) = hidden("secret", false);
        let id = record_id(paths[0].as_bytes());
        let files = tables.table(TableId::File).expect("files");
        assert_eq!(files.u64(file::FILE_ID, 0), Some(id));
        assert_eq!(tables.calls.chunk(0).runs[0].file_id, id);
    }

    #[test]
    fn nothing_of_the_names_is_left() {
        let (tables, paths) = hidden("secret", false);
        assert!(paths.iter().all(|path| !path.contains("alice") && !path.contains("scratch")));
        let host = tables.calls.chunk(0).runs[0].host.expect("a host");
        assert!(!tables.calls.name(host).contains("alice"));
    }

    #[test]
    fn what_names_had_in_common_stays() {
        let (_, paths) = hidden("secret", false);
        assert!(paths[1].starts_with(&format!("{}:", paths[0])), "an object lies in its file");
        assert_eq!(paths[2], "<STDOUT>");
    }

    #[test]
    fn a_mount_point_is_kept_on_request_only() {
        let (_, kept) = hidden("secret", true);
        assert!(kept[0].starts_with("/scratch/"));
        assert!(!kept[0].contains("alice"));
    }

    #[test]
    fn the_key_decides_the_names() {
        assert_eq!(hidden("secret", false).1, hidden("secret", false).1);
        assert_ne!(hidden("secret", false).1, hidden("other", false).1);
    }
}
