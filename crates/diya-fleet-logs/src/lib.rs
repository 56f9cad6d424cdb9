//! Fleets of logs, made from a few real ones, with faults that are known.
//!
//! The logs of a centre cannot be part of a repository, and their faults are not known.
//! Here each job is a variation of a real log: who, when, where, how much and how fast.
//! [`Made::truth`] names the faults that are planted. It lies beside the logs, never among
//! them: there it would be a file that is no log.

mod people;
mod random;
mod vary;

use diya_read::{Request, Selection, Serial, TableSet};
use diya_tables::{TableId, Tables};
use people::{DAYS, Job, Plants};
use random::Random;
use std::fmt::Write as _;
use std::path::Path;

/// What to make.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// How many jobs.
    pub jobs: u32,
    /// Equal seeds give equal fleets.
    pub seed: u64,
    /// Plant faults; without, every job is healthy.
    pub has_faults: bool,
}

/// A real log that jobs are made from.
pub struct Sample {
    name: String,
    tables: Tables,
    /// Its place among [`SIZES`]; `None`: each program has its sample.
    size: Option<usize>,
}

/// Sizes of logs in bytes, each class up to its limit, and how many of a hundred are in it.
///
/// So large are the 37 logs of Darshan that projects have made public (lab/public/public-logs.sh):
/// deciles of 1.1, 1.4, 2.2, 3.0, 10.7, 16, 18, 64 and 460 KB.
const SIZES: [(usize, usize); 5] =
    [(2_500, 35), (10_000, 15), (20_000, 25), (100_000, 15), (usize::MAX, 10)];

/// What was made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Made {
    /// Logs, duplicates included.
    pub logs: u32,
    /// Copies of logs under other names.
    pub duplicates: u32,
    /// What was planted, and into which jobs; TOML.
    pub truth: String,
}

/// The logs of the corpus that stand for healthy programs.
pub const SAMPLES: [&str; 6] = [
    "nodxt_strided",
    "ior_posix_fpp_seq",
    "ior_mpiio_coll_hints",
    "ior_hdf5_shared",
    "phases_ckpt",
    "pnetcdf_coll_cols",
];

impl Sample {
    /// Reads a log: its counters and its heat map, no single calls.
    pub fn read(name: &str, bytes: &Vec<u8>) -> Result<Self, String> {
        Self::read_tables(name, bytes, &|id| id != TableId::Call)
    }

    fn read_tables(
        name: &str,
        bytes: &Vec<u8>,
        is_wanted: &dyn Fn(TableId) -> bool,
    ) -> Result<Self, String> {
        let wanted: TableSet = TableId::ALL.into_iter().filter(|id| is_wanted(*id)).collect();
        let mut tables = Tables::new();
        let request = Request {
            source: bytes,
            log: 0,
            log_name: name,
            outer_compression: None,
            selection: &Selection::tables(wanted),
            workers: &Serial,
        };
        diya_read::read(&request, &mut tables).map_err(|e| format!("{name}: {e}"))?;
        Ok(Self { name: name.to_owned(), tables, size: None })
    }

    /// Those of the corpus in a folder.
    pub fn corpus(folder: &Path) -> Result<Vec<Self>, String> {
        let read = |name: &&str| {
            let path = folder.join(format!("{name}.darshan"));
            let bytes = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            Self::read(name, &bytes)
        };
        SAMPLES.iter().map(read).collect()
    }

    /// All logs of Darshan in a folder, with their single calls: for fleets whose logs are of all
    /// sizes, as in an archive ([`SIZES`]), whatever their program is.
    pub fn of_all_sizes(folder: &Path) -> Result<Vec<Self>, String> {
        let failed = |e: std::io::Error| format!("{}: {e}", folder.display());
        let entries = std::fs::read_dir(folder).map_err(failed)?.flatten();
        let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "darshan"));
        paths.sort();
        let read = |path: &std::path::PathBuf| {
            let bytes = std::fs::read(path).map_err(failed)?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let size = SIZES.iter().position(|(limit, _)| bytes.len() <= *limit);
            Ok(Self { size, ..Self::read_tables(&name, &bytes, &|_| true)? })
        };
        paths.iter().map(read).collect()
    }

    /// One of these: that of the program, or one of a drawn size.
    fn draw<'s>(samples: &'s [Self], job: &Job, random: &mut Random) -> &'s Self {
        let of_size = |size: usize| samples.iter().filter(move |s| s.size == Some(size));
        let mut draw = random.below(SIZES.iter().map(|(_, share)| share).sum());
        for (size, (_, share)) in SIZES.iter().enumerate() {
            match draw.checked_sub(*share) {
                Some(rest) => draw = rest,
                None => {
                    let count = of_size(size).count();
                    let drawn = of_size(size).nth(random.below(count));
                    return drawn.unwrap_or(&samples[job.sample]);
                }
            }
        }
        &samples[job.sample]
    }
}

