//! Advice with a condition: a paragraph that begins with `Darshan logs: ` or `Several nodes: `
//! is for such runs only. Readers of other runs would have to find out that it is not for them.

use crate::fitting::direction;
use crate::{Action, Confidence, Finding, Job, Value};

/// Conditions that a flag of the worst row answers: what the paragraph begins with, the column, and
/// the value that it is for.
const OF_EVIDENCE: [(&str, &str, bool); 4] = [
    ("If the reads are in file order", "is_in_order", true),
    ("If the reads are in another order", "is_in_order", false),
    ("If one rank is late", "is_one_late", true),
    ("If ranks are late by turns", "is_one_late", false),
];

/// What advice is about, as far as the finding says it.
#[derive(Debug, Clone, Default)]
struct About {
    direction: Option<String>,
    /// Flags of the worst row.
    flags: Vec<(String, bool)>,
}

impl About {
    fn of(finding: &Finding) -> Self {
        let values = finding.evidence.first().map(|worst| &worst.values);
        let flag = |(name, value): (&String, &Value)| match value {
            Value::Flag(flag) => Some((name.clone(), *flag)),
            _ => None,
        };
        let flags = values.into_iter().flatten().filter_map(flag).collect();
        Self { direction: direction(finding).map(str::to_owned), flags }
    }

    /// Whether a paragraph with this condition is meant; `None`: the finding does not say it.
    fn admits(&self, condition: &str) -> Option<bool> {
        let direction = self.direction.as_deref();
        match condition {
            "Reading" => return direction.map(|op| op == "read"),
            "Writing" => return direction.map(|op| op != "read"),
            _ => {}
        }
        let (_, column, wanted) = OF_EVIDENCE.iter().find(|(name, ..)| *name == condition)?;
        let (_, flag) = self.flags.iter().find(|(name, _)| name == column)?;
        Some(flag == wanted)
    }
}

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
    /// Those of a log in this format. `alike`: processes of the program that runs most often,
    /// where several programs are recorded: one that starts `uname` has nobody to share its work
    /// with.
    pub fn of(job: &Job, alike: Option<i64>, format: Option<&str>, accuracy: Confidence) -> Self {
        Self {
            is_darshan: format.is_none_or(|format| format.starts_with("darshan")),
            has_calls: accuracy == Confidence::High,
            processes: alike.or(job.nprocs),
            nodes: job.nodes,
        }
    }

    /// Whether a paragraph is for this run and this finding.
    fn admit(&self, paragraph: &str, about: &About) -> bool {
        let is_several = |count: Option<i64>| count.is_none_or(|count| count > 1);
        let Some((condition, _)) = paragraph.split_once(": ") else { return true };
        let condition = condition.trim_start();
        match condition {
            "Darshan logs" => self.is_darshan,
            "Counters only" => !self.has_calls,
            "Several processes" => is_several(self.processes),
            "One process" => self.processes.is_none_or(|count| count == 1),
            "Several nodes" => is_several(self.nodes),
            _ => about.admits(condition).unwrap_or(true),
        }
    }

    fn kept(&self, text: &str, about: &About) -> String {
        let paragraphs = text.split("\n\n").filter(|part| self.admit(part, about));
        paragraphs.map(|part| bare(part, about)).collect::<Vec<_>>().join("\n\n")
    }
}

/// A paragraph without its condition, where it is true of the whole finding.
fn bare(paragraph: &str, about: &About) -> String {
    let parts = paragraph.split_once(": ");
    let rest = parts.filter(|(condition, _)| about.admits(condition) == Some(true));
    match rest.map(|(_, rest)| rest) {
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
    let about = About::of(finding);
    for text in [&mut finding.gain, &mut finding.verify, &mut finding.wrong_when] {
        *text = run.kept(text, &about);
    }
    finding.contraindications.retain(|text| run.admit(text, &about));
    finding.contraindications.iter_mut().for_each(|text| *text = bare(text, &about));
    let of_run = |action: &mut Action| {
        action.text = run.kept(&action.text, &about);
        !action.text.is_empty()
    };
    finding.actions.retain_mut(of_run);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evidence;

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
    fn advice_follows_the_flags_of_the_evidence() {
        let run = Circumstances::default();
        let of = |flag: Option<bool>| {
            let text = "If the reads are in file order: leave out the seeks.\n\nIf the reads are in another order: sort.".to_owned();
            let flags = flag.map(|flag| ("is_in_order".to_owned(), Value::Flag(flag)));
            let evidence = Evidence { values: flags.into_iter().collect(), ..Evidence::default() };
            let mut finding =
                Finding { wrong_when: text, evidence: vec![evidence], ..Finding::default() };
            leave_out(&run, &mut finding);
            finding.wrong_when
        };
        assert_eq!(of(Some(true)), "Leave out the seeks.");
        assert_eq!(of(Some(false)), "Sort.");
        assert_eq!(
            of(None),
            "If the reads are in file order: leave out the seeks.\n\nIf the reads are in another order: sort."
        );
    }

    #[test]
    fn a_program_that_starts_another_one_is_not_parallel() {
        let of = |alike| {
            let job = Job { nprocs: Some(5), ..Job::default() };
            Circumstances::of(&job, alike, Some("diya"), Confidence::High).processes
        };
        assert_eq!(of(Some(1)), Some(1));
        assert_eq!(of(None), Some(5));
    }

    #[test]
    fn what_is_not_known_leaves_nothing_out() {
        let run = Circumstances { is_darshan: true, ..Circumstances::default() };
        let (mut left, whole) = (finding(), finding());
        leave_out(&run, &mut left);
        assert_eq!((left.wrong_when, left.actions), (whole.wrong_when, whole.actions));
    }
}
