//! Deciding: every check over all logs at once, four verdicts per log.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use diya_metrics::{Catalog, Failed};
use diya_query::{Limits, Query};

use crate::Block;
use crate::account::{self, Account};
use crate::combined_gain::{self, METRICS_NEEDED};
use crate::damage::{Affected, Damage, ON_REQUEST, Unseen, base_tables, necessary_tables};
use crate::finding::{LogVerdicts, Verdicts};
use crate::header::Stage;
use crate::no_rows::has_no_rows;
use crate::overlap::{self, Known};
use crate::process_names::Names;
use crate::retract::retract;
use crate::rows::Table;
use crate::steps::{JudgedFinding, explained};
use crate::violation::{self, Paths, Surroundings, Violation};
use crate::{Check, CheckError, CheckName, Config, Explained, Severity, Unknown};

/// Tables that have to be there for these checks: what they need, what is
/// behind their metrics, and what the verdicts themselves are made of.
pub fn tables_needed(checks: &[Check], metrics: &Catalog) -> BTreeSet<String> {
    let own = ["job", "file", "read_issue"].map(str::to_owned);
    let of_verdicts: Vec<String> = METRICS_NEEDED.iter().map(|&name| name.to_owned()).collect();
    let own = own.into_iter().chain(base_tables(&of_verdicts, metrics));
    let needed = checks.iter().flat_map(|check| base_tables(&check.needs, metrics));
    needed.chain(own).collect()
}

/// Judges all logs of a query engine by these checks.
///
/// `metrics` gives the base tables behind the metric tables that checks
/// need; these are among the engine's tables, but for those that `failed`:
/// what needs one of them is unknown. A check whose query fails is skipped and
/// named in [`Verdicts::problems`]; the others run. Checks of the stage after see in
/// table `explained` what the findings of the others explain.
pub fn decide(
    query: &mut Query,
    checks: &[Check],
    config: &Config,
    metrics: &Catalog,
    failed: &[Failed],
) -> Result<Verdicts, CheckError> {
    let ask = |sql: &str| query.run(sql).and_then(|rows| Table::read(&rows));
    let jobs = ask("select log, run_time_s from job order by log")?;
    let issues = ask("select log, module, effect, loss, tables from read_issue")?;
    let unseen = ask("select log, module, effect from read_issue where kind = 'static_library'")?;
    let mut verdicts = Verdicts::default();
    let mut places = HashMap::new();
    for row in 0..jobs.rows() {
        let Some(log) = jobs.value(row, "log").integer() else { continue };
        places.insert(log, verdicts.logs.len());
        verdicts.logs.push(LogVerdicts {
            log: i32::try_from(log).unwrap_or(i32::MAX),
            run_time_s: jobs.value(row, "run_time_s").number(),
            all_fixed: None,
            findings: Vec::new(),
            passed: Vec::new(),
            not_applicable: Vec::new(),
            unknown: Vec::new(),
        });
    }
    let shared = Shared {
        config,
        metrics,
        failed,
        damage: Damage::read(&issues),
        unseen: Unseen::read(&unseen),
        captured: HashMap::new(),
        places,
    };
    let (after, first): (Vec<&Check>, Vec<&Check>) =
        checks.iter().partition(|check| check.stage == Stage::After);
    let mut judge = Judge { query, shared };
    let account = Account::read(judge.query);
    let mut violations = judge.violations(&first, &mut verdicts);
    // The findings of each log, in the order of the verdicts.
    let mut judged: Vec<Vec<JudgedFinding>> = verdicts.logs.iter().map(|_| Vec::new()).collect();
    add_findings(judge.query, config, &account, &violations, &mut verdicts.logs, &mut judged)?;
    if !after.is_empty() {
        let shared = judge.shared;
        // Cases of checks bring the table themselves.
        if query.is_empty("explained") {
            let rows_of = |(log, judged): (&LogVerdicts, &Vec<JudgedFinding>)| {
                let all = judged.iter().flat_map(|of| of.finding.explains.clone());
                (i64::from(log.log), all.collect())
            };
            let of_logs: Vec<(i64, Vec<Explained>)> =
                verdicts.logs.iter().zip(&judged).map(rows_of).collect();
            let of_logs = of_logs.iter().map(|(log, rows)| (*log, rows.as_slice()));
            if let Some(table) = account::table(&account, metrics, of_logs) {
                query.add(&table)?;
            }
        }
        judge = Judge { query, shared };
        let found = judge.violations(&after, &mut verdicts);
        add_findings(judge.query, config, &account, &found, &mut verdicts.logs, &mut judged)?;
        violations.extend(found);
        verdicts.logs.iter_mut().zip(&judged).for_each(|(log, of)| retract(log, of, checks));
    }
    let specific_checks = &overlap::specific_checks(checks);
    let mut by_log: Vec<Vec<&Violation<'_>>> = vec![Vec::new(); verdicts.logs.len()];
    violations.iter().for_each(|violation| by_log[violation.place].push(violation));
    for ((log, mut violations), judged) in verdicts.logs.iter_mut().zip(by_log).zip(judged) {
        let (number, run_s) = (i64::from(log.log), log.run_time_s);
        let limit = |class: Option<&str>| account.limit_s(number, class, run_s);
        let parts = violations.iter().map(|of| (of.check.id.as_str(), of.parts(limit))).collect();
        log.findings = explained(judged, checks, &Known { parts, specific_checks }, limit);
        // Findings explained by another one, and good news, add no saving.
        violations.retain(|violation| {
            let finding = log.found().find(|f| f.id == violation.check.id);
            finding.is_some_and(|f| f.explained_by.is_none() && f.severity != Severity::Ok)
        });
        log.all_fixed = combined_gain::of_all(violations.iter().map(|v| v.parts(limit)), limit);
    }
    Ok(verdicts)
}

