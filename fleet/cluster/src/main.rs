//! The program behind `diya fleet cluster`: a scheduler, its workers, and a client that runs one
//! statement. `diya` starts all three and gives them what they need; people do not call it.
//!
//! ```text
//! diya-cluster scheduler  job on standard input; prints its address, then the number of workers
//! diya-cluster worker     the same; runs until it is ended
//! diya-cluster query      the same; prints the rows as an Arrow stream
//! ```
//!
//! Jobs are JSON objects, one for each process ([`job`]).

mod guard;
mod job;
mod query;
mod scheduler;
mod session;
mod worker;

/// Why a process ends early, in one line for people.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> std::process::ExitCode {
    match run() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            std::process::ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Failure> {
    let role = std::env::args().nth(1).unwrap_or_default();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        // The engine plans by walking down trees.
        .thread_stack_size(8 << 20)
        .build()?;
    match role.as_str() {
        "scheduler" => runtime.block_on(scheduler::run(job::read()?)),
        "worker" => runtime.block_on(worker::run(job::read()?)),
        "query" => runtime.block_on(query::run(job::read()?)),
        _ => Err("diya-cluster is started by `diya fleet cluster`".into()),
    }
}
