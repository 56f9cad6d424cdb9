//! The comment lines for people. The originals have other words for the same.
//!
//! What a counter means is said once, in the table definitions; families such
//! as the size bins, which differ in one part of the name, share a line.
//! Counters go by the names of their columns, in small letters: a script that
//! looks for `POSIX_BYTES_READ` must find counters only.

use super::modules::{Module, Printer};
use super::notes;
use super::text::Text;
use diya_tables::{ColumnDef, TableDef, TableId};

/// What the fields of a counter line are.
pub(super) fn columns(text: &mut Text<'_>) {
    text.str("\n# description of columns:\n");
    for (field, meaning) in [
        ("<module>", "part of Darshan that made the record."),
        ("<rank>", "MPI rank; -1: one record for all ranks of the job."),
        ("<record id>", "hash of the name."),
        ("<counter> and <value>", "what was measured; -1: not available."),
        ("<file name>", "name as recorded, mostly a path."),
        ("<mount pt>", "first mount point above that the name starts with."),
        ("<fs type>", "type of the file system mounted there."),
    ] {
        text.str("#   ").str(field).str(": ").str(meaning).str("\n");
    }
}

/// The line above the records of a module.
pub(super) fn header(text: &mut Text<'_>) {
    text.str("\n#<module>\t<rank>\t<record id>\t<counter>\t<value>");
    text.str("\t<file name>\t<mount pt>\t<fs type>\n");
}

/// Records of the module are missing.
pub(super) fn incomplete(text: &mut Text<'_>, module: &str) {
    text.str("\n# *WARNING*: The ").str(module).str(" module contains incomplete data!\n");
    text.str("#   Darshan had no memory left for more records of it. Fewer files to watch\n");
    text.str("#   (DARSHAN_EXCLUDE_DIRS) or more memory (DARSHAN_MODMEM) would help.\n");
}

/// Why there are no file counts and no bandwidth.
pub(super) fn no_bytes(text: &mut Text<'_>) {
    text.str("\n# The log does not say how many bytes these calls moved: there are no file\n");
    text.str("# counts and no performance.\n");
}

/// The sums that follow hold numbers of bytes that cannot be.
pub(super) fn overflow(text: &mut Text<'_>) {
    text.str("\n# Some records count fewer than 0 bytes: Darshan's counter went over. The bytes\n");
    text.str("# and the performance below are sums of these numbers, as they are in the log.\n");
}

/// What the kinds of files in the `--file` lines are.
pub(super) fn file_kinds(text: &mut Text<'_>) {
    text.str("\n# Total file counts\n# -----\n");
    for (field, meaning) in [
        ("<file_type>", "how the files were used:"),
        ("   *read_only", "bytes were read, none written"),
        ("   *write_only", "bytes were written, none read"),
        ("   *read_write", "both"),
        ("   *unique", "one process has a record"),
        ("   *shared", "several or all processes have one"),
        ("<file_count>", "files of this kind"),
        ("<total_bytes>", "bytes read and written"),
        ("<max_byte_offset>", "highest offset reached; -1: the module does not count it"),
    ] {
        text.str("# ").str(field).str(": ").str(meaning).str("\n");
    }
    text.str("\n# <file_type> <file_count> <total_bytes> <max_byte_offset>\n");
}

/// What the columns of a file list are.
pub(super) fn file_list(text: &mut Text<'_>, is_detailed: bool) {
    text.str("\n# Per-file summary of I/O activity");
    text.str(if is_detailed { " (detailed).\n# -----\n" } else { ".\n# -----\n" });
    let short = [
        ("<record_id>", "hash of the name"),
        ("<file_name>", "name as recorded"),
        ("<nprocs>", "processes with a record of it"),
        ("<slowest>", "seconds in calls of the slowest process"),
        ("<avg>", "seconds in calls, mean over the processes"),
    ];
    let long = [
        ("<start_*>", "when the first such call started, in seconds"),
        ("<end_*>", "when the last such call ended, in seconds"),
        ("<*_opens>", "open calls"),
        ("<*_SIZE_*>", "requests by size"),
    ];
    let long = if is_detailed { &long[..] } else { &[] };
    for (field, meaning) in short.iter().chain(long) {
        text.str("# ").str(field).str(": ").str(meaning).str("\n");
    }
}

/// What the counters of a module are, and what to know about this version.
pub(super) fn counters(text: &mut Text<'_>, module: &Module<'_>) {
    let Some((title, def)) = described(module) else { return };
    text.str("\n# description of ").str(title).str(" counters:\n");
    match module.printer {
        Printer::Heatmap => {
            text.str("#   bin_width_seconds: length of a bin in seconds.\n");
            text.str("#   read_bin_*, write_bin_*: bytes moved in the bin.\n");
        }
        Printer::Lustre => {
            text.str("#   num_components: components of the layout.\n");
            text.str("#   num_stripes: targets of all components.\n");
            families(text, def);
            text.str("#   pool_name: OST pool.\n");
            text.str("#   ost_id_*: object storage targets, in stripe order.\n");
        }
        _ => families(text, def),
    }
    for note in notes::of(module) {
        text.str("\n");
        for line in note {
            text.str("# ").str(line).str("\n");
        }
    }
}

