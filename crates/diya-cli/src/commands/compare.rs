//! `diya compare A B...`: runs side by side.

use super::open_options;
use crate::commands::judge::{JudgeArgs, report_problems};
use crate::commands::text::TextArgs;
use crate::entry::{Entry, Group, arguments};
use crate::failure::{Done, Failure};
use crate::options::Common;
use crate::output::Content;
use crate::progress::Bar;
use clap::{Args, ValueEnum};
use diya::report::comparison::Comparison;
use diya::report::{
    Detail, Report, write_comparison_json, write_comparison_markdown, write_comparison_text,
    write_json_array, write_markdown, write_text,
};
use diya::{OpenOptions, TableSet, Together, by_job};
use diya_compare::{CompareOptions, Repeats, USUAL_NOISE, compare, session};
use std::path::PathBuf;

pub const COMMANDS: &[Entry] = &[Entry {
    name: "compare",
    group: Group::Compare,
    place: 1,
    help: "Compare runs of a job: what changed, and whether it is faster",
    examples: &[
        ("diya compare before.diya after.diya", "is B faster than A, and why"),
        ("diya compare a1.diya a2.diya --vs b1.diya b2.diya", "repeats of two runs"),
        ("diya compare a.diya b.diya --format markdown", "for a merge request"),
    ],
    augment: CompareArgs::augment_args,
    run: |given, common| run(&arguments(given), common),
    ..Entry::USUAL
}];

const HELP: &str =
    "Every argument is one run; several jobs in one folder or archive are repeats of it.
The first run is the baseline, A; the others are B, C, ...

Repeated runs measure the run-to-run variation, so smaller changes can be detected:
  diya compare before1.darshan before2.darshan before3.darshan --vs after1.darshan after2.darshan";

/// Layout of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CompareFormat {
    /// For people, at a terminal
    Text,
    /// All data as JSON
    Json,
    /// For merge requests
    Markdown,
}

/// How runs are compared and shown: the same for `check`.
#[derive(Debug, Args)]
pub struct CompareHow {
    /// Normal run-to-run variation in percent: 95 of 100 pairs of equal runs differ by less
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent, default_value_t = 100.0 * USUAL_NOISE)]
    pub noise: f64,
    /// Layout
    #[arg(long, value_enum, default_value_t = CompareFormat::Text)]
    pub format: CompareFormat,
    #[command(flatten)]
    pub text: TextArgs,
    /// Include files without data of the program: /proc, pipes, sockets
    #[arg(long)]
    pub system_files: bool,
    #[command(flatten)]
    pub judge: JudgeArgs,
}

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub struct CompareArgs {
    /// Runs: logs, or folders or archives of logs
    #[arg(required = true, value_name = "RUN")]
    pub runs: Vec<PathBuf>,
    /// These runs are repeats of B; all runs before are repeats of A
    #[arg(long, value_name = "RUN", num_args = 1..)]
    pub vs: Vec<PathBuf>,
    #[command(flatten)]
    pub how: CompareHow,
}

pub fn run(args: &CompareArgs, common: &Common) -> Result<Done, Failure> {
    let runs = if args.vs.is_empty() {
        args.runs.iter().map(|run| repeats(std::slice::from_ref(run))).collect::<Result<_, _>>()?
    } else {
        vec![repeats(&args.runs)?, repeats(&args.vs)?]
    };
    let comparison = args.how.compare(&runs, common)?;
    args.how.write(&comparison, common)?;
    Ok(Done::WHOLE)
}

/// The jobs in these logs: repeats of one run.
pub fn repeats(paths: &[PathBuf]) -> Result<Repeats, Failure> {
    Ok(by_job(diya::input::logs(paths)?, Together::OneJob))
}

impl CompareHow {
    /// Compares all runs with the first one.
    pub fn compare(&self, runs: &[Repeats], common: &Common) -> Result<Comparison, Failure> {
        let checks = self.judge.checks()?;
        if !common.quiet {
            report_problems(&checks);
        }
        let bar = Bar::new(common);
        let skips_system = !self.system_files;
        let open = OpenOptions { skips_system, ..open_options(common, None, TableSet::NONE, &bar) };
        let mut session = session(runs, open);
        let options = CompareOptions { noise_ratio: self.noise / 100.0 };
        let counts: Vec<usize> = runs.iter().map(Vec::len).collect();
        let compared =
            bar.during("comparing", || compare(&mut session, &counts, &checks, &options));
        let (comparison, _) = compared.map_err(|e| Failure::Input(e.to_string()))?;
        Ok(comparison)
    }

    /// Writes a comparison where and how it is wanted.
    pub fn write(&self, comparison: &Comparison, common: &Common) -> Result<(), Failure> {
        let options = self.text.options(Detail::Normal);
        self.text.write(Content::of(self.format(common) == CompareFormat::Json), |out| {
            Ok(match self.format(common) {
                CompareFormat::Text => write_comparison_text(out, comparison, &options),
                CompareFormat::Json => write_comparison_json(out, comparison),
                CompareFormat::Markdown => write_comparison_markdown(out, comparison),
            }?)
        })
    }

    /// Writes reports likewise: verdicts and findings unless more is wanted.
    pub fn write_reports(&self, reports: &[Report], common: &Common) -> Result<(), Failure> {
        let options = self.text.options(Detail::Brief);
        self.text.write(Content::of(self.format(common) == CompareFormat::Json), |out| {
            Ok(match self.format(common) {
                CompareFormat::Json => write_json_array(out, reports),
                CompareFormat::Text => {
                    reports.iter().try_for_each(|r| write_text(out, r, &options))
                }
                CompareFormat::Markdown => reports.iter().try_for_each(|r| write_markdown(out, r)),
            }?)
        })
    }

    fn format(&self, common: &Common) -> CompareFormat {
        if common.json { CompareFormat::Json } else { self.format }
    }
}

fn parse_percent(text: &str) -> Result<f64, String> {
    let number = text.trim_end_matches('%').trim().parse::<f64>().ok();
    number
        .filter(|percent| (0.0..=1000.0).contains(percent))
        .ok_or_else(|| format!("{text} is no percentage: 10.6"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_a_percentage() {
        assert_eq!(parse_percent("5%"), Ok(5.0));
        assert_eq!(parse_percent("0.5"), Ok(0.5));
        assert!(parse_percent("-1").is_err());
        assert!(parse_percent("much").is_err());
    }
}
