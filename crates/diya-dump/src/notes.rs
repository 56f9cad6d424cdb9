//! What to know about the counters of a version: what old records lack, and
//! the traps of the newest.
//!
//! Source: the description functions of the darshan-*-logutils.c.

use super::modules::Module;

/// Does the note apply, and its lines.
type Note = (bool, &'static [&'static str]);

/// Notes that apply to this version of a module, each as its lines.
pub(super) fn of(module: &Module<'_>) -> impl Iterator<Item = &'static [&'static str]> {
    all(module).into_iter().filter(|(applies, _)| *applies).map(|(_, lines)| lines)
}

/// All notes on a module.
fn all(module: &Module<'_>) -> Vec<Note> {
    // A format without versions of records is older than all of them.
    let version = module.version.unwrap_or(0);
    match module.name {
        "POSIX" => vec![
            (
                version == 1,
                &[
                    "WARNING: version 1 counted only part of the stream calls (fopen and so on);",
                    "records of files opened that way are left out here.",
                ],
            ),
            (
                version <= 2,
                &[
                    "WARNING: records before version 3 have no f_close_start_timestamp and no",
                    "f_open_end_timestamp.",
                ],
            ),
            (
                version <= 3,
                &["WARNING: records before version 4 have no filenos, dups and rename*."],
            ),
            (version >= 4, &["WARNING: opens includes filenos and dups."]),
            (
                version >= 4,
                &[
                    "WARNING: counters that depend on the file offset can be wrong where a file is",
                    "used through POSIX and STDIO at the same time.",
                ],
            ),
        ],
        "MPI-IO" => vec![
            (version == 1, &["WARNING: f_write_start_timestamp of version 1 can be wrong."]),
            (
                version <= 2,
                &[
                    "WARNING: records before version 3 have no f_close_start_timestamp and no",
                    "f_open_end_timestamp.",
                ],
            ),
        ],
        "STDIO" => vec![
            (version == 1, &["WARNING: version 1 does not count fdopen (fdopens)."]),
            (version >= 2, &["WARNING: opens includes fdopens."]),
            (
                version >= 2,
                &[
                    "WARNING: max_byte_* can be wrong where a file is used through STDIO and",
                    "POSIX at the same time.",
                ],
            ),
        ],
        "H5F" => vec![
            (
                version == 1,
                &[
                    "WARNING: version 1 has no f_close_start_timestamp and no",
                    "f_open_end_timestamp.",
                ],
            ),
            (
                version <= 2,
                &["WARNING: records before version 3 have no flushes, use_mpiio and f_meta_time."],
            ),
        ],
        "H5D" => vec![(version == 1, &["WARNING: version 1 has no file_rec_id."])],
        "PNETCDF_FILE" => vec![
            (
                version == 1,
                &[
                    "WARNING: version 1 has no f_close_start_timestamp and no",
                    "f_open_end_timestamp.",
                ],
            ),
            (
                version <= 2,
                &[
                    "WARNING: records before version 3 count opens and nothing else; they time opens",
                    "and closes only.",
                ],
            ),
        ],
        _ => Vec::new(),
    }
}
