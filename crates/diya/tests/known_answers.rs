//! What programs did, against what their logs say: every query of
//! `corpus/manifest.toml`, of `corpus/traces.toml`, and of `corpus/shared-manifest.toml` for the large
//! logs where they are.

use diya::input::logs;
use diya::{OpenOptions, Session};
use diya_testkit::{root, shared_folder};
use serde::Deserialize;
use std::path::Path;

#[derive(Deserialize)]
struct Manifest {
    log: Vec<Log>,
}

#[derive(Deserialize)]
struct Log {
    path: String,
    #[serde(default)]
    answers: Vec<Answer>,
}

#[derive(Deserialize)]
struct Answer {
    sql: String,
    equals: toml::Value,
    why: String,
}

fn manifest(name: &str) -> Manifest {
    let path = root().join("corpus").join(name);
    let text = std::fs::read_to_string(&path).expect("the manifest is part of the repository");
    toml::from_str(&text).expect("the manifest is TOML")
}

/// The one cell of an answer as text; whole real numbers without a fraction.
fn answer(session: &mut Session<'_>, sql: &str) -> String {
    let rows = match session.ask(sql) {
        Ok(mut answers) => answers.remove(0),
        Err(error) => return format!("error: {error}"),
    };
    let batch = rows.batches.iter().find(|b| b.num_rows() > 0);
    let Some(batch) = batch else { return "no row".into() };
    let cell = arrow::util::display::array_value_to_string(batch.column(0), 0);
    plain(&cell.expect("every type can be shown"))
}

fn plain(text: &str) -> String {
    text.strip_suffix(".0").unwrap_or(text).to_string()
}

fn check(manifest: &Manifest, folder: &Path) -> (usize, Vec<String>) {
    let mut asked = 0;
    let mut wrong = Vec::new();
    for log in &manifest.log {
        let path = folder.join(&log.path);
        if !path.exists() {
            wrong.push(format!("{}: no such log", log.path));
            continue;
        }
        let inputs = logs(&[&path]).expect("the log is there");
        let mut session = Session::new(inputs, OpenOptions::default());
        for known in &log.answers {
            asked += 1;
            let expected = match &known.equals {
                toml::Value::String(text) => text.clone(),
                other => plain(&other.to_string()),
            };
            let found = answer(&mut session, &known.sql);
            if found != expected {
                wrong.push(format!(
                    "{}: {}: {found}, but {expected}: {}",
                    log.path, known.sql, known.why
                ));
            }
        }
    }
    (asked, wrong)
}

#[test]
fn logs_of_the_corpus_tell_what_the_programs_did() {
    let (asked, wrong) = check(&manifest("manifest.toml"), &root().join("corpus"));
    assert!(
        wrong.is_empty(),
        "{} of {asked} answers are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(asked > 100);
}

#[test]
fn traces_of_other_tools_tell_what_the_programs_did() {
    let (_, wrong) = check(&manifest("traces.toml"), &root().join("corpus"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn large_logs_tell_what_the_programs_did() {
    let Some(folder) = shared_folder() else { return };
    let (asked, wrong) = check(&manifest("shared-manifest.toml"), &folder.join("logs"));
    assert!(
        wrong.is_empty(),
        "{} of {asked} answers are wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
