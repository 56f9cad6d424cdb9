//! Source lines of findings: where in the program the calls are made that a
//! finding is about.

use super::beside_calls::{BesideCalls, CALLS, place, text_of};
use super::cells::{Cells, Row};
use super::line_cost::LineCost;
use crate::{AskError, Session};
use diya_metrics::Catalog;
use diya_report::{Finding, OtherLines, SourceLine, Value};
use diya_tables::Batches;
use std::collections::{BTreeMap, BTreeSet};

/// Lines that a finding names.
const NAMED: usize = 5;

/// Lines of a fix that a finding names.
const CHANGED: usize = 2;

/// Share of the time below which a line is not named: mending it saves nothing that one
/// would notice, and who reads the finding looks at the wrong place.
const NAMED_SHARE: f64 = 0.02;

/// Share of the calls below which a line is not named, where times are not known by line.
const NAMED_CALLS: f64 = 0.05;

/// Calls that take less than this share of what a finding saves are not where its time passes.
const OWN_SHARE: f64 = 0.05;

/// Calls that end what another one began: its time is no reason to look there first.
const ENDS: [&str; 2] = ["close", "unmap"];

/// Calls of a line that begin something, over those of the line that ends it, from which on they
/// are about the same things.
const BEGINS_SHARE: f64 = 0.5;

/// What a line costs by what it calls, in one layer.
type Called = BTreeMap<Option<String>, LineCost>;

/// Where a finding is in the program.
#[derive(Debug, Default)]
pub(super) struct SourcePlaces {
    /// As in [`Finding::source`].
    pub source: Vec<String>,
    /// As in [`Finding::lines`].
    pub lines: Vec<SourceLine>,
    /// As in [`Finding::other_lines`].
    pub other_lines: Option<OtherLines>,
    /// As in [`Finding::lines_of`].
    pub lines_of: Option<String>,
}

/// What each line costs, in recordings with call stacks.
pub(super) struct SourceTime {
    lines: Option<Cells>,
    paths: BTreeMap<(i32, u64), String>,
}

impl SourceTime {
    /// Asks only where there are stacks: the question goes over all calls.
    pub fn read(session: &Session<'_>) -> Result<Self, AskError> {
        let metric = Catalog::built_in().get("source_caller");
        let has_stacks = session.table("user_frame").is_some_and(|table| table.rows() > 0);
        let Some(metric) = metric.filter(|_| has_stacks) else {
            return Ok(Self { lines: None, paths: BTreeMap::new() });
        };
        let rows = session.engine()?.run(&metric.sql)?;
        let lines = Cells::read(&Batches::new(metric.def, rows.batches));
        let files = super::table(session, "file")?;
        let mut paths = BTreeMap::new();
        for log in files.logs() {
            for row in files.rows(log) {
                if let (Value::Unsigned(id), Some(path)) = (row.value("file_id"), row.text("path"))
                {
                    paths.insert((log, id), path);
                }
            }
        }
        Ok(Self { lines: Some(lines), paths })
    }

    /// What the lines of a finding cost, the most expensive first: those of its files, of its
    /// kinds of calls (`ops`, where no row names one) and its layers. A finding that names lines
    /// keeps these.
    pub fn of(&self, log: i32, finding: &Finding, ops: &[String]) -> SourcePlaces {
        let named = || SourcePlaces { source: finding.source.clone(), ..SourcePlaces::default() };
        let Some(lines) = &self.lines else { return named() };
        let said = |column: &str| -> Vec<&str> {
            let values = finding.evidence.iter().filter_map(|row| row.values.get(column));
            values
                .filter_map(|v| if let Value::Text(text) = v { Some(&**text) } else { None })
                .collect()
        };
        let layer = finding.layer.as_str();
        let (mut of_ops, mut layers) = (said("op"), said("layer"));
        if of_ops.is_empty() {
            of_ops = ops.iter().map(String::as_str).collect();
        }
        if layers.is_empty() && ["posix", "stdio", "mpiio", "netcdf"].contains(&layer) {
            layers.push(layer);
            // Checks of files look at streams, too.
            if layer == "posix" {
                layers.push("stdio");
            }
        }
        if finding.files.is_empty() && of_ops.is_empty() {
            return named();
        }
        let mut ranked = self.ranked(lines, log, finding, &of_ops, &layers);
        if ranked.is_empty() {
            // Checks of POSIX see the opens of C streams as well.
            ranked = self.ranked(lines, log, finding, &of_ops, &[]);
        }
        let (mut named_lines, other_lines) = if finding.source.is_empty() {
            worth_naming(ranked)
        } else {
            let costs: Vec<SourceLine> =
                finding.source.iter().filter_map(|source| cost_of(source, &ranked)).collect();
            // A list in which lines are missing would hide them.
            if costs.len() < finding.source.len() {
                return named();
            }
            let others = others(&ranked, &costs);
            (costs, others)
        };
        // Said once of lines of one function that one place calls.
        for at in (1..named_lines.len()).rev() {
            let same = named_lines[at].callers == named_lines[at - 1].callers;
            if same && named_lines[at].callers.len() == 1 {
                named_lines[at].callers.clear();
            }
        }
        let source = match named_lines.is_empty() {
            true => finding.source.clone(),
            false => named_lines.iter().map(|line| line.source.clone()).collect(),
        };
        SourcePlaces { source, lines: named_lines, other_lines, lines_of: part_of_files(finding) }
    }

