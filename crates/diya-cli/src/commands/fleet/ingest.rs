//! `diya fleet ingest PATH... -o DATASET`

use crate::command_line::examples;
use crate::failure::{Done, Failure};
use crate::options::{Common, key_of};
use crate::output::{Content, to_stdout};
use crate::progress::Bar;
use clap::Args;
use diya_fleet::{Anonymity, IngestOptions, Shard, Since, ingest_counted};
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// Which names are shown.
#[derive(Debug, Args)]
pub struct Key {
    /// The same as --anonymise, with the key in the first line of a file
    #[arg(long, value_name = "FILE", group = "key")]
    key_file: Option<PathBuf>,
    /// Also leave out what could lead back to a person, for a dataset that is published
    #[arg(long, requires = "key")]
    release: bool,
}

impl Key {
    fn read(&self) -> Result<Option<String>, Failure> {
        let Some(file) = &self.key_file else { return Ok(None) };
        let text = std::fs::read_to_string(file).map_err(|e| fault(file, &e))?;
        let key = text.lines().next().unwrap_or_default().trim();
        if key.is_empty() {
            return Err(Failure::Input(format!("{}: its first line is empty", file.display())));
        }
        Ok(Some(key.to_owned()))
    }

    /// With the key of the file.
    pub fn anonymity(&self) -> Result<Anonymity, Failure> {
        Ok(Anonymity { key: self.read()?, is_release: self.release })
    }
}

fn fault(file: &Path, error: &std::io::Error) -> Failure {
    Failure::Input(format!("{}: {error}", file.display()))
}

/// What is read of the logs, and which names stay.
#[derive(Debug, Args)]
pub struct How {
    /// Name of the machine that the logs come from
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub system: String,
    /// Only logs from this day on: of folders YYYY/M/D by their names, of others by time of change
    #[arg(long, value_name = "YYYY-MM-DD")]
    since: Option<Since>,
    #[command(flatten)]
    key: Key,
    /// Do not run the checks: numbers only
    #[arg(long)]
    no_findings: bool,
}

impl How {
    /// As options of `diya fleet ingest`. The key itself is never among them.
    pub fn arguments(&self) -> Result<Vec<OsString>, Failure> {
        let mut all: Vec<OsString> = vec!["--system".into(), self.system.clone().into()];
        if let Some(since) = &self.since {
            let (year, month, day) = since.day;
            all.extend(["--since".into(), format!("{year:04}-{month:02}-{day:02}").into()]);
        }
        if let Some(file) = &self.key.key_file {
            // A file that is missing now would be so in every job.
            self.key.read()?;
            let file = std::path::absolute(file).map_err(|e| fault(file, &e))?;
            all.extend(["--key-file".into(), file.into_os_string()]);
        }
        all.extend(self.key.release.then(|| "--release".into()));
        all.extend(self.no_findings.then(|| "--no-findings".into()));
        Ok(all)
    }

    /// An ingest of these paths; the key may come from elsewhere.
    pub fn options(
        &self,
        paths: &[PathBuf],
        key: Option<String>,
        threads: usize,
    ) -> Result<IngestOptions, Failure> {
        let (mut plain, mut lists) = (Vec::new(), Vec::new());
        for path in paths {
            match path.to_str().and_then(|path| path.strip_prefix('@')) {
                Some(list) => lists.push(PathBuf::from(list)),
                None => plain.push(path.clone()),
            }
        }
        let key = if key.is_some() { key } else { self.key.read()? };
        Ok(IngestOptions {
            paths: plain,
            lists,
            system: self.system.clone(),
            since: self.since,
            threads,
            anonymity: Anonymity { key, is_release: self.key.release },
            skips_findings: self.no_findings,
            ..IngestOptions::default()
        })
    }
}

#[derive(Debug, Args)]
#[command(after_help = examples(&[
    ("diya fleet ingest /logs/2026 -o jobs/", "all logs below a folder"),
    ("diya fleet ingest /logs -o jobs/ --since 2026-11-01", "only new ones"),
    ("diya fleet ingest /logs -o jobs/ --anonymise KEY", "hash names"),
]))]
pub struct IngestArgs {
    /// Folders, logs, archives of logs (.tar, .tar.gz, .zip), or @FILE with a path per line
    #[arg(value_name = "PATH", required_unless_present = "files_from")]
    paths: Vec<PathBuf>,
    /// Folder of the dataset; it is made where it is missing
    #[arg(short, long, value_name = "DATASET")]
    output: PathBuf,
    /// File with a path per line; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    files_from: Vec<PathBuf>,
    /// Only one of n equal parts of the files, for job arrays
    #[arg(long, value_name = "i/n", default_value = "1/1", hide_default_value = true)]
    shard: Shard,
    /// Replace users, paths, programs and hosts by hashes under this key; @FILE reads the key
    /// from a file, so that `ps` does not show it
    #[arg(long, value_name = "KEY|@FILE", group = "key")]
    anonymise: Option<String>,
    #[command(flatten)]
    how: How,
    /// Commit after so many logs (default: when 64 MiB of rows wait)
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    logs_per_commit: usize,
}

pub fn run(args: &IngestArgs, common: &Common) -> Result<Done, Failure> {
    let key = args.anonymise.as_deref().map(key_of).transpose()?;
    let mut options = args.how.options(&args.paths, key, common.threads)?;
    options.lists.extend(args.files_from.iter().cloned());
    options.shard = args.shard;
    options.logs_per_commit = args.logs_per_commit;
    let bar = Bar::new(common);
    let done = bar.counting(&files_read, |files| ingest_counted(&args.output, &options, files))?;
    to_stdout(Content::of(common.json), |out| {
        if common.json {
            writeln!(out, "{}", serde_json::to_string(&done).unwrap_or_default())?;
        } else if !common.quiet {
            writeln!(
                out,
                "{} new logs, {} duplicates, {} in quarantine, {} unreadable, {} looked at before",
                done.logs, done.duplicates, done.quarantined, done.unreadable, done.known
            )?;
            if done.quarantined + done.unreadable > 0 {
                writeln!(out, "The reasons are in table manifest: column error.")?;
            }
        }
        Ok(())
    })?;
    Ok(Done { losses: done.unreadable > 0 })
}

/// Progress of an ingest.
pub fn files_read(files: u64) -> String {
    format!("reading logs: {} files", diya::model::calls_text(files))
}
