//! `diya mcp`: tools for an assistant, over standard input and output.

use crate::commands::judge::{JudgeArgs, report_problems};
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::Common;
use clap::Args;
use diya::Threads;

pub const COMMANDS: &[Entry] = &[Entry {
    name: "mcp",
    group: Group::SetUp,
    place: 2,
    help: "Serve an AI assistant over the Model Context Protocol (MCP)",
    examples: &[
        ("diya mcp", "an assistant starts this command"),
        ("diya mcp --checks site-checks/", "with your own checks"),
    ],
    augment: McpArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

const HELP: &str = "An assistant starts this command and speaks the Model Context Protocol (MCP) \
with it. It reads the logs that the user may read, and changes no file.

In the settings of the assistant:
  {\"mcpServers\": {\"diya\": {\"command\": \"diya\", \"args\": [\"mcp\"]}}}";

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct McpArgs {
    #[command(flatten)]
    pub judge: JudgeArgs,
}

pub fn run(args: &McpArgs, common: &Common) -> Result<Done, Failure> {
    let checks = args.judge.checks()?;
    if !common.quiet {
        report_problems(&checks);
    }
    diya_mcp::serve(checks, Threads::new(common.threads))
        .map_err(|e| Failure::Output(format!("cannot serve: {e}")))?;
    Ok(Done::WHOLE)
}