    /// The lines that the fix changes, where time passes in others (`source`): the program's calls
    /// of these kinds on the files of the finding.
    pub fn changes(
        &self,
        log: i32,
        finding: &Finding,
        source: &[String],
        ops: &[String],
    ) -> Vec<String> {
        let ops: Vec<&str> = ops.iter().map(String::as_str).collect();
        let is_asked = !finding.files.is_empty() && !ops.is_empty();
        let Some(lines) = self.lines.as_ref().filter(|_| is_asked) else { return Vec::new() };
        // Other files of the evidence may be opened for something else.
        let worst = finding.evidence.first().and_then(|row| text_of(row, "file"));
        let files = worst.filter(|file| finding.files.contains(file)).map(|file| vec![file]);
        let worst =
            Finding { files: files.unwrap_or_else(|| finding.files.clone()), ..finding.clone() };
        let mut ranked = self.ranked(lines, log, &worst, &ops, &[]);
        ranked.sort_by_key(|line| std::cmp::Reverse(line.calls));
        let named: BTreeSet<&str> = source.iter().map(|source| place(source)).collect();
        let others = ranked.iter().filter(|line| !named.contains(place(&line.source)));
        others.take(CHANGED).map(|line| line.source.clone()).collect()
    }

    /// Lines with calls of these kinds and layers on the files of a finding.
    fn ranked(
        &self,
        lines: &Cells,
        log: i32,
        finding: &Finding,
        ops: &[&str],
        layers: &[&str],
    ) -> Vec<SourceLine> {
        let mut costs: BTreeMap<String, BTreeMap<String, Called>> = BTreeMap::new();
        let mut of_libraries: BTreeSet<String> = BTreeSet::new();
        let mut beside = BesideCalls::default();
        let mut begins: BTreeMap<String, i64> = BTreeMap::new();
        // A finding about files that it does not name is not about the folders that are listed.
        let is_listing = |row: &Row<'_>| row.text("op").as_deref() == Some("list");
        let looks_at_all = finding.files.is_empty() && !ops.contains(&"list");
        let listings = lines.rows(log).filter(|row| looks_at_all && is_listing(row));
        let folders: BTreeSet<u64> = listings.filter_map(|row| id_of(&row)).collect();
        for row in lines.rows(log) {
            let id = id_of(&row);
            let path = id.and_then(|id| self.paths.get(&(log, id)));
            let is_file = match finding.files.is_empty() {
                true => id.is_none_or(|id| !folders.contains(&id)),
                false => path.is_some_and(|path| is_in(path, &finding.files)),
            };
            let is_one_of = |column: &str, of: &[&str]| {
                of.is_empty() || row.text(column).is_some_and(|text| of.contains(&text.as_str()))
            };
            let source = row.text("source").unwrap_or_default();
            // Loading modules at the start is no part of what other findings are about.
            let is_meant = finding.layer == "python" || !source.contains(IMPORTS);
            if is_meant && is_file && is_one_of("op", ops) && is_one_of("layer", layers) {
                let called = row.text("library_call").or_else(|| row.text("function"));
                if row.text("origin").as_deref() == Some("library") {
                    of_libraries.insert(source.clone());
                }
                let calls = row.integer("calls").unwrap_or(0);
                if !row.text("op").is_some_and(|op| ENDS.contains(&op.as_str())) {
                    *begins.entry(place(&source).to_owned()).or_default() += calls;
                }
                beside.add(path, row.text("op"), &source, calls);
                let time_s = row.number("time_s").unwrap_or(0.0);
                let layer = row.text("layer").unwrap_or_default();
                let of_layer = costs.entry(source).or_default().entry(layer).or_default();
                let cost = of_layer.entry(called).or_default();
                cost.add(row.text("callers").unwrap_or_default(), calls, time_s);
                cost.symbol = row.text("symbol");
            }
        }
        // The calls of a layer contain those of the layers below: together they would count twice.
        let outermost = |(source, layers): (String, BTreeMap<String, Called>)| {
            let time_s = |called: &Called| called.values().map(LineCost::time_s).sum::<f64>();
            let most = layers.into_iter().max_by(|a, b| time_s(&a.1).total_cmp(&time_s(&b.1)));
            let (layer, lines) = most.unwrap_or_default();
            let line =
                move |(called, cost): (_, LineCost)| cost.line(shown(&source, called), &layer);
            lines.into_iter().map(line).collect::<Vec<_>>()
        };
        let mut ranked: Vec<SourceLine> = costs.into_iter().flat_map(outermost).collect();
        let is_library = |line: &SourceLine| of_libraries.contains(place(&line.source));
        // Seconds that follow from a call, such as those of a program that it starts, say nothing
        // of its lines, and its own would mislead: then only the user's own lines count, if there are any.
        let time_s: f64 = ranked.iter().map(|line| line.time_s).sum();
        if finding.saved_s.is_some_and(|saved_s| time_s < OWN_SHARE * saved_s) {
            ranked.iter_mut().for_each(|line| line.time_s = 0.0);
            if ranked.iter().any(|line| !is_library(line)) {
                ranked.retain(|line| !is_library(line));
            }
            let shares = beside.shares(finding);
            let share_s =
                |line: &SourceLine| shares.get(place(&line.source)).copied().unwrap_or(0.0);
            ranked.sort_by(|a, b| share_s(b).total_cmp(&share_s(a)).then(b.calls.cmp(&a.calls)));
        } else {
            ranked.sort_by(|a, b| b.time_s.total_cmp(&a.time_s));
        }
        lead_with_what_begins(&mut ranked, &begins);
        ranked
    }
}

