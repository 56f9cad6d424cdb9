//! Prints what each metric costs on logs, computed alone after those that it
//! needs, and what all of them cost together:
//! `cargo run --release -p diya-metrics --example cost -- LOG...`

use diya::{OpenOptions, Trace, input};
use diya_metrics::{Catalog, compute};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let inputs = input::logs(&names)?;
    let start = Instant::now();
    let trace = Trace::open(&inputs, &OpenOptions::default())?;
    println!("{:8.1} ms reading", start.elapsed().as_secs_f64() * 1e3);
    let catalog = Catalog::built_in();
    let mut costs = Vec::new();
    for metric in catalog.metrics() {
        let start = Instant::now();
        let computed = compute(catalog, trace.tables(), &[metric.def.name], 1)?;
        let ms = start.elapsed().as_secs_f64() * 1e3;
        let own = computed.tables.iter().find(|table| table.def().name == metric.def.name);
        costs.push((ms, own.map_or(0, |table| table.rows()), metric.def.name));
        for failed in computed.failed {
            println!("{}: {}", failed.metric, failed.error);
        }
    }
    costs.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (ms, rows, name) in costs {
        println!("{ms:8.1} ms {rows:8} rows {name}");
    }
    let all: Vec<&str> = catalog.metrics().map(|metric| metric.def.name).collect();
    let start = Instant::now();
    compute(catalog, trace.tables(), &all, 1)?;
    println!("{:8.1} ms all together", start.elapsed().as_secs_f64() * 1e3);
    Ok(())
}
