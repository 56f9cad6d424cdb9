//! Users to contact, with a ready text; no user twice within the quiet days.

use super::state::State;
use super::text::{number, shell_word};
use super::{Row, WatchOptions, objects, plain};
use crate::{AskError, FleetError, FleetQuery, Question};
use diya::diagnose::CheckSet;

/// Name of users whose name is unknown: they cannot be called.
const NOBODY: &str = "not recorded";

/// A user to contact.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Contact {
    /// System of the jobs.
    pub system: String,
    /// The user.
    pub user_name: String,
    /// Jobs with a saving.
    pub jobs: f64,
    /// Estimated saving of all of them, core-hours.
    pub core_hours: f64,
    /// Program of the job with the largest saving.
    pub program: String,
    /// Its most costly finding.
    pub check_id: Option<String>,
    /// Path of its log.
    pub example: String,
    /// The text, ready to be sent.
    pub text: String,
}

/// The users of a digest.
#[derive(Debug, Default)]
pub struct Contacts {
    pub calls: Vec<Contact>,
    pub called_before: usize,
}

pub fn choose(
    asked: &FleetQuery,
    questions: &[Question],
    state: &mut State,
    options: &WatchOptions,
) -> Result<Contacts, AskError> {
    let mut of = Contacts::default();
    let Some(question) = questions.iter().find(|of| of.name == "whom-to-call") else {
        return Ok(of);
    };
    let rows = objects(&asked.run(&super::changes::statement(question, options)?)?);
    let checks = CheckSet::builtin().map_err(FleetError::from)?;
    let today = options.today();
    let quiet = |day: &str| {
        let span = day
            .parse()
            .ok()
            .and_then(|day: jiff::civil::Date| today.since((jiff::Unit::Day, day)).ok());
        span.is_some_and(|span| i64::from(span.get_days()) < i64::from(options.quiet_days))
    };
    state.calls.retain(|_, day| quiet(day));
    for row in rows {
        let user = plain(row.get("user_name"));
        if user == NOBODY || of.calls.iter().any(|call| call.user_name == user) {
            continue;
        }
        if state.calls.contains_key(&user) {
            of.called_before += 1;
        } else if of.calls.len() < options.most_calls {
            state.calls.insert(user.clone(), today.to_string());
            let id = plain(row.get("check_id"));
            let title = checks.checks.iter().find(|check| check.id == id);
            of.calls.push(call(&row, user, title.map(|check| check.title.as_str()), options));
        }
    }
    Ok(of)
}

fn call(row: &Row, user_name: String, title: Option<&str>, options: &WatchOptions) -> Contact {
    let value = |name: &str| row.get(name).and_then(serde_json::Value::as_f64).unwrap_or(0.0);
    let mut call = Contact {
        system: plain(row.get("system")),
        user_name,
        jobs: value("jobs"),
        core_hours: value("core_hours"),
        program: plain(row.get("program")),
        check_id: row.get("check_id").and_then(|id| id.as_str()).map(str::to_owned),
        example: plain(row.get("example")),
        text: String::new(),
    };
    let finding = match (&call.check_id, title) {
        (Some(id), Some(title)) => format!("Its most costly finding is: {title} ({id}). "),
        (Some(id), None) => format!("Its most costly finding is {id}. "),
        (None, _) => String::new(),
    };
    let jobs = if call.jobs == 1.0 { "one job" } else { &format!("{} jobs", number(call.jobs)) };
    let text = format!(
        "Hello {},\n\n\
         in the last {} days, {jobs} of yours on {} spent time in I/O that a change in the program \
         or its settings can save: estimated {} core-hours. The job with the largest saving runs \
         {}. {finding}The report names the place, the evidence and the fix:\n\n    \
         diya report {}\n\n\
         We can look at it together if you like.",
        call.user_name,
        number(options.days),
        call.system,
        number(call.core_hours),
        if call.program.is_empty() { NOBODY } else { &call.program },
        shell_word(&call.example),
    );
    // A name with a line break must not begin a line of its own.
    call.text = text.split('\n').map(diya::report::printable).collect::<Vec<_>>().join("\n");
    call
}
