//! The programs of a job.

use super::cells::Cells;
use std::collections::BTreeMap;

/// Share of the run below which the processes of a program are said to run for a moment.
const SHORT_SHARE: f64 = 0.01;

/// A program of the job.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Program {
    name: String,
    /// Processes that ran it.
    pub processes: i64,
    /// Time that these ran, summed; `None`: not recorded.
    ran_s: Option<f64>,
}

impl Program {
    /// Those of a log, the most frequent first.
    pub fn all(processes: &Cells, log: i32) -> Vec<Self> {
        // A process that became another program counts once, as what it was last.
        let last = processes.rows(log).filter_map(|row| {
            let ran_s =
                row.number("end_s").zip(row.number("start_s")).map(|(end, start)| end - start);
            Some((row.integer("rank")?, (row.text("exe")?, ran_s)))
        });
        let last: BTreeMap<i64, (String, Option<f64>)> = last.collect();
        let mut programs = BTreeMap::<String, Self>::new();
        for (exe, ran_s) in last.into_values() {
            let name = exe.rsplit('/').next().unwrap_or(&exe).to_owned();
            let new = Self { name: name.clone(), processes: 0, ran_s: Some(0.0) };
            let of = programs.entry(name).or_insert(new);
            of.processes += 1;
            of.ran_s = of.ran_s.zip(ran_s).map(|(sum, s)| sum + s);
        }
        let mut programs: Vec<Self> = programs.into_values().collect();
        programs.sort_by(|a, b| b.processes.cmp(&a.processes).then_with(|| a.name.cmp(&b.name)));
        programs
    }

    /// `4 solver`; `uname for 2.1 ms`: it runs for a moment, and nobody need look for a second
    /// process of it.
    pub fn text(&self, run_s: Option<f64>) -> String {
        let is_short = |s: &f64| run_s.is_some_and(|run_s| *s < SHORT_SHARE * run_s);
        let short = self.ran_s.filter(is_short).map(diya_model::seconds_text);
        let name = short.map_or_else(|| self.name.clone(), |s| format!("{} for {s}", self.name));
        match self.processes {
            1 => name,
            several => format!("{several} {name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_has_its_number_and_a_short_one_its_time() {
        let text = |processes, ran_s| {
            Program { name: "uname".to_owned(), processes, ran_s }.text(Some(1.0))
        };
        assert_eq!(text(1, Some(0.002)), "uname for 2.00 ms");
        assert_eq!(text(4, Some(0.5)), "4 uname");
        assert_eq!(text(1, None), "uname");
    }
}
