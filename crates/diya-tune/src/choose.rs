//! Which settings fit the findings of a job, and with which values.

use crate::condition::Harm;
use crate::ground::{self, Ground, Refusal};
use crate::library::{Effect, Library, OTHER, OutputFile, Reason, Setting};
use crate::plan::{Chosen, FileUse, LAYOUT_VERSION, OtherValue, Plan, SettingValue, Without};
use crate::rows::{self, Row};
use crate::{TuneError, finding_table, number, path, pattern, template};
use diya::Session;
use diya::report::{Finding, Report, Severity, Value, printable};
use diya_query::{Limits, Query};
use std::collections::BTreeSet;

/// Chooses settings for the job of a session that was diagnosed.
pub fn tune(
    session: &mut Session<'_>,
    report: &Report,
    library: &Library,
) -> Result<Plan, TuneError> {
    let mut tables = BTreeSet::from(["process", "mpi_hint"].map(str::to_owned));
    let is_found = |reason: &Reason| report.findings.iter().any(|f| f.id == reason.check);
    for setting in library.settings.iter().filter(|s| s.reason.iter().any(is_found)) {
        for sql in library.statements(setting) {
            for statement in diya_query::statements(&sql)? {
                tables.extend(statement.tables);
            }
        }
    }
    session.prepare(&tables.iter().map(String::as_str).collect::<Vec<_>>())?;
    choose(session.query_mut()?, report, library)
}

/// Chooses settings with an engine that has the tables they need.
pub fn choose(query: &mut Query, report: &Report, library: &Library) -> Result<Plan, TuneError> {
    let mpi = mpi_family(query)?;
    let (mut settings, mut problems) = (Vec::<Chosen>::new(), Vec::new());
    let mut refused = Vec::new();
    for setting in &library.settings {
        let Some(file) = library.file_of(setting) else { continue };
        let reasons = reasons(setting, report);
        if reasons.is_empty() {
            continue;
        }
        let mut job = Job { query: &mut *query, report, library, mpi: mpi.as_deref() };
        match job.chosen(setting, file, &reasons) {
            Ok(new) => settings.extend(new),
            Err(Refusal::NotApplicable(why)) => refused.push((setting, why)),
            Err(Refusal::Fault(fault)) => problems.push(format!("{}: {fault}", setting.id)),
        }
    }
    one_value_per_key(&mut settings);
    let without = without(report, library, &settings, &refused);
    let is_used = |file: &&OutputFile| settings.iter().any(|setting| setting.file == file.name);
    let files = library.files.iter().filter(is_used);
    let usage = |file: &OutputFile| FileUse { name: file.name.clone(), usage: file.usage.clone() };
    Ok(Plan {
        version: LAYOUT_VERSION,
        program: format!("diya {}", diya::VERSION),
        logs: report.logs.iter().map(|log| printable(log).into_owned()).collect(),
        mpi,
        files: files.map(usage).collect(),
        settings,
        without,
        problems,
    })
}

/// Good news, and time without a known cause, have no fix.
fn is_fault(finding: &Finding) -> bool {
    !matches!(finding.severity, Severity::Ok | Severity::Unexplained)
}

/// Every setting can do harm: one for less than a millisecond is not worth it. A saving that is
/// not known can be large.
fn is_worth_it(finding: &Finding) -> bool {
    finding.lost_high_s.is_none_or(|high_s| high_s >= 0.001)
}

/// The findings that no setting is for.
fn without(
    report: &Report,
    library: &Library,
    settings: &[Chosen],
    refused: &[(&Setting, String)],
) -> Vec<Without> {
    let mut without = Vec::new();
    for finding in report.findings.iter().filter(|f| is_fault(f)) {
        let is_for = |setting: &&Setting| setting.reason_of(&finding.id).is_some();
        let is_chosen = |setting: &Setting| settings.iter().any(|chosen| chosen.id == setting.id);
        if library.settings.iter().filter(is_for).any(is_chosen) {
            continue;
        }
        if !is_worth_it(finding) {
            without.push(Without {
                check: finding.id.clone(),
                finding: finding.title.clone(),
                why: "the estimated saving is less than 1 ms".to_owned(),
            });
            continue;
        }
        let whys = refused.iter().filter(|(setting, _)| is_for(setting));
        let mut whys: Vec<String> =
            whys.map(|(setting, why)| format!("{}: {why}", setting.id)).collect();
        if whys.is_empty() {
            whys.push("no setting changes this; `diya report` has the fix".to_owned());
        }
        without.push(Without {
            check: finding.id.clone(),
            finding: finding.title.clone(),
            why: whys.join("; "),
        });
    }
    without
}

