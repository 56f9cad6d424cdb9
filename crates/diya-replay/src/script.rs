//! The batch file for a replay on several nodes.

use crate::plan::Plan;
use std::collections::HashMap;
use std::fmt::Write as _;

/// Room for the start of the nodes and for preparing files, minutes.
const MORE_MINUTES: u64 = 10;

/// What stands in a batch file besides the plan.
#[derive(Debug)]
pub struct Batch<'a> {
    /// Nodes.
    pub nodes: u32,
    /// The executable.
    pub program: &'a str,
    /// Log, folder and options.
    pub arguments: &'a [String],
    /// The folder whose rest `--clean` removes; `None`: the files are kept.
    pub folder: Option<&'a str>,
    /// The duration of the replay, s.
    pub seconds: f64,
}

/// A batch file of Slurm: one replayer on each node.
pub fn slurm(plan: &Plan, batch: &Batch<'_>) -> String {
    let Batch { nodes, program, arguments, folder, seconds } = batch;
    let mut lanes: HashMap<u32, usize> = HashMap::new();
    plan.nodes.iter().for_each(|node| *lanes.entry(*node).or_default() += 1);
    let threads = lanes.into_values().max().unwrap_or(1);
    // Another file system may take twice as long.
    let minutes = (2.0 * seconds / 60.0).ceil() as u64 + MORE_MINUTES;
    let (hours, minutes) = (minutes / 60, minutes % 60);
    let program = quoted(program);
    let mut words = String::new();
    for argument in *arguments {
        let _ = write!(words, " {}", quoted(argument));
    }
    let mut script = format!(
        "#!/bin/bash
# Replays {log}: {all} ranks or threads on {nodes} nodes, at most {threads} on each.
# Account, partition and constraints are those of your system: add them here.
#SBATCH --job-name=diya-replay
#SBATCH --nodes={nodes}
#SBATCH --ntasks-per-node=1
#SBATCH --cpus-per-task={threads}
#SBATCH --exclusive
#SBATCH --time={hours:02}:{minutes:02}:00

# One replayer on each node. If one ends early, all end, and node 0 removes the files.
srun --ntasks={nodes} --ntasks-per-node=1 --kill-on-bad-exit=1 \\
    sh -c 'exec \"$@\" --node \"$SLURM_PROCID\"' sh \\
    {program} replay{words} --yes --nodes {nodes} --session \"$SLURM_JOB_ID\"
",
        log = plan.log.escape_debug(),
        all = plan.lanes.len(),
    );
    if let Some(folder) = folder {
        let _ = write!(
            script,
            "code=$?

# What is left if node 0 was killed.
{program} replay --clean {}
exit $code
",
            quoted(folder)
        );
    }
    script
}

/// One word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}
