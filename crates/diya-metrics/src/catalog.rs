//! All metrics that are known, and what each needs.

use crate::MetricError;
use crate::header::{self, Parsed};
use crate::lint::lint;
use crate::parts::{self, Compute};
use crate::union_parts::UnionParts;
use diya_header::{Column, Header, HeaderError, Key, METRIC_KEYS};
use diya_tables::{TableDef, TableId};
use std::borrow::Cow::Borrowed;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The files of `metrics/`, taken apart when this crate is built.
static HEADERS: &[Header<'static>] = include!(concat!(env!("OUT_DIR"), "/metrics.rs"));

// The metrics of the program were linted by a test, not again at each start.
static BUILT_IN: LazyLock<Catalog> = LazyLock::new(|| {
    Catalog::of(HEADERS.iter().map(read)).expect("a test reads every file of metrics/")
});

/// One derived table.
#[derive(Debug)]
pub struct Metric {
    /// Path of its file, from the root of the project.
    pub file: String,
    /// Its columns with types, units and meanings.
    pub def: &'static TableDef,
    /// What else there is to know, in paragraphs.
    pub notes: String,
    /// Question of a person that it answers; `None`: a check, a metric, a view or the page
    /// reads it.
    pub question: Option<String>,
    /// Tables and metrics it reads.
    pub needs: Vec<String>,
    /// Those of the needs without whose rows it has none, so that nothing of
    /// it is run.
    pub requires: Vec<String>,
    /// Tables that it reads where they have rows, and does without elsewhere.
    pub also: Vec<String>,
    /// Reads calls on pipes and sockets, too, also where these are left out of all others:
    /// processes hand over data through them.
    pub reads_pipes: bool,
    /// Its statement, or nothing when it is computed in this crate or filled by another.
    pub sql: String,
    pub(crate) computation: Option<Compute>,
    pub(crate) union: UnionParts,
}

/// A set of metrics.
#[derive(Debug)]
pub struct Catalog {
    metrics: BTreeMap<String, Metric>,
}

impl Catalog {
    /// The metrics that come with this program.
    pub fn built_in() -> &'static Self {
        &BUILT_IN
    }

    /// Reads metrics of SQL: path and text of each file. The name of a table is
    /// the name of its file.
    pub fn new(files: &[(&str, &str)]) -> Result<Self, MetricError> {
        Self::of(files.iter().map(|(file, text)| {
            let header = Header::of_sql(file, text, METRIC_KEYS).map_err(format_error)?;
            read_and_lint(&header)
        }))
    }

    fn of(all: impl Iterator<Item = Result<Metric, MetricError>>) -> Result<Self, MetricError> {
        let mut metrics = BTreeMap::new();
        for metric in all {
            let metric = metric?;
            let (file, name) = (metric.file.clone(), metric.def.name.to_owned());
            let is_base = base_table(&name).is_some();
            if is_base || metrics.insert(name.clone(), metric).is_some() {
                return Err(MetricError::Twice { file, name });
            }
        }
        let catalog = Self { metrics };
        catalog.check_needs()?;
        Ok(catalog)
    }

    /// All metrics, by name.
    pub fn metrics(&self) -> impl Iterator<Item = &Metric> {
        self.metrics.values()
    }

    /// The metric with this name.
    pub fn get(&self, name: &str) -> Option<&Metric> {
        self.metrics.get(name)
    }

    /// Base tables that have to be read for these tables; a name that is
    /// itself a base table counts, one that nothing defines does not.
    pub fn base_tables(&self, wanted: &[&str]) -> Vec<&'static str> {
        self.behind(wanted, |metric| metric.needs.iter().chain(&metric.also).collect())
    }

    /// Those of [`Self::base_tables`] without which there is no answer.
    pub fn necessary_tables(&self, wanted: &[&str]) -> Vec<&'static str> {
        self.behind(wanted, |metric| metric.needs.iter().collect())
    }

    /// Those behind these tables that read pipes.
    pub fn reading_pipes(&self, wanted: &[&str]) -> Vec<&'static str> {
        let all = self.steps(wanted).into_iter().flatten();
        all.filter(|metric| metric.reads_pipes).map(|metric| metric.def.name).collect()
    }

    fn behind(&self, wanted: &[&str], of: fn(&Metric) -> Vec<&String>) -> Vec<&'static str> {
        let (mut seen, mut base) = (BTreeSet::new(), BTreeSet::new());
        let mut open: Vec<&str> = wanted.to_vec();
        while let Some(name) = open.pop() {
            if let Some(name) = base_table(name) {
                base.insert(name);
            } else if let Some(metric) = self.get(name)
                && seen.insert(metric.def.name)
            {
                open.extend(of(metric).into_iter().map(String::as_str));
            }
        }
        base.into_iter().collect()
    }

    /// The metrics behind these names, in steps: each needs only base tables
    /// and metrics of earlier steps.
    pub(crate) fn steps(&self, wanted: &[&str]) -> Vec<Vec<&Metric>> {
        let mut depths = BTreeMap::new();
        for name in wanted {
            self.depth(name, &mut depths);
        }
        let deepest = depths.values().copied().max().unwrap_or(0);
        let at = |depth| depths.iter().filter(move |(_, d)| **d == depth);
        let step = |depth| at(depth).filter_map(|(name, _)| self.get(name)).collect();
        (1..=deepest).map(step).collect()
    }

    /// 0 for a base table; for a metric one more than the most of those it reads.
    fn depth<'a>(&'a self, name: &str, known: &mut BTreeMap<&'a str, usize>) -> usize {
        let Some(metric) = self.get(name) else { return 0 };
        if let Some(depth) = known.get(metric.def.name) {
            return *depth;
        }
        let read = metric.needs.iter().chain(&metric.also);
        let needs = read.map(|need| self.depth(need, known)).max();
        let depth = needs.unwrap_or(0) + 1;
        known.insert(metric.def.name, depth);
        depth
    }

    /// Every need is there, and none leads back.
    fn check_needs(&self) -> Result<(), MetricError> {
        for metric in self.metrics() {
            for need in metric.needs.iter().chain(&metric.also) {
                if base_table(need).is_none() && self.get(need).is_none() {
                    let what = format!("needs {need}, which is neither a table nor a metric");
                    return Err(MetricError::Format { file: metric.file.clone(), line: 1, what });
                }
            }
            let (mut seen, mut open) = (BTreeSet::new(), vec![metric]);
            while let Some(at) = open.pop() {
                for need in at.needs.iter().chain(&at.also).filter_map(|need| self.get(need)) {
                    if need.def.name == metric.def.name {
                        return Err(MetricError::Circle(need.def.name.to_owned()));
                    }
                    if seen.insert(need.def.name) {
                        open.push(need);
                    }
                }
            }
        }
        Ok(())
    }
}

