//! Name, mount point and file system behind a record id, as the originals see them.
//!
//! They do not look at path components: a mount point `/home` also holds
//! `/home2/x`. Table `file` knows better, but the text has to be the same.

use diya_tables::{TableBuilder, TableId, Tables, file, mount};
use std::collections::HashMap;

/// What the originals print where they know no mount point.
const UNKNOWN: &str = "UNKNOWN";

/// Where a record belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RecordName<'t> {
    pub name: &'t str,
    pub mount: &'t str,
    pub fs_type: &'t str,
}

/// Names and mount points of a log.
pub(super) struct Names<'t> {
    files: Option<&'t TableBuilder>,
    rows: HashMap<u64, usize>,
    /// Longest first, else in the order of the log.
    mounts: Vec<(&'t str, &'t str)>,
}

impl<'t> Names<'t> {
    pub fn of(tables: &'t Tables) -> Self {
        let files = tables.table(TableId::File);
        let rows = files.map_or(0, TableBuilder::rows);
        let id = |row| files.and_then(|t| t.u64(file::FILE_ID, row));
        // The first name of an id counts.
        let rows = (0..rows).rev().filter_map(|row| Some((id(row)?, row))).collect();
        Self { files, rows, mounts: mounts_of(tables) }
    }

    /// Mount points and their types in the order they are printed and matched.
    pub fn mounts(&self) -> &[(&'t str, &'t str)] {
        &self.mounts
    }

    /// Name of the record; `None`: the log has none, not even an empty one.
    pub fn name(&self, id: u64) -> Option<&'t str> {
        let row = *self.rows.get(&id)?;
        Some(self.files.and_then(|t| t.str(file::PATH, row)).unwrap_or(""))
    }

    /// The record id behind a name.
    pub fn id_of(&self, name: &str) -> Option<u64> {
        let files = self.files?;
        let row = (0..files.rows()).find(|row| files.str(file::PATH, *row) == Some(name))?;
        files.u64(file::FILE_ID, row)
    }

    /// Where the record belongs; a nameless one is called `nameless`.
    pub fn place(&self, id: u64, nameless: &'t str) -> RecordName<'t> {
        let known = self.name(id);
        let on = self.device_mount(id).or_else(|| {
            let holds = |mount: &&(&str, &str)| known.is_some_and(|name| name.starts_with(mount.0));
            self.mounts.iter().find(holds).copied()
        });
        let (mount, fs_type) = on.unwrap_or((UNKNOWN, UNKNOWN));
        RecordName { name: known.unwrap_or(nameless), mount, fs_type }
    }

    /// Mount point of a file of which the log contains only the end of the path:
    /// legacy logs name the device instead, and the reader has looked it up.
    fn device_mount(&self, id: u64) -> Option<(&'t str, &'t str)> {
        let (files, row) = self.files.zip(self.rows.get(&id).copied())?;
        let mount = files.str(file::MOUNT, row).zip(files.str(file::FS_TYPE, row))?;
        files.bool(file::IS_PATH_SUFFIX, row).filter(|is_suffix| *is_suffix).map(|_| mount)
    }
}

fn mounts_of(tables: &Tables) -> Vec<(&str, &str)> {
    let Some(table) = tables.table(TableId::Mount) else { return Vec::new() };
    let mut mounts: Vec<(&str, &str)> = (0..table.rows())
        .filter_map(|row| Some((table.str(mount::MOUNT, row)?, table.str(mount::FS_TYPE, row)?)))
        .collect();
    mounts.sort_by_key(|(mount, _)| std::cmp::Reverse(mount.len()));
    mounts
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_tables::{FileRow, MountRow};

    fn tables_with(mounts: &[&str], files: &[(u64, Option<&str>)]) -> Tables {
        let mut tables = Tables::new();
        for mount in mounts {
            tables.push_mount(MountRow { log: 0, mount, fs_type: "ext4" });
        }
        for &(file_id, path) in files {
            let (mount, fs_type) = (None, None);
            let is_path_suffix = false;
            tables.push_file(FileRow {
                log: 0,
                file_id,
                path,
                mount,
                fs_type,
                is_path_suffix,
                kind: None,
                parent_id: None,
            });
        }
        tables
    }

    #[test]
    fn the_longest_mount_point_wins_and_need_not_end_at_a_slash() {
        let tables = tables_with(&["/", "/home"], &[(1, Some("/home2/x")), (2, Some("/tmp/x"))]);
        let names = Names::of(&tables);
        assert_eq!(names.place(1, "").mount, "/home");
        assert_eq!(names.place(2, "").mount, "/");
    }

    #[test]
    fn a_name_that_is_no_path_is_on_no_mount_point() {
        let tables = tables_with(&["/"], &[(1, Some("<STDOUT>"))]);
        let place = Names::of(&tables).place(1, "");
        assert_eq!((place.name, place.mount, place.fs_type), ("<STDOUT>", UNKNOWN, UNKNOWN));
    }

    #[test]
    fn the_end_of_a_path_is_on_the_mount_point_of_its_device() {
        let mut tables = tables_with(&["/"], &[]);
        let (path, mount, fs_type) = (Some("st.dat"), Some("/scratch"), Some("pvfs2"));
        let is_path_suffix = true;
        tables.push_file(FileRow {
            log: 0,
            file_id: 1,
            path,
            mount,
            fs_type,
            is_path_suffix,
            kind: None,
            parent_id: None,
        });
        let place = Names::of(&tables).place(1, "");
        assert_eq!((place.mount, place.fs_type), ("/scratch", "pvfs2"));
    }

    #[test]
    fn an_empty_name_is_not_a_missing_one() {
        let tables = tables_with(&["/"], &[(1, None)]);
        let names = Names::of(&tables);
        assert_eq!(names.place(1, "(null)").name, "");
        assert_eq!(names.place(2, "(null)").name, "(null)");
    }
}
