//! Prints the verdicts of all built-in checks on logs:
//! `cargo run --release -p diya-checks --example judge -- LOG...`

use std::error::Error;
use std::time::Instant;

use diya::{OpenOptions, Trace, input};
use diya_checks::{Config, builtin, decide};
use diya_metrics::{Catalog, compute};
use diya_query::Query;

fn main() -> Result<(), Box<dyn Error>> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let inputs = input::logs(&names)?;
    let trace = Trace::open(&inputs, &OpenOptions::default())?;
    let checks = builtin()?;
    let needs: Vec<&str> = checks.iter().flat_map(|c| &c.needs).map(String::as_str).collect();
    let start = Instant::now();
    let mut tables = trace.tables().to_vec();
    tables.extend(compute(Catalog::built_in(), trace.tables(), &needs, 1)?.tables);
    let query = Query::new(&tables, 1)?;
    println!("metrics computed in {:?}", start.elapsed());
    let start = Instant::now();
    let verdicts = decide(&query, &checks, &Config::default(), Catalog::built_in())?;
    let elapsed = start.elapsed();
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
        for finding in &log.findings {
            println!("  {:?} {} {}", finding.severity, finding.id, finding.text);
            if let Some(by) = &finding.explained_by {
                println!("    explained by {by}");
            }
        }
    }
    println!("{} logs judged in {elapsed:?}", verdicts.logs.len());
    Ok(())
}