/// Makes a fleet in a folder: `YYYY/M/D/USER_PROGRAM_idJOB_....darshan`.
pub fn write(folder: &Path, samples: &[Sample], plan: &Plan) -> Result<Made, String> {
    let mut made = Made::default();
    let mut random = Random::new(plan.seed);
    let mut truth = Truth::default();
    for number in 0..plan.jobs {
        let plants = Plants { is_on: plan.has_faults };
        let job = Job::draw(number, plan.jobs, samples.len(), plants, &mut random);
        let is_by_size = samples.iter().any(|sample| sample.size.is_some());
        let sample = match is_by_size {
            true => Sample::draw(samples, &job, &mut random),
            false => &samples[job.sample],
        };
        let log = vary::log(&sample.tables, &job, &mut random)
            .map_err(|e| format!("{}: {e}", sample.name))?;
        let place = folder.join(job.folder());
        std::fs::create_dir_all(&place).map_err(|e| format!("{}: {e}", place.display()))?;
        let path = place.join(job.file_name());
        std::fs::write(&path, &log).map_err(|e| format!("{}: {e}", path.display()))?;
        made.logs += 1;
        if job.is_copied {
            // As after a restore: the same log under the same name, in another tree.
            let place = folder.join("restored").join(job.folder());
            std::fs::create_dir_all(&place).map_err(|e| format!("{}: {e}", place.display()))?;
            let copy = place.join(job.file_name());
            std::fs::write(&copy, &log).map_err(|e| format!("{}: {e}", copy.display()))?;
            made.logs += 1;
            made.duplicates += 1;
        }
        truth.add(&job);
    }
    made.truth = truth.text(plan);
    Ok(made)
}

/// What was planted, and in which jobs.
#[derive(Default)]
struct Truth {
    slow_target: Vec<u32>,
    regression: Vec<u32>,
    hot_target: Vec<u32>,
    bad_version: Vec<u32>,
    duplicates: Vec<u32>,
    clock_skew: Vec<u32>,
}

impl Truth {
    fn add(&mut self, job: &Job) {
        for (is_in, jobs) in [
            (job.slow_target.is_some(), &mut self.slow_target),
            (job.is_regressed, &mut self.regression),
            (job.is_hot, &mut self.hot_target),
            (job.has_bad_version, &mut self.bad_version),
            (job.is_copied, &mut self.duplicates),
            (job.is_skewed, &mut self.clock_skew),
        ] {
            jobs.extend(is_in.then_some(job.id));
        }
    }

    fn text(&self, plan: &Plan) -> String {
        let mut out = format!(
            "# What was planted into these logs, by job id.\njobs = {}\nseed = {}\nhas_faults = {}\ndays = {DAYS}\n",
            plan.jobs, plan.seed, plan.has_faults
        );
        if !plan.has_faults {
            return out;
        }
        let days = people::SLOW_DAYS.map(people::date);
        let plants = [
            (
                "slow_target",
                format!(
                    "ost_id = {}\ndays = {days:?}\nslower = {}",
                    people::SLOW_TARGET,
                    people::SLOWER
                ),
                &self.slow_target,
            ),
            (
                "regression",
                format!(
                    "user = {:?}\nprogram = {:?}\nfrom = {:?}\nslower = {}",
                    people::REGRESSED.0,
                    people::REGRESSED.1,
                    people::date(people::REGRESSION_DAY),
                    people::REGRESSION
                ),
                &self.regression,
            ),
            (
                "hot_target",
                format!("ost_id = {}\nprogram = {:?}", people::HOT_TARGET, people::HOT_PROGRAM),
                &self.hot_target,
            ),
            (
                "bad_version",
                format!(
                    "library_version = {:?}\nmetadata_slower = {}",
                    people::BAD_VERSION,
                    people::BAD_METADATA
                ),
                &self.bad_version,
            ),
            ("duplicates", String::from("copies = 1"), &self.duplicates),
            ("clock_skew", format!("skew_s = {}", people::SKEW_S), &self.clock_skew),
        ];
        for (name, about, jobs) in plants {
            // Writing to a String does not fail.
            let _ = writeln!(out, "\n[{name}]\n{about}\njob_ids = {jobs:?}");
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Sample> {
        let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/logs");
        Sample::of_all_sizes(Path::new(corpus)).expect("the corpus")
    }

    fn job(number: u32, random: &mut Random) -> Job {
        Job::draw(number, 2000, 1, Plants { is_on: false }, random)
    }

    #[test]
    fn sizes_have_their_shares() {
        let (samples, mut random) = (samples(), Random::new(1));
        let mut counts = [0; SIZES.len()];
        for number in 0..2000 {
            let job = job(number, &mut random);
            counts[Sample::draw(&samples, &job, &mut random).size.expect("a size")] += 1;
        }
        for (count, (_, share)) in counts.into_iter().zip(SIZES) {
            assert!(i32::abs(count / 20 - share as i32) <= 3, "{counts:?}");
        }
    }

    #[test]
    fn every_sample_becomes_a_log_with_its_calls() {
        let (samples, mut random) = (samples(), Random::new(1));
        let calls: Vec<usize> = samples.iter().map(|sample| sample.tables.calls.rows()).collect();
        assert!(calls.iter().any(|calls| *calls > 1000), "traces are among them: {calls:?}");
        for sample in &samples {
            let job = job(7, &mut random);
            let log = vary::log(&sample.tables, &job, &mut random).expect(&sample.name);
            let again = Sample::read_tables(&sample.name, &log, &|_| true).expect(&sample.name);
            let rows = |of: &Sample, id| of.tables.rows(id);
            for id in [TableId::Posix, TableId::Stdio, TableId::Mpiio, TableId::Call] {
                assert_eq!(rows(&again, id), rows(sample, id), "{}: {id:?}", sample.name);
            }
        }
    }
}
