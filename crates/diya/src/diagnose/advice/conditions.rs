//! Advice with a condition is for some runs only: readers of other runs would have to find out
//! that it is not for them.

use super::fitting::direction;
use diya_checks::{Condition, Paragraph, Paragraphs};
use diya_report::{Confidence, Finding, Job, Value};

/// What advice is about, as far as the finding says it.
#[derive(Debug, Clone, Default)]
pub(super) struct About {
    direction: Option<String>,
    /// Flags of the worst row.
    flags: Vec<(String, bool)>,
}

impl About {
    pub fn of(finding: &Finding) -> Self {
        let values = finding.evidence.first().map(|worst| &worst.values);
        let flag = |(name, value): (&String, &Value)| match value {
            Value::Flag(flag) => Some((name.clone(), *flag)),
            _ => None,
        };
        let flags = values.into_iter().flatten().filter_map(flag).collect();
        Self { direction: direction(finding).map(str::to_owned), flags }
    }

    /// Whether a paragraph with this condition is meant; `None`: the finding does not say it.
    fn admits(&self, condition: Condition) -> Option<bool> {
        let direction = self.direction.as_deref();
        match condition {
            Condition::Reading => return direction.map(|op| op == "read"),
            Condition::Writing => return direction.map(|op| op != "read"),
            _ => {}
        }
        let (column, wanted) = condition.flag()?;
        let (_, flag) = self.flags.iter().find(|(name, _)| name == column)?;
        Some(*flag == wanted)
    }

    /// A paragraph as readers see it: without its condition, where it is true of the whole finding.
    pub fn shown(&self, paragraph: &Paragraph) -> String {
        match paragraph.condition.and_then(|condition| self.admits(condition)) {
            Some(true) => paragraph.plain(),
            _ => paragraph.labelled(),
        }
    }
}

/// What a run is like, where advice depends on it.
#[derive(Debug, Clone, Copy, Default)]
pub(in super::super) struct Circumstances {
    /// Whether Darshan wrote the log.
    is_darshan: bool,
    /// Whether single calls are recorded, not only counters.
    has_calls: bool,
    /// Processes of one program; `None`: not recorded.
    processes: Option<i64>,
    /// `None`: not recorded.
    nodes: Option<i64>,
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
    pub(super) fn admit(&self, paragraph: &Paragraph, about: &About) -> bool {
        let is_several = |count: Option<i64>| count.is_none_or(|count| count > 1);
        let Some(condition) = paragraph.condition else { return true };
        match condition {
            Condition::DarshanLogs => self.is_darshan,
            Condition::CountersOnly => !self.has_calls,
            Condition::SeveralProcesses => is_several(self.processes),
            Condition::OneProcess => self.processes.is_none_or(|count| count == 1),
            Condition::SeveralNodes => is_several(self.nodes),
            _ => about.admits(condition).unwrap_or(true),
        }
    }

    /// The paragraphs for this run and this finding.
    pub(super) fn kept(&self, text: &Paragraphs, about: &About) -> String {
        let paragraphs = text.0.iter().filter(|part| self.admit(part, about));
        paragraphs.map(|part| about.shown(part)).collect::<Vec<_>>().join("\n\n")
    }
}

#[cfg(test)]
mod tests {
    use super::super::advised;
    use super::*;
    use diya_checks::Advice;
    use diya_report::{Action, Evidence};

    fn part(condition: Option<Condition>, text: &str) -> Paragraph {
        Paragraph { condition, text: text.to_owned() }
    }

    fn of_value(name: &str, value: Value) -> Finding {
        let values = [(name.to_owned(), value)].into();
        Finding { evidence: vec![Evidence { values, ..Evidence::default() }], ..Finding::default() }
    }

    fn advice() -> Advice {
        let action = |parts: Vec<Paragraph>| (Action::default(), Paragraphs(parts));
        Advice {
            wrong_when: Paragraphs(vec![
                part(None, "Always so."),
                part(Some(Condition::DarshanLogs), "counts\nmore."),
                part(Some(Condition::CountersOnly), "unknown."),
            ]),
            contraindications: vec![
                part(Some(Condition::Writing), "lost."),
                part(None, "It: stays."),
            ],
            actions: vec![
                action(vec![part(None, "Do."), part(Some(Condition::SeveralNodes), "copy.")]),
                action(vec![part(Some(Condition::SeveralProcesses), "ask.")]),
            ],
            ..Advice::default()
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
        let found = of_value("op", Value::Text("read".to_owned()));
        let finding = advised(found, &advice(), &run, &Job::default());
        assert_eq!(finding.wrong_when, "Always so.");
        assert_eq!(finding.contraindications, ["It: stays."]);
        let actions: Vec<&str> = finding.actions.iter().map(|a| a.text.as_str()).collect();
        assert_eq!(actions, ["Do."]);
    }

    #[test]
    fn advice_follows_the_flags_of_the_evidence() {
        let text = Paragraphs(vec![
            part(Some(Condition::ReadsInOrder), "leave out the seeks."),
            part(Some(Condition::ReadsInAnotherOrder), "sort."),
        ]);
        let of = |flag: Option<bool>| {
            let value = flag.map_or(Value::Null, Value::Flag);
            let about = About::of(&of_value("is_in_order", value));
            Circumstances::default().kept(&text, &about)
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
        let text = advice().wrong_when;
        let about = About::of(&of_value("op", Value::Text("read".to_owned())));
        assert_eq!(run.kept(&text, &about), text.labelled());
    }
}
