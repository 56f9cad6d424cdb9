//! `diya fleet cluster start [-- COMMAND]`

use super::{WHERE, Which};
use crate::command_line::examples;
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, stop_on_interrupt, to_stdout};
use crate::progress::Bar;
use clap::Args;
use diya_fleet::{Cluster, ClusterError, ClusterPlan, Nodes};
use std::ffi::OsString;
use std::io::Write as _;
use std::process::{Child, Command};
use std::sync::atomic::Ordering;
use std::time::Duration;

#[derive(Debug, Args)]
#[command(after_help = examples(&[
    ("diya fleet cluster start --workers 4", "on this machine, until Ctrl-C"),
    ("salloc -N 8 --exclusive --no-kill diya fleet cluster start", "on eight nodes of Slurm"),
    ("diya fleet cluster start -- diya fleet cluster ask jobs/ who", "for one command"),
]))]
pub struct StartArgs {
    /// Workers on this machine; without it, one on each node of the Slurm allocation, or two here
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    workers: Option<u32>,
    /// Tasks that a worker runs at the same time (default: its share of the processors)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    cores: Option<u32>,
    #[command(flatten)]
    which: Which,
    /// Run this command, and end the cluster with it
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

impl StartArgs {
    /// Where the workers run, and how many tasks each takes.
    fn nodes(&self) -> (Nodes, u32) {
        let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u32>().ok());
        let here = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let here = u32::try_from(here).unwrap_or(u32::MAX);
        match (self.workers, number("SLURM_JOB_NUM_NODES")) {
            (None, Some(nodes)) => {
                let cores = self.cores.or_else(|| number("SLURM_CPUS_ON_NODE")).unwrap_or(here);
                (Nodes::Slurm(nodes), cores)
            }
            (workers, _) => {
                let workers = workers.unwrap_or(2);
                (Nodes::Here(workers), self.cores.unwrap_or((here / workers).max(1)))
            }
        }
    }
}

pub fn run(args: &StartArgs, common: &Common) -> Result<Done, Failure> {
    let (nodes, cores) = args.nodes();
    let file = args.which.file();
    let plan = ClusterPlan { program: args.which.program()?, nodes, cores, file };
    let stop = stop_on_interrupt();
    let bar = Bar::new(common);
    let cluster = bar.during("starting workers", || Cluster::start(&plan, stop));
    let mut cluster = match cluster {
        Err(ClusterError::Start(why)) if stop.load(Ordering::SeqCst) => {
            return Err(Failure::Interrupted(why));
        }
        other => other?,
    };
    let mut child = match args.command.split_first() {
        Some((program, arguments)) => Some(of_the_cluster(program, arguments, &plan)?),
        None => {
            say_where(&cluster, &plan, common)?;
            None
        }
    };
    loop {
        match cluster.look() {
            Ok(Some(left)) => say!("{left} of {} workers run", cluster.workers()),
            Ok(None) => {}
            Err(error) => {
                // Nobody answers its questions any more.
                let _ = child.as_mut().map(Child::kill);
                return Err(error.into());
            }
        }
        if let Some(child) = &mut child
            && let Some(status) = child.try_wait()?
        {
            return match status.success() {
                true => Ok(Done::WHOLE),
                false => Err(Failure::Input(format!("the command failed: {status}"))),
            };
        }
        if stop.load(Ordering::SeqCst) {
            return Ok(Done::WHOLE);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The command of a batch script; what it asks goes to this cluster.
fn of_the_cluster(
    program: &OsString,
    arguments: &[OsString],
    plan: &ClusterPlan,
) -> Result<Child, Failure> {
    let failed =
        |error: std::io::Error| Failure::Input(format!("{}: {error}", program.to_string_lossy()));
    Command::new(program).args(arguments).env(WHERE, &plan.file).spawn().map_err(failed)
}

fn say_where(cluster: &Cluster, plan: &ClusterPlan, common: &Common) -> Result<(), Failure> {
    to_stdout(Content::of(common.json), |out| {
        let (address, workers) = (&cluster.at.address, cluster.workers());
        if common.json {
            let about = serde_json::json!({
                "address": address,
                "workers": workers,
                "cores": cluster.at.cores,
                "file": plan.file,
            });
            return Ok(writeln!(out, "{about}")?);
        }
        let tasks = cluster.at.cores;
        writeln!(out, "{workers} workers run up to {tasks} tasks; scheduler: {address}")?;
        writeln!(out, "in another terminal: diya fleet cluster ask DATASET QUESTION")?;
        Ok(writeln!(out, "Ctrl-C ends the cluster")?)
    })
}