/// The MPI library of the job; `None` where it is not recorded, or there are several.
fn mpi_family(query: &Query) -> Result<Option<String>, TuneError> {
    let sql = "select distinct mpi_family from process where mpi_family is not null";
    let rows = rows::all(&query.run(sql)?);
    let names = rows.iter().filter_map(|row| match row.get("mpi_family") {
        Some(Value::Text(name)) => Some(name.clone()),
        _ => None,
    });
    let names: Vec<String> = names.collect();
    Ok(<[String; 1]>::try_from(names).ok().map(|[name]| name))
}

/// The findings of the report that are reasons for a setting: the strongest first, and
/// those that another one explains last.
fn reasons<'a>(setting: &'a Setting, report: &'a Report) -> Vec<(&'a Reason, &'a Finding)> {
    let found = report.findings.iter().filter(|finding| is_fault(finding) && is_worth_it(finding));
    let mut reasons: Vec<_> =
        found.filter_map(|finding| Some((setting.reason_of(&finding.id)?, finding))).collect();
    let high_s = |finding: &Finding| finding.lost_high_s.unwrap_or(0.0);
    reasons.sort_by(|(_, a), (_, b)| {
        let is_explained = |finding: &Finding| finding.explained_by.is_some();
        is_explained(a).cmp(&is_explained(b)).then(high_s(b).total_cmp(&high_s(a)))
    });
    reasons
}

/// A key has one value for a path: that of the larger saving, else of the first setting.
fn one_value_per_key(settings: &mut Vec<Chosen>) {
    let weight = |chosen: &Chosen| chosen.saving_high_s.unwrap_or(0.0);
    let mut kept: Vec<Chosen> = Vec::new();
    for new in settings.drain(..) {
        let same = |old: &&mut Chosen| {
            (&old.file, &old.key, &old.path) == (&new.file, &new.key, &new.path)
        };
        match kept.iter_mut().find(same) {
            Some(old) if weight(&new) > weight(old) => *old = new,
            Some(_) => {}
            None => kept.push(new),
        }
    }
    *settings = kept;
}

/// The job that settings are chosen for.
struct Job<'j> {
    query: &'j mut Query,
    report: &'j Report,
    library: &'j Library,
    mpi: Option<&'j str>,
}

impl Job<'_> {
    /// The setting with its values; else why there is none.
    fn chosen(
        &mut self,
        setting: &Setting,
        file: &OutputFile,
        reasons: &[(&Reason, &Finding)],
    ) -> Result<Vec<Chosen>, Refusal> {
        let not_applicable = |why: String| Err(Refusal::NotApplicable(why));
        if let Some(mpi) = self.mpi
            && !setting.mpi.is_empty()
            && setting.mpi.iter().all(|known| known != mpi)
        {
            return not_applicable(format!("not for the MPI library of this job, {mpi}"));
        }
        if let Some(stack) = &setting.stack
            && self.report.job.stacks.iter().all(|used| used != stack)
        {
            return not_applicable(format!("the job does not use {stack}"));
        }
        let fault = |error: diya_query::QueryError| Refusal::Fault(error.to_string());
        let reasons = &ground::of(self.query, self.library, reasons)?[..];
        let findings: Vec<&Finding> = reasons.iter().map(|ground| ground.finding).collect();
        self.query.add(&finding_table::table(&findings)).map_err(fault)?;
        let harms = ground::harms(self.query, self.library, setting).map_err(fault)?;
        let answer =
            self.query.run_within(&setting.statement(), Limits::OF_A_PERSON).map_err(fault)?;
        let (mut chosen, mut why) = (Vec::<Chosen>::new(), None);
        for row in rows::all(&answer) {
            match of_row(setting, file, (reasons, &harms), &row) {
                Ok(new) if chosen.iter().any(|old| old.path == new.path) => {}
                Ok(new) if self.is_in_use(&new).map_err(fault)? => {
                    why = Some(format!("the job ran with {} = {} already", new.key, new.value));
                }
                Ok(new) => chosen.push(new),
                Err(Refusal::NotApplicable(of_row)) => why = Some(of_row),
                Err(fault) => return Err(fault),
            }
        }
        match chosen.is_empty() {
            false => Ok(chosen),
            true => not_applicable(why.unwrap_or_else(|| setting.no_value.clone())),
        }
    }

    /// Whether all files of the job had this hint: a recording holds what MPI-IO used.
    fn is_in_use(&self, chosen: &Chosen) -> Result<bool, diya_query::QueryError> {
        if chosen.layer != "mpiio" {
            return Ok(false);
        }
        // A key needs no quotes: the library checks that.
        let sql = format!(
            "select distinct value from mpi_hint where source = 'MPI_File_get_info' and hint = '{}'",
            chosen.key
        );
        let used = rows::all(&self.query.run(&sql)?);
        let value = Some(Value::Text(chosen.value.to_string()));
        Ok(!used.is_empty() && used.iter().all(|row| row.get("value") == value.as_ref()))
    }
}

