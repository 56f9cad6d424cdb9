//! `diya fleet script`: the files of a job array that ingests shards of an archive.
//!
//! Names of files are bytes of other people. They stand between single quotes, in which a
//! shell replaces nothing, and never in directives, whose quotes each batch system reads in
//! its own way: what depends on names is given to `sbatch` and `qsub` as an argument.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

/// A batch system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BatchSystem {
    /// `sbatch`.
    Slurm,
    /// `qsub` of OpenPBS and PBS Professional.
    Pbs,
}

/// What the job array does. Paths are absolute: jobs start in other folders.
#[derive(Debug, Clone)]
pub struct BatchPlan {
    /// Which system runs it.
    pub system: BatchSystem,
    /// Folder of the batch files.
    pub folder: PathBuf,
    /// The program.
    pub diya: PathBuf,
    /// The dataset.
    pub dataset: PathBuf,
    /// Arguments of `diya fleet ingest`: options first, then `--` and the paths.
    pub ingest: Vec<std::ffi::OsString>,
    /// Shards of the array.
    pub shards: u32,
    /// Processors of a shard.
    pub cpus: u32,
    /// Options for `sbatch` or `qsub`: account, queue, time.
    pub options: Vec<String>,
}

/// A file name and its content.
pub type BatchFile = (&'static str, Vec<u8>);

impl BatchPlan {
    /// All files, to be written into the folder of the plan.
    pub fn files(&self) -> [BatchFile; 3] {
        [("submit.sh", self.submit()), ("shard.sh", self.shard()), ("last.sh", self.last())]
    }

    fn head(&self, what: &str) -> Text {
        let mut text = Text(b"#!/bin/bash\n".to_vec());
        // PBS starts a script with the login shell of its user if it names no other.
        if self.system == BatchSystem::Pbs {
            text.plain("#PBS -S /bin/bash\n");
        }
        text.plain(&format!("# {what} Written by `diya fleet script`.\nset -u\nhere="));
        text.quoted(self.folder.as_os_str());
        text.plain("\n");
        text
    }

    fn submit(&self) -> Vec<u8> {
        let mut text = self.head("Submits the array and the last step.");
        text.plain(
            "set -e\nmkdir -p \"$here/log\" \"$here/done\"\nrm -f \"$here/done/\"*\narray=$(",
        );
        let (shards, cpus) = (self.shards, self.cpus);
        match self.system {
            BatchSystem::Slurm => text.plain(&format!(
                "sbatch --parsable --job-name=diya-fleet --array=1-{shards} --cpus-per-task={cpus} --output=/dev/null"
            )),
            BatchSystem::Pbs => {
                text.plain(&format!("qsub -N diya-fleet -l select=1:ncpus={cpus} -j oe -o /dev/null"));
                // An array of one is an error to PBS.
                if shards > 1 {
                    text.plain(&format!(" -J 1-{shards}"));
                }
            }
        }
        self.site(&mut text);
        text.plain(" \"$here/shard.sh\")\n");
        match self.system {
            BatchSystem::Slurm => text.plain(
                "array=${array%%;*}\n\
                 last=$(sbatch --parsable --job-name=diya-fleet-last \
                 --dependency=\"afterany:$array\" --output=/dev/null",
            ),
            BatchSystem::Pbs => text.plain(
                "last=$(qsub -N diya-fleet-last -W depend=\"afterany:$array\" -j oe -o /dev/null",
            ),
        }
        self.site(&mut text);
        text.plain(&format!(
            " \"$here/last.sh\")\necho \"array $array of {shards} shards, last step $last\"\n\
             echo \"its result: $here/log/last.txt\"\n"
        ));
        text.0
    }

    fn site(&self, text: &mut Text) {
        for option in &self.options {
            text.plain(" ");
            text.quoted(OsStr::new(option));
        }
    }

    fn shard(&self) -> Vec<u8> {
        let mut text = self.head("Reads one shard.");
        let number = match self.system {
            BatchSystem::Slurm => "${SLURM_ARRAY_TASK_ID:?submit.sh starts this script}",
            BatchSystem::Pbs => "${PBS_ARRAY_INDEX:-1}",
        };
        text.plain(&format!(
            "number={number}\nexec >\"$here/log/shard-$number.txt\" 2>&1\nrm -f \"$here/done/$number\"\n"
        ));
        text.quoted(self.diya.as_os_str());
        text.plain(&format!(
            " fleet ingest --threads {} --shard \"$number/{}\" -o ",
            self.cpus, self.shards
        ));
        text.quoted(self.dataset.as_os_str());
        for argument in &self.ingest {
            text.plain(" ");
            text.quoted(argument);
        }
        text.plain(
            "\nstatus=$?\n# 1: the shard is complete, but some files cannot be read; table manifest names them.\n\
             [ \"$status\" -le 1 ] || exit \"$status\"\necho \"$status\" >\"$here/done/$number\"\n",
        );
        text.0
    }

    fn last(&self) -> Vec<u8> {
        let mut text =
            self.head("Checks that every shard has ended, compacts, and prints the hash.");
        text.plain(&format!(
            "exec >\"$here/log/last.txt\" 2>&1\nmissing=\nfor number in $(seq 1 {}); do\n    \
             [ -e \"$here/done/$number\" ] || missing=\"$missing $number\"\ndone\n\
             if [ -n \"$missing\" ]; then\n    echo \"not finished: shards$missing of {}\"\n    \
             echo \"why: $here/log/shard-NUMBER.txt. What was read is kept: run $here/submit.sh again.\"\n    \
             exit 1\nfi\nset -e\n",
            self.shards, self.shards
        ));
        for command in ["compact", "hash"] {
            text.quoted(self.diya.as_os_str());
            text.plain(&format!(" fleet {command} "));
            text.quoted(self.dataset.as_os_str());
            text.plain("\n");
        }
        text.0
    }
}

struct Text(Vec<u8>);

impl Text {
    fn plain(&mut self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
    }

    /// One word of a shell, whatever its bytes.
    fn quoted(&mut self, word: &OsStr) {
        self.0.push(b'\'');
        for byte in word.as_bytes() {
            match byte {
                b'\'' => self.0.extend_from_slice(b"'\\''"),
                other => self.0.push(*other),
            }
        }
        self.0.push(b'\'');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_word_of_a_shell() {
        for name in ["plain", "it's", "a b", "$(touch x)", "`x`", "a\nb", "", "-n", "\\", "'"] {
            let mut text = Text(b"printf '[%s]' ".to_vec());
            text.quoted(OsStr::new(name));
            let said = std::process::Command::new("bash")
                .args(["-c".as_ref(), OsStr::from_bytes(&text.0)])
                .output()
                .expect("bash runs");
            assert_eq!(String::from_utf8_lossy(&said.stdout), format!("[{name}]"));
        }
    }
}
