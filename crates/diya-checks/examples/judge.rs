//! Prints the verdicts of all built-in checks on logs, all judged at once:
//! `cargo run --release -p diya-checks --example judge -- [--json] LOG...`

use std::error::Error;
use std::time::Instant;

use diya::{OpenOptions, Trace, input};
use diya_checks::{Config, LogVerdicts, METRICS_NEEDED, Verdicts, builtin, decide};
use diya_metrics::{Catalog, compute};
use diya_query::Query;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    let is_json = names.first().is_some_and(|name| name == "--json");
    names.drain(..usize::from(is_json));
    let inputs = input::logs(&names)?;
    let trace = Trace::open(&inputs, &OpenOptions::default())?;
    let checks = builtin()?;
    let needs = checks.iter().flat_map(|c| &c.needs).map(String::as_str);
    let needs: Vec<&str> = needs.chain(METRICS_NEEDED.iter().copied()).collect();
    let start = Instant::now();
    let mut tables = trace.tables().to_vec();
    tables.extend(compute(Catalog::built_in(), trace.tables(), &needs, 1)?.tables);
    let mut query = Query::new(&tables, 1)?;
    let metrics_took = start.elapsed();
    let start = Instant::now();
    let verdicts = decide(&mut query, &checks, &Config::default(), Catalog::built_in(), &[])?;
    let elapsed = start.elapsed();
    if is_json {
        println!("{}", as_json(&verdicts, trace.log_names()));
        return Ok(());
    }
    println!("metrics computed in {metrics_took:?}");
    for problem in &verdicts.problems {
        println!("skipped: {problem}");
    }
    for log in &verdicts.logs {
        let name = usize::try_from(log.log).ok().and_then(|log| trace.log_names().get(log));
        println!(
            "{}: run {:?} s, passed {}, not applicable {}, unknown {}",
            name.map_or("", String::as_str),
            log.run_time_s,
            log.passed.len(),
            log.not_applicable.len(),
            log.unknown.len(),
        );
        if let Some(all) = log.all_fixed {
            println!("  all fixed: {:?} to {:?} s", all.lost_low_s, all.lost_high_s);
        }
        for finding in log.found() {
            let (low, high) = (finding.lost_low_s, finding.lost_high_s);
            println!("  {:?} {} {}", finding.severity, finding.id, finding.text);
            println!("    lost {low:?} to {high:?} s");
            if let Some(by) = &finding.explained_by {
                println!("    explained by {by}");
            }
        }
    }
    println!("{} logs judged in {elapsed:?}", verdicts.logs.len());
    Ok(())
}

/// One object per log, with the lists of a report, and the checks that failed.
fn as_json(verdicts: &Verdicts, names: &[String]) -> Value {
    let log = |log: &LogVerdicts| {
        json!({
            "log": usize::try_from(log.log).ok().and_then(|log| names.get(log)),
            "run_s": log.run_time_s,
            "findings": log.found().collect::<Vec<_>>(),
            "passed": log.passed,
            "not_applicable": log.not_applicable,
            "unknown": log.unknown,
        })
    };
    let problems: Vec<String> = verdicts.problems.iter().map(ToString::to_string).collect();
    json!({ "logs": verdicts.logs.iter().map(log).collect::<Vec<_>>(), "problems": problems })
}
