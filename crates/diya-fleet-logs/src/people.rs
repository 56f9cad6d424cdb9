//! Who runs what, when; and which faults meet them.

use crate::random::Random;

/// Length of the time in which jobs run.
pub const DAYS: u32 = 30;

/// 2026-03-01, in seconds since 1970.
const FIRST_S: i64 = 1_772_323_200;

const DAY_S: i64 = 86_400;

/// User, program, sample, scale of its work.
const PROGRAMS: [(&str, &str, usize, i64); 10] = [
    ("ada", "lattice_qcd", 0, 3),
    ("ada", "analysis", 1, 1),
    ("bela", "climate_ocean", 5, 2),
    ("carl", "md_protein", 2, 4),
    ("dora", "cfd_wing", 3, 2),
    ("emil", "seismic", 4, 3),
    ("fay", "genome_map", 1, 2),
    ("gus", "fusion_pic", 2, 6),
    ("ines", "weather_grid", 0, 4),
    ("jon", "combustion", 4, 2),
];

/// The target that is slow on two days.
pub const SLOW_TARGET: i64 = 7;
pub const SLOW_DAYS: [u32; 2] = [12, 13];
pub const SLOWER: f64 = 20.0;

/// The program that is slower from a day on.
pub const REGRESSED: (&str, &str) = ("ines", "weather_grid");
pub const REGRESSION_DAY: u32 = 18;
pub const REGRESSION: f64 = 4.0;

/// The target on which one program puts all of its files.
pub const HOT_TARGET: i64 = 3;
pub const HOT_PROGRAM: &str = "fusion_pic";

/// The version whose metadata calls are slow.
pub const BAD_VERSION: &str = "3.4.6";
pub const BAD_METADATA: f64 = 30.0;

const GOOD_VERSION: &str = "3.4.4";

/// By how much the end of a skewed job lies before its start.
pub const SKEW_S: i64 = 3600;

/// Whether faults are planted.
#[derive(Debug, Clone, Copy)]
pub struct Plants {
    pub is_on: bool,
}

/// One job.
#[derive(Debug, Clone)]
pub struct Job {
    pub id: u32,
    pub uid: i64,
    pub user: &'static str,
    pub program: &'static str,
    pub sample: usize,
    /// As many times the work of the sample.
    pub scale: i64,
    /// Factor of all times, noise included.
    pub slower: f64,
    pub day: u32,
    pub start_s: i64,
    pub library_version: &'static str,
    pub metadata_slower: f64,
    /// The target that is slow while it runs.
    pub slow_target: Option<i64>,
    pub is_regressed: bool,
    pub is_hot: bool,
    pub has_bad_version: bool,
    pub is_copied: bool,
    pub is_skewed: bool,
}

impl Job {
    /// A job: numbers ascend with time.
    pub fn draw(number: u32, of: u32, samples: usize, plants: Plants, random: &mut Random) -> Self {
        let place = random.below(PROGRAMS.len());
        let (user, program, sample, scale) = PROGRAMS[place];
        // Somewhere in its share of the time: equal steps would compress to nothing.
        let begin = |job: u32| i64::from(job) * i64::from(DAYS) * DAY_S / i64::from(of.max(1));
        let room = usize::try_from(begin(number + 1) - begin(number)).unwrap_or(0);
        let within = Random::new(u64::from(number)).below(room);
        let second = begin(number) + i64::try_from(within).unwrap_or(0);
        let day = u32::try_from(second / DAY_S).unwrap_or(0);
        let is_on = plants.is_on;
        let uid = 1000 + user.bytes().map(i64::from).sum::<i64>();
        let is_regressed = is_on && (user, program) == REGRESSED && day >= REGRESSION_DAY;
        let has_bad_version = is_on && random.once_in(8);
        let is_skewed = is_on && random.once_in(29);
        let is_copied = is_on && random.once_in(23);
        Self {
            id: 100_000 + number,
            uid,
            user,
            program,
            sample: sample % samples.max(1),
            scale,
            slower: random.noise() * if is_regressed { REGRESSION } else { 1.0 },
            day,
            start_s: FIRST_S + second,
            library_version: if has_bad_version { BAD_VERSION } else { GOOD_VERSION },
            metadata_slower: if has_bad_version { BAD_METADATA } else { 1.0 },
            slow_target: Some(SLOW_TARGET).filter(|_| is_on && SLOW_DAYS.contains(&day)),
            is_regressed,
            is_hot: is_on && program == HOT_PROGRAM,
            has_bad_version,
            is_copied,
            is_skewed,
        }
    }

    /// `YYYY/M/D`, as Darshan sorts its logs.
    pub fn folder(&self) -> String {
        let [year, month, day] = parts(self.day);
        format!("{year}/{month}/{day}")
    }

    /// As Darshan names its logs.
    pub fn file_name(&self) -> String {
        let [_, month, day] = parts(self.day);
        let second = self.start_s.rem_euclid(DAY_S);
        format!(
            "{}_{}_id{}-{}_{month}-{day}-{second}-1.darshan",
            self.user, self.program, self.id, self.id
        )
    }
}

/// Year, month and day; the time lies in March and April 2026.
fn parts(day: u32) -> [u32; 3] {
    if day < 31 { [2026, 3, day + 1] } else { [2026, 4, day - 30] }
}

/// A day as `YYYY-MM-DD`.
pub fn date(day: u32) -> String {
    let [year, month, day] = parts(day);
    format!("{year}-{month:02}-{day:02}")
}