fn base_table(name: &str) -> Option<&'static str> {
    TableId::ALL.into_iter().map(|id| id.def().name).find(|base| *base == name)
}

fn format_error(HeaderError { file, line, what }: HeaderError) -> MetricError {
    MetricError::Format { file, line, what }
}

fn read_and_lint(header: &Header<'_>) -> Result<Metric, MetricError> {
    let metric = read(header)?;
    match lint(&metric.sql).into_iter().next().filter(|_| !metric.sql.is_empty()) {
        Some((_, what)) => Err(format_error(header.error(1, what))),
        None => Ok(metric),
    }
}

fn read(header: &Header<'_>) -> Result<Metric, MetricError> {
    let parsed = header::parse(header).map_err(format_error)?;
    let Parsed { def, notes, question, needs, requires, also, reads_pipes, computed, sql } = parsed;
    let computation = computed.map(|function| {
        let what = || format!("there is no computation {function:?}");
        parts::named(&function).ok_or_else(|| format_error(header.error(1, what())))
    });
    let computation = computation.transpose()?;
    let file = header.file.to_string();
    let union = UnionParts::default();
    Ok(Metric {
        file,
        def,
        notes,
        question,
        needs,
        requires,
        also,
        reads_pipes,
        sql,
        computation,
        union,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(needs: &str) -> String {
        format!("-- A.\n-- rows: r\n-- needs: {needs}\n-- log | i32 | log | l\nselect log from x")
    }

    #[test]
    fn the_files_of_this_project_are_right() {
        let catalog = Catalog::of(HEADERS.iter().map(read_and_lint));
        let catalog = catalog.unwrap_or_else(|e| panic!("{e}"));
        for metric in catalog.metrics() {
            if metric.sql.is_empty() {
                continue;
            }
            let statements = diya_query::statements(&metric.sql);
            let statements = statements.unwrap_or_else(|e| panic!("{}: {e}", metric.file));
            let named: BTreeSet<&str> =
                statements.iter().flat_map(|s| s.tables.iter().map(String::as_str)).collect();
            let read = metric.needs.iter().chain(&metric.also);
            let read: BTreeSet<&str> = read.map(String::as_str).collect();
            assert_eq!(named, read, "{}: needs, also, and tables read", metric.file);
        }
    }

    #[test]
    fn steps_follow_the_needs() {
        let files = [("m/a.sql", text("posix")), ("m/b.sql", text("a, job"))];
        let files = files.each_ref().map(|(file, text)| (*file, text.as_str()));
        let catalog = Catalog::new(&files).expect("is right");
        let steps = catalog.steps(&["b"]);
        let names: Vec<Vec<&str>> =
            steps.iter().map(|step| step.iter().map(|m| m.def.name).collect()).collect();
        assert_eq!(names, [["a"], ["b"]]);
        assert_eq!(catalog.base_tables(&["b", "file"]), ["file", "job", "posix"]);
        assert!(catalog.steps(&["posix"]).is_empty());
    }

    #[test]
    fn a_circle_a_second_table_and_an_unknown_need_are_refused() {
        let circle = [("m/a.sql", text("b")), ("m/b.sql", text("a"))];
        let circle = circle.each_ref().map(|(file, text)| (*file, text.as_str()));
        assert!(matches!(Catalog::new(&circle), Err(MetricError::Circle(_))));
        let base = text("job");
        assert!(matches!(Catalog::new(&[("m/posix.sql", &base)]), Err(MetricError::Twice { .. })));
        let unknown = text("nothing");
        assert!(matches!(Catalog::new(&[("m/a.sql", &unknown)]), Err(MetricError::Format { .. })));
    }
}
