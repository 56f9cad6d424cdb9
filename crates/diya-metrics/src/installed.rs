//! Processes that run an installed program: a tool of the system or of a package manager.
//!
//! Such a program is called for what it does. Packing and formatting are its task there,
//! which its user cannot change in the code: computing, no fault of the I/O.

use crate::rows;
use diya_tables::{BatchSource, TableBuilder, process};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Folders that only the system's package manager fills.
const SYSTEM_FOLDERS: &[&str] = &[
    "/usr/bin/",
    "/usr/sbin/",
    "/usr/games/",
    "/usr/lib/",
    "/usr/lib64/",
    "/usr/libexec/",
    "/bin/",
    "/sbin/",
    "/snap/",
    "/nix/store/",
    "/gnu/store/",
];

/// Parts of paths below which other package managers keep programs.
const PACKAGE_FOLDERS: &[&str] =
    &["/spack/", "conda/", "conda3/", "/mambaforge/", "/micromamba/", "/easybuild/software/"];

/// These run what their users wrote.
const INTERPRETERS: &[&str] = &[
    "python", "pypy", "perl", "ruby", "julia", "java", "node", "R", "Rscript", "octave", "gnuplot",
    "lua", "tclsh", "php", "guile", "sh", "bash", "dash", "zsh", "ksh", "csh", "tcsh", "fish",
    "busybox",
];

/// Installed programs.
#[derive(Debug, Default)]
pub(crate) struct Installed {
    /// Executables, by log and rank.
    ranks: BTreeMap<(i32, i32), String>,
    /// Processes, by log and number: a rank may have started one.
    processes: BTreeSet<(i32, i32)>,
}

diya_tables::columns! {
    struct Executables of process { log: i32, process: i32, rank: i32, exe: str, ended: str }
}

impl Installed {
    /// From table `process`. A process that executes one program after the other counts
    /// as the last of them.
    pub fn read(tables: &[Arc<dyn BatchSource>]) -> Self {
        let mut programs: BTreeMap<(i32, i32), Option<String>> = BTreeMap::new();
        let mut processes = BTreeSet::new();
        for of in Executables::all(tables) {
            for row in 0..of.rows() {
                // What it was before: the shell that became a tool.
                if of.ended.get(row) == Some("execed") {
                    continue;
                }
                let exe = of.exe.get(row).unwrap_or_default();
                let is_it = is_installed(exe);
                let process = (of.log.value(row), of.rank.value(row));
                let known = programs.entry(process).or_insert_with(|| Some(exe.to_owned()));
                if is_it {
                    processes.insert((of.log.value(row), of.process.value(row)));
                } else {
                    *known = None;
                }
            }
        }
        let ranks = programs.into_iter().filter_map(|(of, exe)| Some((of, exe?))).collect();
        Self { ranks, processes }
    }

    /// Whether a process runs an installed program.
    pub fn is_it(&self, log: i32, rank: i32) -> bool {
        self.ranks.contains_key(&(log, rank))
    }

    /// Whether a process of this number does, also one that a rank started.
    pub fn is_process(&self, log: i32, process: i32) -> bool {
        self.processes.contains(&(log, process))
    }

    /// Rows of table `installed_program`.
    pub fn write(&self, table: &mut TableBuilder) {
        for ((log, rank), exe) in &self.ranks {
            rows::InstalledProgram { log: *log, rank: *rank, exe }.push(table);
        }
    }
}

/// Whether a package manager put an executable there, and it is no interpreter.
fn is_installed(exe: &str) -> bool {
    let name = exe.rsplit('/').next().unwrap_or_default();
    let is_version = |rest: &str| rest.chars().next().is_none_or(|c| !c.is_ascii_alphabetic());
    let is_interpreter =
        INTERPRETERS.iter().any(|of| name.strip_prefix(of).is_some_and(is_version));
    let is_in_folder = SYSTEM_FOLDERS.iter().any(|folder| exe.starts_with(folder))
        || PACKAGE_FOLDERS.iter().any(|folder| exe.contains(folder));
    is_in_folder && !is_interpreter
}

#[cfg(test)]
mod tests {
    use super::is_installed;

    #[test]
    fn tools_are_installed_and_interpreters_run_what_users_wrote() {
        for (exe, is_it) in [
            ("/usr/bin/cdo", true),
            ("/usr/bin/h5repack", true),
            ("/home/me/miniconda3/envs/a/bin/samtools", true),
            ("/opt/spack/linux-zen2/gcc-12/nco-5.1/bin/ncra", true),
            ("/usr/bin/python3.11", false),
            ("/usr/bin/octave-cli-7.3.0", false),
            ("/usr/lib/R/bin/exec/R", false),
            ("/home/me/usr/bin/simulate", false),
            ("/usr/local/bin/simulate", false),
            ("/scratch/simulate", false),
            ("", false),
        ] {
            assert_eq!(is_installed(exe), is_it, "{exe}");
        }
    }
}
