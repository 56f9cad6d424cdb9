//! Old ids and mount points, and what they become.

use super::{Keyed, is_general};
use diya_tables::{TableId, Tables, file, mount, record_id};
use std::collections::{HashMap, HashSet};

/// New names of everything that has an id.
pub(super) struct Names {
    by_id: HashMap<u64, (u64, String)>,
    mounts: HashMap<String, String>,
}

impl Names {
    pub fn of(tables: &Tables, keyed: &Keyed, keeps_mounts: bool) -> Self {
        let mut names = Self { by_id: HashMap::new(), mounts: HashMap::new() };
        if let Some(mounts) = tables.table(TableId::Mount) {
            for row in 0..mounts.rows() {
                let point = mounts.str(mount::MOUNT, row).unwrap_or_default();
                let is_kept = keeps_mounts || point == "/";
                let new =
                    if is_kept { point.into() } else { format!("/{}", keyed.text("mount", point)) };
                names.mounts.insert(point.into(), new);
            }
        }
        let Some(files) = tables.table(TableId::File) else { return names };
        let path = |row| files.str(file::PATH, row).unwrap_or_default();
        let all: HashSet<&str> = (0..files.rows()).map(path).collect();
        for row in 0..files.rows() {
            let id = files.u64(file::FILE_ID, row).unwrap_or(0);
            let mount = files.str(file::MOUNT, row);
            let new = names.name(path(row), mount, &all, keyed);
            let new_id = match new.as_str() {
                "" => keyed.number("id", &id.to_le_bytes()),
                name => record_id(name.as_bytes()),
            };
            names.by_id.insert(id, (new_id, new));
        }
        names
    }

    fn name(&self, path: &str, mount: Option<&str>, all: &HashSet<&str>, keyed: &Keyed) -> String {
        if path.is_empty() || is_general(path) {
            return path.into();
        }
        // An object of a file is named `file:object`; names may hold colons, too.
        let mut places = path.match_indices(':').map(|(at, _)| at);
        if let Some(at) = places.rfind(|&at| all.contains(&path[..at])) {
            let of_file = self.name(&path[..at], mount, all, keyed);
            return format!("{of_file}:{}", keyed.text("object", &path[at + 1..]));
        }
        let on = mount.and_then(|mount| self.mounts.get(mount)).map_or("", String::as_str);
        format!("{}/{}", on.trim_end_matches('/'), keyed.text("path", path))
    }

    /// The new id; ids without a name record stay, as they tell no name.
    pub fn id(&self, id: u64) -> u64 {
        self.by_id.get(&id).map_or(id, |(new, _)| *new)
    }

    pub fn name_of(&self, id: u64) -> Option<&str> {
        self.by_id.get(&id).map(|(_, name)| name.as_str())
    }

    pub fn mount(&self, point: &str) -> Option<&str> {
        self.mounts.get(point).map(String::as_str)
    }
}