fn described(module: &Module<'_>) -> Option<(&'static str, &'static TableDef)> {
    let (title, id) = match module.printer {
        Printer::Counters(id) => (title(id), id),
        Printer::Lustre => ("LUSTRE", TableId::LustreComponent),
        Printer::Mdhim => ("MDHIM", TableId::Mdhim),
        Printer::Apmpi => ("APMPI", TableId::Apmpi),
        Printer::Heatmap => ("heatmap", TableId::Heatmap),
        Printer::Dxt | Printer::Opaque => return None,
    };
    Some((title, id.def()))
}

fn title(id: TableId) -> &'static str {
    match id {
        TableId::Posix => "POSIX",
        TableId::Mpiio => "MPIIO",
        TableId::Stdio => "STDIO",
        TableId::Hdf5File | TableId::Hdf5Dataset => "HDF5",
        TableId::PnetcdfFile | TableId::PnetcdfVar => "PnetCDF",
        TableId::Bgq => "BGQ",
        TableId::Dfs => "DFS",
        TableId::Daos => "DAOS",
        _ => "",
    }
}

/// One line per family of counters, with the words for its first member.
fn families(text: &mut Text<'_>, def: &TableDef) {
    // The id of the file that holds an object is printed, but is no counter.
    let is_shown = |c: &&ColumnDef| c.darshan.is_some() || c.name == "file_rec_id";
    let mut seen: Vec<(String, &ColumnDef, &str)> = Vec::new();
    for column in def.columns.iter().filter(is_shown) {
        let family = family(column.darshan.unwrap_or(column.name));
        match seen.iter_mut().find(|(known, ..)| *known == family) {
            Some((_, _, last)) => *last = column.name,
            None => seen.push((family, column, column.name)),
        }
    }
    for (_, first, last) in seen {
        text.str("#   ").str(first.name);
        if first.name == last {
            text.str(": ").str(first.doc).str(".\n");
        } else {
            text.str(" to ").str(last).str(": ").str(first.doc).str("; the others alike.\n");
        }
    }
}

/// The name with what distinguishes the members of a family taken out.
fn family(name: &str) -> String {
    // MPI_SEND_CALL_COUNT and MPI_RECV_CALL_COUNT differ in the call.
    let calls = [
        "_CALL_COUNT",
        "_TOTAL_BYTES",
        "_TOTAL_TIME",
        "_MIN_TIME",
        "_MAX_TIME",
        "_TOTAL_SYNC_TIME",
    ];
    if name.starts_with("MPI_") && !name.starts_with("MPI_TOTAL_") {
        let end = calls.iter().find(|end| name.ends_with(**end));
        return format!("MPI_*{}", end.unwrap_or(&"_MSG_SIZE_AGG_*"));
    }
    for bins in ["_SIZE_READ_", "_SIZE_WRITE_"] {
        if let Some(at) = name.find(bins) {
            return format!("{}*", &name[..at + bins.len()]);
        }
    }
    // ACCESS1_LENGTH_D2, STRIDE3_COUNT, CHUNK_SIZE_D5 differ in their numbers.
    name.chars().filter(|c| !c.is_ascii_digit()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(id: TableId) -> Vec<String> {
        let mut out = Vec::new();
        let mut text = Text::new(&mut out);
        families(&mut text, id.def());
        text.finish().expect("a vector takes everything");
        String::from_utf8(out).expect("text").lines().map(str::to_string).collect()
    }

    #[test]
    fn a_family_of_counters_is_one_line() {
        let lines = lines(TableId::Posix);
        let bins = "#   size_read_0_100 to size_read_1g_plus: ";
        assert_eq!(lines.iter().filter(|l| l.contains("size_read")).count(), 1);
        assert!(lines.iter().any(|l| l.starts_with(bins)), "{lines:#?}");
        assert!(lines.iter().any(|l| l.starts_with("#   opens: ")), "{lines:#?}");
    }

    #[test]
    fn no_module_needs_more_lines_than_a_screen_or_two() {
        for id in [TableId::Posix, TableId::Hdf5Dataset, TableId::PnetcdfVar, TableId::Apmpi] {
            let lines = lines(id);
            assert!(lines.len() < 75, "{}: {lines:#?}", id.def().name);
        }
    }

    #[test]
    fn no_line_names_a_counter_as_scripts_do() {
        for id in [TableId::Posix, TableId::Hdf5Dataset, TableId::Apmpi, TableId::Daos] {
            let all = lines(id).join("\n");
            let named = id.def().columns.iter().filter_map(|c| c.darshan);
            assert_eq!(named.filter(|name| all.contains(name)).count(), 0, "{all}");
        }
    }

    #[test]
    fn every_counter_is_in_a_line() {
        let all = lines(TableId::Hdf5Dataset).join("\n");
        for name in ["opens:", "access1_length_d1", "chunk_size_d1", "f_meta_time:", "file_rec_id:"]
        {
            assert!(all.contains(name), "no {name} in\n{all}");
        }
    }
}
