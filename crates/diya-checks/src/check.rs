//! A check: one page of Markdown, parsed and linted.

use std::collections::BTreeMap;

use diya_findings::{Condition, Paragraphs};
use diya_query::{Token, TokenKind, tokens};

use crate::Severity;
use crate::actions::Remedy;
use crate::case::{self, Case};
use crate::header::{Audience, Header, OnPart, Param, Stage, Status};
use crate::lint::lint;
use crate::page::{Page, Section};
use crate::paragraphs;
use crate::sentence::Sentence;
use crate::{Block, CheckError};

/// A check.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Check {
    /// File it was read from.
    pub path: String,
    /// Folder and name of its file; never reused.
    pub id: String,
    /// Its ids in earlier versions.
    pub formerly: Vec<String>,
    /// Layer of the calls that it judges, or what else it is about: posix, hdf5, lustre, python, job.
    pub layer: String,
    /// Short code, never reused.
    pub code: String,
    /// What it finds, in a few words.
    pub title: String,
    /// How far it is trusted.
    pub status: Status,
    /// Release it came with.
    pub since: String,
    /// Who can act on it.
    pub audience: Audience,
    /// Only where the harm is not seconds.
    pub severity: Option<Severity>,
    /// Whether its findings hold where rows are missing.
    pub on_part: Option<OnPart>,
    /// Class of calls whose time its findings are about: read, write, metadata,
    /// sync, lock, map, library or wait; `None`: of several, or the column `op` of a row says it.
    pub class: Option<String>,
    /// Kinds of calls its findings are about, as in column `op` of table `call`: their
    /// source lines are named. Empty: the class, or the column `op` of a row says it.
    pub ops: Vec<String>,
    /// Kinds of calls that its fix changes, where these are others than `ops`: those that open or
    /// create what the finding is about.
    pub changes: Vec<String>,
    /// Checks that see the same calls, less closely.
    pub explains: Vec<String>,
    /// When it is asked.
    pub stage: Stage,
    /// Why a fix may save nothing, where the low end of its seconds is 0 for a reason
    /// and not for lack of knowledge.
    pub zero_because: Option<String>,
    /// What it is about, in a word or two, where a log cannot show it; else its title.
    pub topic: Option<String>,
    /// Without the data, the time of the calls that it judges is in no row of the account.
    pub hides_time: bool,
    /// Tables and metrics it reads.
    pub needs: Vec<String>,
    /// Formats that hold what it reads.
    pub sources: Vec<String>,
    /// Where its thresholds and gains are from.
    pub references: Vec<String>,
    /// Test logs in which it has to find something.
    pub planted: Vec<String>,
    /// Test logs that only resemble its fault.
    pub look_alikes: Vec<String>,
    /// Numbers it compares with.
    pub params: BTreeMap<String, Param>,
    /// What it finds, in full.
    pub finds: String,
    /// Why that matters.
    pub matters: String,
    /// Query for the subjects it applies to.
    pub applies: Block,
    /// Query for the violations.
    pub evidence: Block,
    pub(crate) sentence: Sentence,
    /// What to do.
    pub remedy: Remedy,
    /// Which number must move after the fix.
    pub verify: Paragraphs,
    /// When it is wrong.
    pub wrong_when: Paragraphs,
    /// Conditions of its paragraphs that a column of the evidence answers, with their lines.
    pub(crate) conditions: Vec<(usize, Condition, &'static str)>,
    /// Its test cases.
    pub cases: Vec<Case>,
    /// Whether it comes with diya, and its SQL is trusted.
    pub(crate) is_builtin: bool,
}

const SECTIONS: [&str; 8] = [
    "What it finds",
    "Why it matters",
    "Evidence",
    "Finding",
    "What to do",
    "How to verify",
    "When it is wrong",
    "Cases",
];

impl Check {
    /// Reads a check; `path` says where errors are, and its end is the id.
    ///
    /// ```
    /// let error = diya_checks::Check::parse("posix/a.md", "# A\n").unwrap_err();
    /// assert!(error.to_string().starts_with("posix/a.md:1: "));
    /// ```
    pub fn parse(path: &str, text: &str) -> Result<Self, CheckError> {
        let check = Self::read(path, text)?;
        check.lint()?;
        Ok(check)
    }

    /// The sentence of a finding, with names of columns in place of numbers: `<calls> reads`.
    pub fn sentence_text(&self) -> String {
        self.sentence.template()
    }