/// The setting with the value of a row.
fn of_row(
    setting: &Setting,
    file: &OutputFile,
    (reasons, harms): (&[Ground<'_>], &[&Harm]),
    row: &Row,
) -> Result<Chosen, Refusal> {
    let null = Value::Null;
    let cell = |name: &str| row.get(name).unwrap_or(&null);
    if matches!(cell("value"), Value::Null) {
        return Err(Refusal::NotApplicable(setting.no_value.clone()));
    }
    let template = setting.line.as_deref().unwrap_or(&file.line);
    let of_path = match cell("path") {
        Value::Text(path) => match path::objection(path) {
            Some(why) => return Err(Refusal::NotApplicable(why.to_owned())),
            None => Some(path.clone()),
        },
        _ => None,
    };
    if of_path.is_none() && template::names(template).any(|name| name == "path") {
        return Err(Refusal::NotApplicable("the log holds no path".to_owned()));
    }
    let line_with = |value: &Value| {
        template::fill(template, |name| match name {
            "key" => Ok(setting.key.clone()),
            "path" => Ok(path::quoted(of_path.as_deref().unwrap_or_default())),
            // Without a path: every file.
            "pattern" => Ok(of_path
                .as_deref()
                .map_or_else(String::new, |path| format!(" {}", pattern::of_files(path)))),
            "value" => number::written(value).map_err(|why| format!("value: {why}")),
            name => number::written(cell(name)).map_err(|why| format!("{name}: {why}")),
        })
    };
    let line = line_with(cell("value"));
    let value = setting_value(cell("value")).map_err(Refusal::Fault)?;
    let mut others = Vec::<OtherValue>::new();
    for place in 0..setting.others.len() {
        let other = cell(&format!("{OTHER}{place}"));
        if matches!(other, Value::Null) {
            continue;
        }
        let other_line = line_with(other).map_err(Refusal::Fault)?;
        let other = setting_value(other).map_err(Refusal::Fault)?;
        if other != value && others.iter().all(|old| old.value != other) {
            others.push(OtherValue { value: other, line: other_line });
        }
    }
    let because = template::fill(&setting.because, |name| {
        let value = row.get(name).ok_or_else(|| format!("the SQL has no column {name}"))?;
        let unit = setting.unit.as_deref().filter(|_| name == "value");
        let column = unit.map_or_else(|| name.to_owned(), |unit| format!("value_{unit}"));
        number::shown(&column, value)
    });
    // The row says which finding it is about, where that matters.
    let named = match cell("check_id") {
        Value::Text(id) => reasons.iter().find(|ground| ground.reason.check == *id),
        _ => None,
    };
    let no_reason = || "there is no reason".to_owned();
    let Ground { reason, finding, unknown } =
        named.or(reasons.first()).ok_or_else(no_reason).map_err(Refusal::Fault)?;
    let is_whole = reason.effect == Effect::Whole;
    let high_s = finding.lost_high_s;
    let can_be_slower = harms.iter().any(|harm| harm.is_slower);
    let low_s = if is_whole { finding.lost_low_s } else { high_s.map(|_| 0.0) };
    Ok(Chosen {
        id: setting.id.clone(),
        file: file.name.clone(),
        layer: file.layer.clone(),
        key: setting.key.clone(),
        value,
        path: of_path,
        line: line.map_err(Refusal::Fault)?,
        others,
        what: setting.what.clone(),
        because: because.map_err(Refusal::Fault)?,
        reason: finding.id.clone(),
        finding: finding.title.clone(),
        saving_s: finding.saved_s.filter(|_| is_whole),
        saving_low_s: low_s.filter(|_| !can_be_slower),
        saving_high_s: high_s,
        condition: (!unknown.is_empty()).then(|| format!("{}.", unknown.join("; and "))),
        is_off: !unknown.is_empty(),
        needs: reason.needs.clone(),
        can_be_slower,
        harm: harms.iter().map(|harm| harm.words.clone()).collect(),
        undo: setting.undo.clone(),
    })
}

/// A whole number, or a word.
fn setting_value(value: &Value) -> Result<SettingValue, String> {
    match number::whole(value) {
        Some(number) => Ok(SettingValue::Number(number)),
        None => number::written(value).map(SettingValue::Text),
    }
}
