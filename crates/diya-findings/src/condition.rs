//! Advice with conditions: paragraphs that are for some runs only.

/// Whom a paragraph is for. A check writes it before the paragraph: `{if = "one rank is late"}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// Darshan wrote the log.
    DarshanLogs,
    /// Single calls are not recorded.
    CountersOnly,
    /// The program has several processes.
    SeveralProcesses,
    /// The program has one process.
    OneProcess,
    /// The job has several nodes.
    SeveralNodes,
    /// The finding is about reads.
    Reading,
    /// The finding is about writes.
    Writing,
    /// The reads of the worst row are in file order.
    ReadsInOrder,
    /// They are not.
    ReadsInAnotherOrder,
    /// The same rank is late each time.
    OneRankLate,
    /// Another rank is late each time.
    RanksLateByTurns,
}

impl Condition {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::DarshanLogs,
        Self::CountersOnly,
        Self::SeveralProcesses,
        Self::OneProcess,
        Self::SeveralNodes,
        Self::Reading,
        Self::Writing,
        Self::ReadsInOrder,
        Self::ReadsInAnotherOrder,
        Self::OneRankLate,
        Self::RanksLateByTurns,
    ];

    /// As a check writes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::DarshanLogs => "Darshan logs",
            Self::CountersOnly => "counters only",
            Self::SeveralProcesses => "several processes",
            Self::OneProcess => "one process",
            Self::SeveralNodes => "several nodes",
            Self::Reading => "reading",
            Self::Writing => "writing",
            Self::ReadsInOrder => "the reads are in file order",
            Self::ReadsInAnotherOrder => "the reads are in another order",
            Self::OneRankLate => "one rank is late",
            Self::RanksLateByTurns => "ranks are late by turns",
        }
    }

    /// The condition of this name.
    ///
    /// ```
    /// use diya_findings::Condition;
    /// assert_eq!(Condition::from_name("one rank is late"), Some(Condition::OneRankLate));
    /// assert_eq!(Condition::from_name("one rank is early"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|condition| condition.name() == name)
    }

    /// The flag of the evidence that answers it, and the value that it is for; `None`: the run or
    /// the direction of the finding answers it.
    pub fn flag(self) -> Option<(&'static str, bool)> {
        match self {
            Self::ReadsInOrder => Some(("is_in_order", true)),
            Self::ReadsInAnotherOrder => Some(("is_in_order", false)),
            Self::OneRankLate => Some(("is_one_late", true)),
            Self::RanksLateByTurns => Some(("is_one_late", false)),
            _ => None,
        }
    }

    /// What a reader sees before the paragraph.
    pub fn label(self) -> String {
        let name = match self.flag() {
            Some(_) => format!("if {}", self.name()),
            None => self.name().to_owned(),
        };
        capital(&name)
    }
}

/// A paragraph of advice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Paragraph {
    /// Whom it is for; `None`: for all.
    pub condition: Option<Condition>,
    /// Markdown, without the condition.
    pub text: String,
}

impl Paragraph {
    /// The paragraph, its condition in words.
    pub fn labelled(&self) -> String {
        match self.condition {
            Some(condition) => format!("{}: {}", condition.label(), self.text),
            None => self.text.clone(),
        }
    }

    /// The paragraph where its condition is known to hold.
    pub fn plain(&self) -> String {
        match self.condition {
            Some(_) => capital(&self.text),
            None => self.text.clone(),
        }
    }
}

/// A text of several paragraphs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Paragraphs(pub Vec<Paragraph>);

impl Paragraphs {
    /// All of it, with the conditions in words.
    ///
    /// ```
    /// use diya_findings::{Condition, Paragraph, Paragraphs};
    /// let late = Paragraph { condition: Some(Condition::OneRankLate), text: "look.".into() };
    /// assert_eq!(Paragraphs(vec![late]).labelled(), "If one rank is late: look.");
    /// ```
    pub fn labelled(&self) -> String {
        let texts: Vec<String> = self.0.iter().map(Paragraph::labelled).collect();
        texts.join("\n\n")
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same paragraphs in other words. What `words` returns has as many paragraphs as what it
    /// takes.
    #[must_use]
    pub fn map(&self, words: impl Fn(&str) -> String) -> Self {
        let texts: Vec<&str> = self.0.iter().map(|part| part.text.as_str()).collect();
        let changed = words(&texts.join("\n\n"));
        let conditions = self.0.iter().map(|part| part.condition);
        let parts = changed.split("\n\n").zip(conditions);
        Self(
            parts.map(|(text, condition)| Paragraph { condition, text: text.to_owned() }).collect(),
        )
    }
}

/// What a check advises, before it is known whom of its readers the run is about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Advice {
    /// Actions, each with its text.
    pub actions: Vec<(crate::Action, Paragraphs)>,
    /// As in [`crate::Finding::gain`].
    pub gain: Paragraphs,
    /// As in [`crate::Finding::contraindications`].
    pub contraindications: Vec<Paragraph>,
    /// As in [`crate::Finding::verify`].
    pub verify: Paragraphs,
    /// As in [`crate::Finding::wrong_when`].
    pub wrong_when: Paragraphs,
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