/// Makes findings of violations.
fn add_findings(
    query: &Query,
    config: &Config,
    account: &Account,
    violations: &[Violation<'_>],
    logs: &mut [LogVerdicts],
    judged: &mut [Vec<JudgedFinding>],
) -> Result<(), CheckError> {
    let paths = Paths::read(query, violations)?;
    let names = Names::read(query);
    let around = Surroundings { config, account, paths: &paths, names: &names };
    for violation in violations {
        let log = &mut logs[violation.place];
        let of = violation::judged(violation, &around, log.run_time_s);
        if let Some(reason) =
            violation.on_part.clone().filter(|_| !violation.holds(&of.finding, log, config))
        {
            let (id, title) = (of.finding.id, of.finding.title);
            log.unknown.push(Unknown { id, title, reason, ..Unknown::default() });
            continue;
        }
        judged[violation.place].push(of);
    }
    Ok(())
}

/// What a query of a facility's check may take: far more than any has reason to, far less
/// than a join without its condition.
const LIMITS: Limits =
    Limits { rows: 5_000_000, time: std::time::Duration::from_secs(60), ..Limits::OF_A_PERSON };

/// Why a check cannot be answered for a log as a whole.
struct Missing {
    reason: String,
    /// What it finds in the rows that are there is true all the same.
    is_partial: bool,
    /// Logs of this kind do not hold what it asks for.
    is_kind: bool,
}

impl Missing {
    fn new(reason: String, is_partial: bool) -> Self {
        Self { reason, is_partial, is_kind: false }
    }

    fn unknown(self, check: &Check) -> Unknown {
        let topic = || check.topic.clone().unwrap_or_else(|| check.title.clone());
        let topic = self.is_kind.then(topic);
        let (id, title) = (check.id.clone(), check.title.clone());
        let hides_time = self.is_kind && check.hides_time;
        Unknown { id, title, reason: self.reason, topic, hides_time }
    }
}

/// Recordings that say how many calls there were, and that there was none: they hold all of them.
const WITHOUT_CALLS: &str = "select log from process group by log \
                             having sum(calls_recorded) = 0 and sum(calls_counted) = 0 \
                             and sum(calls_dropped) = 0";

/// Asks checks.
struct Judge<'q, 's> {
    query: &'q Query,
    shared: Shared<'s>,
}

/// What all checks share while they are asked.
struct Shared<'s> {
    config: &'s Config,
    metrics: &'s Catalog,
    /// Metrics that are not among the tables.
    failed: &'s [Failed],
    damage: Damage,
    unseen: Unseen,
    /// Logs with rows in a table that is filled on request only.
    captured: HashMap<&'static str, BTreeSet<i64>>,
    /// Where a log stands among the verdicts.
    places: HashMap<i64, usize>,
}

