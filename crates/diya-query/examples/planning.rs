//! The clock and the memory of planning: each family of statement that is hard to plan, as large as
//! the limits allow (docs/decisions/0043).
//!
//! `cargo run --workspace --example planning`

use std::process::Command;
use std::time::Instant;

use diya_query::{Limits, Query, statements};

/// A family of statements: its name, and a statement of a size.
type Family = (&'static str, fn(usize) -> String);

const FAMILIES: [Family; 9] = [
    ("select 1: the yardstick", |_| "select 1".to_owned()),
    ("terms of +", |size| format!("select {}", vec!["1"; size].join("+"))),
    ("parts of union", |size| vec!["select 1 as x"; size].join(" union ")),
    ("numbers in a list", |size| {
        let list: Vec<String> = (0..size).map(|number| number.to_string()).collect();
        format!("select 1 where 7 in ({})", list.join(","))
    }),
    ("common tables in a chain", |size| chain(size, |before| format!("select x from t{before}"))),
    ("common tables, each twice the one before", |size| {
        chain(size, |before| format!("select a.x from t{before} a, t{before} b"))
    }),
    ("tables of a from", |size| {
        let tables: Vec<String> = (0..size).map(|at| format!("t0 as a{at}")).collect();
        format!("with t0 as (select 1 as x) select count(*) from {}", tables.join(", "))
    }),
    ("joins", |size| {
        let join = |at: usize| format!(" join t0 as a{} on a{at}.x = a{}.x", at + 1, at + 1);
        let joins: String = (0..size).map(join).collect();
        format!("with t0 as (select 1 as x) select count(*) from t0 as a0{joins}")
    }),
    ("texts that double", |size| {
        chain(size, |before| format!("select x || x as x from t{before}"))
    }),
];

/// Common tables, each made of the one before it.
fn chain(size: usize, table: impl Fn(usize) -> String) -> String {
    let tables: String = (0..size).map(|at| format!(", t{} as ({})", at + 1, table(at))).collect();
    format!("with t0 as (select '12345678' as x){tables} select count(*) from t{size}")
}

/// The largest size that is allowed.
fn largest(statement: fn(usize) -> String) -> usize {
    let is_allowed = |size: usize| statements(&statement(size)).is_ok();
    let (mut allowed, mut refused) = (1, 20_000);
    while refused - allowed > 1 {
        let middle = usize::midpoint(allowed, refused);
        if is_allowed(middle) { allowed = middle } else { refused = middle }
    }
    allowed
}

/// Seconds of a statement, and the most memory that this process had.
fn measure(sql: &str) -> String {
    let query = Query::new(&[], 2).expect("the engine starts");
    let begin = Instant::now();
    let outcome = query.run_within(sql, Limits::OF_A_PERSON);
    let seconds = begin.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let memory = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("?");
    let error = outcome.err().map(|e| format!("; {e}")).unwrap_or_default();
    format!("{seconds:7.3} s  {}{error}", memory.trim())
}

fn main() {
    let family = std::env::args().nth(1).and_then(|number| number.parse::<usize>().ok());
    if let Some((_, statement)) = family.and_then(|family| FAMILIES.get(family)) {
        println!("{}", measure(&statement(largest(*statement))));
        return;
    }
    // A process for each: memory that one took does not count for the next.
    let this = std::env::current_exe().expect("this program has a file");
    for (number, (name, statement)) in FAMILIES.iter().enumerate() {
        let done = Command::new(&this).arg(number.to_string()).output().expect("can be started");
        let size = if number == 0 { 1 } else { largest(*statement) };
        print!("{size:6}  {name:42}{}", String::from_utf8_lossy(&done.stdout));
    }
}