/// What is closed or unmapped at one line was opened or mapped at another one, which has to change:
/// that one comes first.
fn lead_with_what_begins(ranked: &mut [SourceLine], begins: &BTreeMap<String, i64>) {
    let begun = |line: &SourceLine| begins.get(place(&line.source)).copied().unwrap_or(0);
    let Some(first) = ranked.first().filter(|first| begun(first) == 0) else { return };
    let least = first.calls as f64 * BEGINS_SHARE;
    if let Some(at) = ranked.iter().position(|line| begun(line) as f64 >= least.max(1.0)) {
        ranked[..=at].rotate_right(1);
    }
}

/// `1 of 8 files`, where the evidence is about more files than the finding names.
fn part_of_files(finding: &Finding) -> Option<String> {
    let named = finding.files.len();
    let in_rows = finding.evidence.iter().filter_map(|row| match row.values.get("files")? {
        Value::Integer(files) => usize::try_from(*files).ok(),
        _ => None,
    });
    // A row for each file, and more of them than a finding keeps names.
    let rows = if named >= MOST_FILES { finding.evidence_rows } else { 0 };
    let all = in_rows.max().unwrap_or(0).max(rows);
    (named > 0 && all > named).then(|| format!("{named} of {all} files"))
}

/// Files that a finding names.
const MOST_FILES: usize = 50;

/// Python's own code that loads modules, in the place of a line.
const IMPORTS: &str = "(<frozen importlib";

fn id_of(row: &Row<'_>) -> Option<u64> {
    if let Value::Unsigned(id) = row.value("file_id") { Some(id) } else { None }
}

/// Is a path one of these files, or an object in one: `/data/a.h5:/group/x`?
fn is_in(path: &str, files: &[String]) -> bool {
    let is_named = |path: &str| files.iter().any(|file| file == path);
    is_named(path) || path.rsplit_once(':').is_some_and(|(file, _)| is_named(file))
}

/// The cost of a line that a check names: of all that it calls, with the names of these calls.
fn cost_of(source: &str, ranked: &[SourceLine]) -> Option<SourceLine> {
    let calls_of = |line: &SourceLine| -> Option<String> {
        let called = line.source.strip_prefix(source)?;
        Some(called.strip_prefix(CALLS).unwrap_or(called).to_owned())
            .filter(|_| called.is_empty() || called.starts_with(CALLS))
    };
    let all = || ranked.iter().filter(|line| calls_of(line).is_some());
    let most = all().next()?.clone();
    let (calls, time_s) = (all().map(|l| l.calls).sum(), all().map(|l| l.time_s).sum());
    let names: Vec<String> = all().filter_map(calls_of).filter(|name| !name.is_empty()).collect();
    let source = shown(source, (!names.is_empty()).then(|| names[..names.len().min(2)].join(", ")));
    Some(SourceLine { source, calls, time_s, ..most })
}

