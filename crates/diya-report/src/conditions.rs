//! Advice with a condition: a paragraph that begins with `Darshan logs: ` or `Several nodes: `
//! is for such runs only. Readers of other runs would have to find out that it is not for them.

use crate::fitting::direction;
use crate::{Action, Confidence, Finding, Job};

/// What a run is like, where advice depends on it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Circumstances {
    /// Whether Darshan wrote the log.
    pub is_darshan: bool,
    /// Whether single calls are recorded, not only counters.
    pub has_calls: bool,
    /// Processes of one program; `None`: not recorded.
    pub processes: Option<i64>,
    /// `None`: not recorded.
    pub nodes: Option<i64>,
}

impl Circumstances {
    /// Those of a log in this format.
    pub fn of(job: &Job, format: Option<&str>, accuracy: Confidence) -> Self {
        Self {
            is_darshan: format.is_none_or(|format| format.starts_with("darshan")),
            has_calls: accuracy == Confidence::High,
            processes: alike(job),
            nodes: job.nodes,
        }
    }

    /// Whether a paragraph is for this run and this direction.
    fn admit(&self, paragraph: &str, direction: Option<&str>) -> bool {
        let is_several = |count: Option<i64>| count.is_none_or(|count| count > 1);
        let Some((condition, _)) = paragraph.split_once(": ") else { return true };
        match condition.trim_start() {
            "Darshan logs" => self.is_darshan,
            "Counters only" => !self.has_calls,
            "Several processes" => is_several(self.processes),
            "One process" => self.processes.is_none_or(|count| count == 1),
            "Several nodes" => is_several(self.nodes),
            "Reading" => direction.is_none_or(|op| op == "read"),
            "Writing" => direction.is_none_or(|op| op != "read"),
            _ => true,
        }
    }

    fn kept(&self, text: &str, direction: Option<&str>) -> String {
        let paragraphs = text.split("\n\n").filter(|part| self.admit(part, direction));
        paragraphs.map(|part| bare(part, direction)).collect::<Vec<_>>().join("\n\n")
    }
}

/// Processes of the program that runs most often: a program that starts `uname` has nobody to share
/// its work with.
fn alike(job: &Job) -> Option<i64> {
    let count =
        |program: &String| program.split_once(' ').map_or(1, |(n, _)| n.parse().unwrap_or(1));
    job.programs.iter().map(count).max().or(job.nprocs)
}

/// A paragraph without its direction, where all of the finding has this direction.
fn bare(paragraph: &str, direction: Option<&str>) -> String {
    let rest = ["Reading: ", "Writing: "].iter().find_map(|of| paragraph.strip_prefix(of));
    match rest.filter(|_| direction.is_some()) {
        Some(rest) => {
            let mut letters = rest.chars();
            letters
                .next()
                .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
        }
        None => paragraph.to_owned(),
    }
}

/// Leaves out the paragraphs of a finding that are for other runs.
pub fn leave_out(run: &Circumstances, finding: &mut Finding) {
    let direction = direction(finding).map(str::to_owned);
    let direction = direction.as_deref();
    for text in [&mut finding.gain, &mut finding.verify, &mut finding.wrong_when] {
        *text = run.kept(text, direction);
    }
    finding.contraindications.retain(|text| run.admit(text, direction));
    finding.contraindications.iter_mut().for_each(|text| *text = bare(text, direction));
    let of_run = |action: &mut Action| {
        action.text = run.kept(&action.text, direction);
        !action.text.is_empty()
    };
    finding.actions.retain_mut(of_run);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Evidence, Value};

    fn finding() -> Finding {
        let op = ("op".to_owned(), Value::Text("read".to_owned()));
        let action = |text: &str| Action { text: text.to_owned(), ..Action::default() };
        Finding {
            evidence: vec![Evidence { values: [op].into(), ..Evidence::default() }],
            wrong_when: "Always so.\n\nDarshan logs: counts\nmore.\n\nCounters only: unknown."
                .to_owned(),
            contraindications: vec!["Writing: lost.".to_owned(), "It: stays.".to_owned()],
            actions: vec![action("Do.\n\nSeveral nodes: copy."), action("Several processes: ask.")],
            ..Finding::default()
        }
    }

    #[test]
    fn advice_for_other_runs_is_left_out() {
        let run = Circumstances {
            has_calls: true,
            processes: Some(1),
            nodes: Some(1),
            ..Circumstances::default()
        };
        let mut finding = finding();
        leave_out(&run, &mut finding);
        assert_eq!(finding.wrong_when, "Always so.");
        assert_eq!(finding.contraindications, ["It: stays."]);
        let actions: Vec<&str> = finding.actions.iter().map(|a| a.text.as_str()).collect();
        assert_eq!(actions, ["Do."]);
    }

    #[test]
    fn a_program_that_starts_another_one_is_not_parallel() {
        let of = |programs: &[&str]| {
            let programs = programs.iter().map(|name| (*name).to_owned()).collect();
            let job = Job { nprocs: Some(5), programs, ..Job::default() };
            Circumstances::of(&job, Some("diya"), Confidence::High).processes
        };
        assert_eq!(of(&["python3.11", "uname"]), Some(1));
        assert_eq!(of(&["4 solver", "uname"]), Some(4));
        assert_eq!(of(&[]), Some(5));
    }

    #[test]
    fn what_is_not_known_leaves_nothing_out() {
        let run = Circumstances { is_darshan: true, ..Circumstances::default() };
        let (mut left, whole) = (finding(), finding());
        leave_out(&run, &mut left);
        assert_eq!((left.wrong_when, left.actions), (whole.wrong_when, whole.actions));
    }
}
