//! What is known of a machine from outside the logs, as options.

use crate::failure::Failure;
use clap::Args;
use diya::Session;
use diya::calibrate::Profile;
use diya::context::Context;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct OutsideArgs {
    /// Machine profile from `diya calibrate`: latency and bandwidth of requests
    #[arg(long, value_name = "FILE")]
    pub machine: Option<PathBuf>,
    /// File with the network switch and enclosure of each node, to find slow groups of nodes: CSV,
    /// TOML, or a topology.conf of Slurm
    #[arg(long, value_name = "FILE")]
    pub topology: Option<PathBuf>,
    /// Metrics of the storage servers: Prometheus JSON, OpenMetrics text or long CSV
    /// (may be given several times)
    #[arg(long, value_name = "FILE")]
    pub server_metrics: Vec<PathBuf>,
}

impl OutsideArgs {
    /// Reads these files.
    pub fn read(&self) -> Result<Context, Failure> {
        let wrong = |e: &dyn std::fmt::Display| Failure::Input(e.to_string());
        let context = Context::read(self.topology.as_deref(), &self.server_metrics);
        let context = context.map_err(|e| wrong(&e))?;
        let Some(path) = &self.machine else { return Ok(context) };
        let profile = Profile::read(path).map_err(|e| wrong(&e))?;
        Ok(context.with_machine(profile.tables()))
    }

    /// Adds the tables of these files to a session in which nothing was asked yet.
    pub fn add_to(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        self.read()?.add_to(session).map_err(|e| Failure::Input(e.to_string()))
    }
}
