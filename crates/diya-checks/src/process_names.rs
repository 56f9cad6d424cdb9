//! What a report calls processes: a rank only where MPI or a launcher says so.
//!
//! Checks are written for ranks of a job. Of a program without ranks the same
//! texts speak of processes, of a program of one process of the program.

use std::collections::HashMap;

use diya_query::Query;

use crate::Value;
use crate::rows::Table;

/// What the processes of a log are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Noun {
    Rank,
    Process,
    /// There is one process only.
    Program,
}

/// One process.
#[derive(Debug)]
struct Name {
    noun: Noun,
    /// What follows "rank" or "process".
    label: String,
}

/// Names of the processes of all logs.
#[derive(Debug, Default)]
pub struct Names {
    processes: HashMap<(i64, i64), Name>,
    logs: HashMap<i64, Noun>,
}

impl Names {
    /// Without the tables, as in a test of a check, all are ranks.
    pub fn read(query: &Query) -> Self {
        let ask = |sql: &str| query.run(sql).and_then(|rows| Table::read(&rows)).ok();
        let mut names = Self::default();
        let Some(peers) = ask("select log, rank, kind, step, number, program from peer_group")
        else {
            return names;
        };
        let mut last_step: HashMap<i64, i64> = HashMap::new();
        let mut counts: HashMap<i64, usize> = HashMap::new();
        for row in 0..peers.rows() {
            let integer = |column| peers.value(row, column).integer();
            let Some(log) = integer("log") else { continue };
            *counts.entry(log).or_default() += 1;
            let step = integer("step").unwrap_or(0);
            last_step.entry(log).and_modify(|last| *last = step.max(*last)).or_insert(step);
        }
        for row in 0..peers.rows() {
            let integer = |column| peers.value(row, column).integer();
            let (Some(log), Some(rank)) = (integer("log"), integer("rank")) else { continue };
            let text = |column| match peers.value(row, column) {
                Value::Text(text) => text,
                _ => String::new(),
            };
            let number = integer("number").unwrap_or(rank);
            let is_rank = text("kind") == "rank";
            let label = match integer("step") {
                Some(step) if last_step.get(&log).is_some_and(|last| *last > 0) => {
                    format!("{number} of step {step} ({})", text("program"))
                }
                Some(_) if is_rank => number.to_string(),
                Some(_) => text("program"),
                None => format!("{number} ({})", text("program")),
            };
            let of_log = names.logs.entry(log).or_insert(Noun::Process);
            let noun = if is_rank { Noun::Rank } else { Noun::Process };
            if is_rank {
                *of_log = Noun::Rank;
            } else if counts.get(&log) == Some(&1) {
                *of_log = Noun::Program;
            }
            names.processes.insert((log, rank), Name { noun, label });
        }
        // A log of one process that does not know more has no ranks either.
        let jobs = ask("select log, nprocs from job where nprocs = 1");
        for (row, jobs) in jobs.iter().flat_map(|jobs| (0..jobs.rows()).map(move |r| (r, jobs))) {
            if let Some(log) = jobs.value(row, "log").integer() {
                names.logs.entry(log).or_insert(Noun::Program);
            }
        }
        names
    }

    /// What the processes of this log are.
    pub(crate) fn noun(&self, log: i64) -> Noun {
        self.logs.get(&log).copied().unwrap_or(Noun::Rank)
    }

    /// What this process is, and what it is called behind that word.
    pub(crate) fn of(&self, log: i64, rank: i64) -> Option<(Noun, &str)> {
        self.processes.get(&(log, rank)).map(|name| (name.noun, name.label.as_str()))
    }

    /// `rank 3`, or `process 1204 (solver)`.
    pub fn name(&self, log: i64, rank: i64) -> String {
        match self.of(log, rank) {
            Some((Noun::Rank, label)) => format!("rank {label}"),
            Some((_, label)) => format!("process {label}"),
            None => format!("rank {rank}"),
        }
    }

    /// Whom a process of this log waits for that does not say for whom.
    pub fn others(&self, log: i64) -> &'static str {
        match self.noun(log) {
            Noun::Rank => "other ranks",
            Noun::Process => "other processes",
            Noun::Program => "other threads",
        }
    }

    /// Whether numbers alone name the processes: ranks of one step.
    pub(crate) fn label(&self, log: i64, rank: i64) -> Option<String> {
        let (noun, label) = self.of(log, rank)?;
        match noun {
            Noun::Rank if label.parse() == Ok(rank) => None,
            Noun::Rank => Some(format!("rank {label}")),
            _ => Some(format!("process {label}")),
        }
    }
}

impl Noun {
    /// A text that speaks of ranks, in the words for these processes. Names in
    /// backquotes, and ranks "of MPI", stay.
    pub fn words(self, text: &str) -> String {
        if self == Self::Rank {
            return text.to_owned();
        }
        let text = match self {
            Self::Program => text.replace("he slowest rank", "he program"),
            _ => text.to_owned(),
        };
        let mut out = String::with_capacity(text.len() + 16);
        let (mut word, mut before) = (String::new(), String::new());
        let mut is_quoted = false;
        for c in text.chars().chain(['\0']) {
            if c.is_alphanumeric() || c == '_' || c == '-' {
                word.push(c);
                continue;
            }
            let is_kept = is_quoted || before == "MPI";
            out.push_str(if is_kept { &word } else { plain(&word) });
            if !word.is_empty() {
                before = std::mem::take(&mut word);
            }
            is_quoted ^= c == '`';
            if c != '\0' {
                out.push(c);
            }
        }
        out
    }
}

/// A word for a rank as one for a process.
fn plain(word: &str) -> &str {
    match word {
        "rank" => "process",
        "ranks" => "processes",
        "Rank" => "Process",
        "Ranks" => "Processes",
        word => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_without_ranks_has_processes() {
        let text = "Ranks wait: rank 3 of `diya ranks LOG` is the slowest rank, not an MPI rank.";
        let expected = "Processes wait: process 3 of `diya ranks LOG` is the slowest process, not an MPI rank.";
        assert_eq!(Noun::Process.words(text), expected);
        assert_eq!(Noun::Rank.words(text), text);
    }

    #[test]
    fn a_single_process_is_the_program() {
        let text = "They take the slowest rank 2.0 s.";
        assert_eq!(Noun::Program.words(text), "They take the program 2.0 s.");
    }
}