    /// The same, without looking for faults in its SQL: of a page that a test has parsed.
    pub(crate) fn read(path: &str, text: &str) -> Result<Self, CheckError> {
        let page = Page::cut(path, text)?;
        let header = Header::read(&page)?;
        let [finds, matters, evidence, finding, to_do, verify, wrong_when, cases] =
            sections(&page)?;
        let prose = |section: &Section<'_>| non_empty(path, section);
        let advice = |section: &Section<'_>| {
            paragraphs::read(path, paragraphs::first_line(section), &prose(section)?)
        };
        let wrong_text = prose(wrong_when)?;
        if ["unknown", "unknown."].contains(&wrong_text.to_lowercase().as_str()) {
            return Err(CheckError::page(path, wrong_when.line, "\"unknown\" is no answer"));
        }
        let (applies, violations) = queries(path, evidence)?;
        let sentence = Sentence::read(path, &quoted(path, finding)?)?;
        Ok(Self {
            path: path.to_owned(),
            id: header.id,
            formerly: header.formerly,
            layer: header.layer,
            code: header.code,
            title: page.title.clone(),
            status: header.status,
            since: header.since,
            audience: header.audience,
            severity: header.severity,
            on_part: header.on_part,
            class: header.class,
            ops: header.ops,
            changes: header.changes,
            explains: header.explains,
            stage: header.stage,
            zero_because: header.zero_because,
            topic: header.topic,
            hides_time: header.hides_time,
            cases: case::read(path, cases, &header.needs)?,
            needs: header.needs,
            sources: header.sources,
            references: header.references,
            planted: header.planted,
            look_alikes: header.look_alikes,
            params: header.param,
            finds: prose(finds)?,
            matters: prose(matters)?,
            applies,
            evidence: violations,
            sentence,
            remedy: Remedy::read(path, to_do)?,
            verify: advice(verify)?,
            wrong_when: advice(wrong_when)?,
            conditions: paragraphs::of_evidence(&page.sections),
            is_builtin: false,
        })
    }

    fn lint(&self) -> Result<(), CheckError> {
        for query in [&self.applies, &self.evidence] {
            if let Some((start, what)) =
                lint(&query.text, &self.needs, &self.params).into_iter().next()
            {
                let before = query.text.get(..start).unwrap_or_default();
                let line = query.line + before.matches('\n').count();
                return Err(CheckError::page(&self.path, line, what));
            }
        }
        let words = tokens(&self.evidence.text).unwrap_or_default();
        let is_column = |column: &str| words.iter().any(|word| word.text == column);
        if let Some((line, condition, column)) =
            self.conditions.iter().find(|(.., column)| !is_column(column))
        {
            let name = condition.name();
            let what = format!("{name:?} needs a column {column} of the evidence: there is none");
            return Err(CheckError::page(&self.path, *line, what));
        }
        let is_used = |name: &String| {
            let used_by =
                |query: &Block| params(&query.text).iter().any(|param| param.text == *name);
            name == MIN_TOTAL || used_by(&self.applies) || used_by(&self.evidence)
        };
        match self.params.keys().find(|name| !is_used(name)) {
            Some(name) => {
                Err(CheckError::page(&self.path, 1, format!("parameter {name} is not used")))
            }
            None => Ok(()),
        }
    }

    /// Whether this is its id, or was in an earlier version.
    pub fn is_named(&self, id: &str) -> bool {
        self.id == id || self.formerly.iter().any(|former| former == id)
    }
}

/// A parameter of all rows of a finding: together they cost more than this, in seconds. A limit
/// for each row would hide what is spread over many files.
pub(crate) const MIN_TOTAL: &str = "min_total_s";

/// The parameters that a query names, and where. Text that is not SQL gives none: the lint
/// has refused it before.
pub(crate) fn params(sql: &str) -> Vec<Token> {
    if !sql.contains('$') {
        return Vec::new();
    }
    let all = tokens(sql).unwrap_or_default();
    all.into_iter().filter(|token| token.kind == TokenKind::Param).collect()
}

/// The eight sections, in their order.
fn sections<'p, 't>(page: &'p Page<'t>) -> Result<[&'p Section<'t>; 8], CheckError> {
    for (place, expected) in SECTIONS.iter().enumerate() {
        let found = page.sections.get(place);
        if found.map(|s| s.heading) != Some(expected) {
            let line = found.map_or(1, |s| s.line);
            let what = format!("section `## {expected}` is expected here");
            return Err(CheckError::page(page.path, line, what));
        }
    }
    if let Some(more) = page.sections.get(SECTIONS.len()) {
        let what = format!("`## {}` is none of the sections of a check", more.heading);
        return Err(CheckError::page(page.path, more.line, what));
    }
    let all: Vec<&Section<'t>> = page.sections.iter().collect();
    all.try_into().map_err(|_| CheckError::page(page.path, 1, "sections are missing"))
}

fn non_empty(path: &str, section: &Section<'_>) -> Result<String, CheckError> {
    let text = section.text();
    if text.is_empty() {
        return Err(CheckError::page(path, section.line, "this section is empty"));
    }
    Ok(text)
}

/// `sql applies` and `sql evidence`, in this order and nothing else.
fn queries(path: &str, section: &Section<'_>) -> Result<(Block, Block), CheckError> {
    let blocks = section.fenced(path)?;
    let infos: Vec<&str> = blocks.iter().map(|block| block.info).collect();
    if infos != ["sql applies", "sql evidence"] {
        let what = "a block `sql applies` and then one `sql evidence` are expected";
        return Err(CheckError::page(path, section.line, what));
    }
    let mut blocks = blocks.into_iter().map(|b| Block { line: b.line, text: b.text });
    match (blocks.next(), blocks.next()) {
        (Some(applies), Some(evidence)) => Ok((applies, evidence)),
        _ => Err(CheckError::page(path, section.line, "two queries are expected")),
    }
}

/// The one sentence, which stands as a quotation.
fn quoted(path: &str, section: &Section<'_>) -> Result<Block, CheckError> {
    let mut words = Vec::new();
    for (place, line) in section.lines.iter().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let Some(quoted) = line.strip_prefix('>') else {
            let what = "only the sentence, each line behind `> `, is expected here";
            return Err(CheckError::page(path, section.line + 1 + place, what));
        };
        words.push(quoted.trim());
    }
    if words.is_empty() {
        return Err(CheckError::page(path, section.line, "the sentence is missing"));
    }
    Ok(Block { line: section.line + 1, text: words.join(" ") })
}
