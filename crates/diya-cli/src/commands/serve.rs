//! `diya open LOG...`, `diya serve DIR`: the page, from this program.

use crate::commands::judge::{JudgeArgs, report_problems};
use crate::commands::outside::OutsideArgs;
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::{Content, remember_unfinished, to_stdout};
use clap::Args;
use diya::{OpenOptions, Threads};
use diya_serve::{Jobs, Judging, Server};
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

pub const COMMANDS: &[Entry] = &[
    Entry {
        name: "open",
        group: Group::Look,
        place: 1,
        help: "Open a log of any size in the browser",
        examples: &[
            ("diya open app.diya", "in the browser of this machine"),
            ("diya open rank*.diya --no-browser", "only print the address"),
        ],
        augment: OpenArgs::augment_args,
        run: |given, common| open(&arguments(given), common),
        ..Entry::USUAL
    },
    Entry {
        name: "serve",
        group: Group::Look,
        place: 2,
        help: "Open all logs of a folder in the browser",
        examples: &[
            ("diya serve logs/", "all jobs of a folder and its subfolders"),
            ("diya serve logs/ --port 8000 --no-browser", "at a port for an SSH tunnel"),
        ],
        augment: ServeArgs::augment_args,
        run: |given, common| serve(&arguments(given), common),
        ..Entry::USUAL
    },
];

const TUNNEL: &str = "From another machine: run it where the logs are, forward its port with the
`ssh -C -L` line that it prints, and open the same address at home.";

#[derive(Debug, Args)]
#[command(after_help = TUNNEL)]
pub struct OpenArgs {
    /// Logs, or folders or archives of logs
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    #[command(flatten)]
    pub how: ServeHow,
}

#[derive(Debug, Args)]
#[command(after_help = TUNNEL)]
pub struct ServeArgs {
    /// Folder with logs, including its subfolders
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    #[command(flatten)]
    pub how: ServeHow,
}

/// How the page is served.
#[derive(Debug, Args)]
pub struct ServeHow {
    /// Port on 127.0.0.1 (default: any free port)
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    pub port: u16,
    /// Only print the address; do not start a browser
    #[arg(long)]
    pub no_browser: bool,
    /// Include files without data of the program: /proc, pipes, sockets
    #[arg(long)]
    pub system_files: bool,
    #[command(flatten)]
    pub outside: OutsideArgs,
    #[command(flatten)]
    pub judge: JudgeArgs,
}

pub fn open(args: &OpenArgs, common: &Common) -> Result<Done, Failure> {
    let inputs = diya::input::logs(&args.logs)?;
    let jobs = Jobs::of_logs(inputs, judging(&args.how, common)?);
    let jobs = jobs.map_err(|e| Failure::Input(e.to_string()))?;
    run(bound(jobs, &args.how)?, &args.how, common, true)
}

pub fn serve(args: &ServeArgs, common: &Common) -> Result<Done, Failure> {
    let jobs = Jobs::of_folder(&args.folder, judging(&args.how, common)?);
    let jobs = jobs.map_err(|e| Failure::Input(e.to_string()))?;
    run(bound(jobs, &args.how)?, &args.how, common, false)
}

pub fn judging(how: &ServeHow, common: &Common) -> Result<Judging, Failure> {
    let checks = how.judge.checks()?;
    if !common.quiet {
        report_problems(&checks);
    }
    let options = OpenOptions {
        skips_system: !how.system_files,
        threads: Threads::new(common.threads),
        ..OpenOptions::default()
    };
    Ok(Judging { options, checks: Arc::new(checks), context: Arc::new(how.outside.read()?) })
}

/// The server of these jobs, at its address.
pub fn bound(jobs: Jobs, how: &ServeHow) -> Result<Server, Failure> {
    Server::bind(how.port, jobs).map_err(fail)
}

fn fail(e: std::io::Error) -> Failure {
    Failure::Output(format!("cannot serve: {e}"))
}

/// Prints the address and answers requests; `is_open`: a browser is started where there is one.
pub fn run(
    server: Server,
    how: &ServeHow,
    common: &Common,
    is_open: bool,
) -> Result<Done, Failure> {
    let (url, port) = (server.url(), server.port());
    to_stdout(Content::of(common.json), |out| {
        if common.json {
            return Ok(writeln!(out, "{}", serde_json::json!({ "url": url, "port": port }))?);
        }
        writeln!(out, "{url}")?;
        if !common.quiet {
            let host = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
            let host = if host.trim().is_empty() { "HOST" } else { host.trim() };
            writeln!(out, "from another machine: ssh -C -L {port}:127.0.0.1:{port} {host}")?;
            writeln!(out, "end with Ctrl-C")?;
        }
        Ok(())
    })?;
    let has_screen =
        ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    // The address is printed as well: without a browser nothing is lost.
    let _page = (is_open && has_screen && !how.no_browser).then(|| open_browser(&url));
    server.run().map_err(fail)?;
    Ok(Done::WHOLE)
}

/// Opens the address in the user's browser, by a file that only the user can read:
/// the arguments of a program, and so the token, can be seen by everybody here.
fn open_browser(url: &str) -> std::io::Result<tempfile::NamedTempFile> {
    let mut page = tempfile::Builder::new().prefix("diya.").suffix(".html").tempfile()?;
    remember_unfinished(page.path().to_owned());
    write!(page, "<!doctype html><meta http-equiv=\"refresh\" content=\"0;url={url}\">")?;
    let silent = std::process::Stdio::null;
    let mut browser = std::process::Command::new("xdg-open");
    browser.arg(page.path()).stdout(silent()).stderr(silent()).spawn()?;
    Ok(page)
}