/// All lines but those that a check names.
fn others(ranked: &[SourceLine], named: &[SourceLine]) -> Option<OtherLines> {
    let is_named =
        |line: &&SourceLine| named.iter().any(|one| place(&one.source) == place(&line.source));
    let others: Vec<&SourceLine> = ranked.iter().filter(|line| !is_named(line)).collect();
    let rest = OtherLines {
        lines: i64::try_from(others.len()).unwrap_or(i64::MAX),
        calls: others.iter().map(|line| line.calls).sum(),
        time_s: others.iter().map(|line| line.time_s).sum(),
    };
    (rest.lines > 0).then_some(rest)
}

/// The lines that take most of the time, or make most calls where times are 0, of lines
/// in the order of their times, the first
/// one in any case; and the others.
fn worth_naming(ranked: Vec<SourceLine>) -> (Vec<SourceLine>, Option<OtherLines>) {
    let least_s = ranked.iter().map(|line| line.time_s).sum::<f64>() * NAMED_SHARE;
    let all_calls: i64 = ranked.iter().map(|line| line.calls).sum();
    // Without times, calls say where it passes.
    let least_calls = if least_s > 0.0 { 0.0 } else { all_calls as f64 * NAMED_CALLS };
    let is_dear = |line: &SourceLine| line.time_s >= least_s && line.calls as f64 >= least_calls;
    let is_worth = |(at, line): &(usize, SourceLine)| *at == 0 || (*at < NAMED && is_dear(line));
    let (named, others): (Vec<_>, Vec<_>) = ranked.into_iter().enumerate().partition(is_worth);
    let rest = OtherLines {
        lines: i64::try_from(others.len()).unwrap_or(i64::MAX),
        calls: others.iter().map(|(_, line)| line.calls).sum(),
        time_s: others.iter().map(|(_, line)| line.time_s).sum(),
    };
    (named.into_iter().map(|(_, line)| line).collect(), (rest.lines > 0).then_some(rest))
}

/// The user's line, and what it calls: `save (app.cpp:4), calls std::endl`.
fn shown(source: &str, library_call: Option<String>) -> String {
    match library_call {
        Some(called) => format!("{source}{CALLS}{called}"),
        None => source.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{cost_of, is_in, lead_with_what_begins, worth_naming};
    use diya_report::SourceLine;

    #[test]
    fn a_line_that_maps_leads_before_the_one_that_unmaps() {
        let line = |source: &str, calls: i64| SourceLine {
            source: source.to_owned(),
            calls,
            ..SourceLine::default()
        };
        let begins = [("read (a.py:1)".to_owned(), 3), ("map (a.py:4)".to_owned(), 90)].into();
        let mut ranked = [
            line("loop (a.py:9), calls munmap", 100),
            line("read (a.py:1), calls read", 3),
            line("map (a.py:4), calls mmap", 90),
        ];
        lead_with_what_begins(&mut ranked, &begins);
        let first: Vec<&str> = ranked.iter().map(|line| line.source.as_str()).collect();
        assert_eq!(first[..2], ["map (a.py:4), calls mmap", "loop (a.py:9), calls munmap"]);
    }

    #[test]
    fn a_dataset_is_in_its_file() {
        let files = ["/data/a.h5".to_owned()];
        let found = ["/data/a.h5", "/data/a.h5:/group/x", "/data/b.h5:/x", "/data/a.h5.old"];
        assert_eq!(found.map(|path| is_in(path, &files)), [true, true, false, false]);
    }

    #[test]
    fn a_line_that_takes_hardly_any_of_the_time_is_not_named() {
        let lines = |times: &[f64]| {
            let line = |time_s: &f64| SourceLine { time_s: *time_s, ..SourceLine::default() };
            let (named, others) = worth_naming(times.iter().map(line).collect());
            (named.len(), others.map_or(0, |others| others.lines))
        };
        assert_eq!(lines(&[0.9, 0.05, 0.001]), (2, 1));
        assert_eq!(lines(&[0.0, 0.0]), (2, 0), "without times all are named");
        assert_eq!(lines(&[1.0; 9]), (5, 4));
        assert_eq!(lines(&[]), (0, 0));
    }

    #[test]
    fn a_line_that_a_check_names_costs_what_all_its_calls_do() {
        let line = |source: &str, calls, time_s| SourceLine {
            source: source.to_owned(),
            calls,
            time_s,
            ..SourceLine::default()
        };
        let ranked = [
            line("save (a.c:3), calls fwrite", 4, 2.0),
            line("save (a.c:30)", 9, 1.0),
            line("save (a.c:3)", 1, 0.5),
        ];
        let found = cost_of("save (a.c:3)", &ranked);
        assert_eq!(found, Some(line("save (a.c:3), calls fwrite", 5, 2.5)));
        assert_eq!(cost_of("load (a.c:3)", &ranked), None);
    }
}