impl Judge<'_, '_> {
    /// The violations of these checks; a check that cannot be asked is a problem.
    fn violations<'c>(
        &mut self,
        checks: &[&'c Check],
        verdicts: &mut Verdicts,
    ) -> Vec<Violation<'c>> {
        let mut violations = Vec::new();
        for check in checks {
            match self.verdicts(check, &mut verdicts.logs) {
                Ok(found) => violations.extend(found),
                Err(problem) => verdicts.problems.push(problem),
            }
        }
        violations
    }

    /// Puts the check into one list of every log, but for the violations: these
    /// are given back until the names of their files are known.
    fn verdicts<'c>(
        &mut self,
        check: &'c Check,
        logs: &mut [LogVerdicts],
    ) -> Result<Vec<Violation<'c>>, CheckError> {
        let needed = necessary_tables(&check.needs, self.shared.metrics);
        let mut reasons = Vec::with_capacity(logs.len());
        for log in logs.iter() {
            reasons.push(match self.not_computed(check) {
                Some(reason) => Some(Missing::new(reason, false)),
                None => self.missing(i64::from(log.log), &needed, check)?,
            });
        }
        // A check that is unknown for all logs is not run.
        if reasons.iter().all(|missing| missing.as_ref().is_some_and(|m| !m.is_partial)) {
            for (log, missing) in logs.iter_mut().zip(reasons.into_iter().flatten()) {
                log.unknown.push(missing.unknown(check));
            }
            return Ok(Vec::new());
        }
        let applies = match has_no_rows(&check.applies.text, |table| self.query.is_empty(table)) {
            true => HashMap::new(),
            false => self.rows_by_log(check, &check.applies)?.1,
        };
        let (table, mut rows) = if applies.is_empty() {
            (None, HashMap::new())
        } else {
            let (table, rows) = self.rows_by_log(check, &check.evidence)?;
            (Some(Rc::new(table)), rows)
        };
        if let Some(table) = &table {
            let is_made = |c: &str| c == "file" || c == "saved_s" && table.has("lost_high_s");
            let is_known = |c: &str| check.params.contains_key(c) || is_made(c) || table.has(c);
            let named = check.sentence.columns().chain(check.remedy.columns());
            let named = named.chain(check.conditions.iter().map(|(.., column)| *column));
            if let Some(column) = named.into_iter().find(|c| !is_known(c)) {
                let what =
                    format!("the evidence has no column {column} for the sentence or the fix");
                return Err(CheckError::page(&check.path, check.evidence.line, what));
            }
        }
        let mut violations = Vec::new();
        for ((place, log), missing) in logs.iter_mut().enumerate().zip(reasons) {
            let number = i64::from(log.log);
            let (id, title) = (check.id.clone(), check.title.clone());
            // What the rows that are there prove stays, where the check says so.
            let rest = missing.as_ref().is_none_or(|missing| missing.is_partial);
            let found = rows.remove(&number).filter(|_| rest && applies.contains_key(&number));
            let cost_s = |row: &usize| table.as_ref()?.value(*row, "lost_high_s").number();
            let is_worth = |rows: &Vec<usize>| {
                check.is_worth(rows.iter().map(cost_s).sum(), self.shared.config)
            };
            let found = found.filter(is_worth);
            if let (Some(rows), Some(table)) = (found, &table) {
                let on_part = missing.map(|missing| missing.reason);
                violations.push(Violation {
                    check,
                    place,
                    number,
                    table: table.clone(),
                    rows,
                    on_part,
                });
            } else if let Some(missing) = missing {
                log.unknown.push(missing.unknown(check));
            } else if !applies.contains_key(&number) {
                log.not_applicable.push(CheckName { id, title });
            } else {
                log.passed.push(CheckName { id, title });
            }
        }
        Ok(violations)
    }

    /// The rows of a query, by log.
    fn rows_by_log(
        &self,
        check: &Check,
        query: &Block,
    ) -> Result<(Table, HashMap<i64, Vec<usize>>), CheckError> {
        let failed =
            |source| CheckError::Query { path: check.path.clone(), line: query.line, source };
        let sql = check.sql(query, self.shared.config);
        // Looking at the depth of our own text, and a thread to plan it, cost as much as
        // running it.
        let limits = if check.is_builtin { Limits::NONE } else { LIMITS };
        let rows = self.query.run_within(&sql, limits).map_err(failed)?;
        let table = Table::read(&rows).map_err(failed)?;
        if !table.has("log") {
            let what = "the query has no column log: it is to judge many logs at once";
            return Err(CheckError::page(&check.path, query.line, what));
        }
        let mut by_log: HashMap<i64, Vec<usize>> = HashMap::new();
        for row in 0..table.rows() {
            let log = table.value(row, "log").integer();
            if let Some(log) = log.filter(|log| self.shared.places.contains_key(log)) {
                by_log.entry(log).or_default().push(row);
            }
        }
        Ok((table, by_log))
    }

    /// Why no log can be judged: a metric is not there.
    fn not_computed(&self, check: &Check) -> Option<String> {
        let is_needed = |failed: &&Failed| check.needs.contains(&failed.metric);
        let failed = self.shared.failed.iter().find(is_needed)?;
        Some(format!("the metric {} could not be computed: {}", failed.metric, failed.error))
    }

    /// Why a log cannot be judged by what is in these tables.
    fn missing(
        &mut self,
        log: i64,
        needed: &BTreeSet<String>,
        check: &Check,
    ) -> Result<Option<Missing>, CheckError> {
        if let Some(reason) = self.shared.unseen.of(log, &check.layer) {
            return Ok(Some(Missing::new(reason.to_owned(), false)));
        }
        let damage = match check.stage {
            Stage::First => self.shared.damage.of(log, needed),
            // It is about all that the others are about.
            Stage::After => {
                let all = base_tables(&check.needs, self.shared.metrics);
                self.shared.damage.of(log, &all)
            }
        };
        // Doubtful rows prove nothing.
        let is_partial = |affected: &Affected| check.on_part.is_some() && !affected.is_doubtful;
        if let Some(affected) = damage.as_ref().filter(|affected| !is_partial(affected)) {
            return Ok(Some(Missing::new(affected.reason.clone(), false)));
        }
        for name in ON_REQUEST.iter().filter(|name| needed.contains(**name)) {
            if !self.shared.captured.contains_key(name) {
                let mut logs = self.logs_of(&format!("select log from {name} group by log"))?;
                if *name == "call" {
                    // Who judges tables of another source has none of processes.
                    logs.extend(self.logs_of(WITHOUT_CALLS).unwrap_or_default());
                }
                self.shared.captured.insert(name, logs);
            }
            if !self.shared.captured[name].contains(&log) {
                let reason = format!("needs table `{name}`, which this log does not have");
                return Ok(Some(Missing { is_kind: true, ..Missing::new(reason, false) }));
            }
        }
        Ok(damage.map(|Affected { reason, .. }| Missing::new(reason, true)))
    }

    /// The logs that a query names.
    fn logs_of(&self, sql: &str) -> Result<BTreeSet<i64>, CheckError> {
        let rows = self.query.run(sql)?;
        let table = Table::read(&rows)?;
        Ok((0..table.rows()).filter_map(|row| table.value(row, "log").integer()).collect())
    }
}
