//! A machine profile: a file, and a table of the analysis.

use super::ceiling::Ceiling;
use super::sample::Sample;
use diya_tables::{BatchSource, Batches, TableBuilder, TableId, machine_ceiling, machine_profile};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Version of the file's layout.
const VERSION: u32 = 1;

/// A profile cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProfileError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is not a machine profile.
    #[error("{}: not a machine profile: {what}", path.display())]
    Format {
        /// Which file.
        path: PathBuf,
        /// What is wrong, with its line where there is one.
        what: String,
    },
}

/// What requests cost on a file system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Version of this layout: 1.
    pub version: u32,
    /// Machine on which it was measured.
    pub host: Option<String>,
    /// Mount point that was measured; `None`: the profile is for every one.
    pub mount: Option<String>,
    /// Type of that file system.
    pub fs_type: Option<String>,
    /// One per kind of request and way of sharing.
    #[serde(default)]
    pub cost: Vec<Cost>,
    /// The highest bandwidths; none in profiles of before they were measured.
    #[serde(default)]
    pub ceiling: Vec<Ceiling>,
}

/// What one kind of request costs; times in seconds, as one worker sees them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// read, write, sync, create, stat or unlink.
    pub op: String,
    /// Several workers on one file; else each had its own.
    pub is_shared: bool,
    /// Threads at work at the same time, each with a descriptor of its own.
    pub workers: u32,
    /// Time of a request of no bytes; of the whole call where it moves none.
    pub latency_s: f64,
    /// The same for the quarter of fastest requests.
    pub latency_low_s: f64,
    /// The same for the quarter of slowest requests.
    pub latency_high_s: f64,
    /// Bytes per second of one worker with large requests; `None`: the call
    /// moves none.
    pub bandwidth_bytes_per_s: Option<f64>,
    /// Requests behind these numbers.
    pub calls: u64,
}

impl Cost {
    /// From requests of a small size and of a large one, or of none; `None`
    /// when there are no requests.
    pub(super) fn of(
        (op, is_shared, workers): (&str, bool, u32),
        small: &Sample,
        large: Option<(&Sample, [usize; 2])>,
    ) -> Option<Self> {
        let [low, middle, high] = small.quartiles_s()?;
        // A line through the middle of both sizes.
        let byte_s = large.and_then(|(large, [from, to])| {
            let large_s = large.quartiles_s()?[1];
            let by_line = (large_s - middle) / to.saturating_sub(from).max(1) as f64;
            Some(if by_line > 0.0 { by_line } else { large_s / to.max(1) as f64 })
        });
        let moved_s = byte_s.zip(large).map_or(0.0, |(s, (_, [from, _]))| s * from as f64);
        let latency = |time_s: f64| (time_s - moved_s).max(0.0);
        let calls = small.calls() + large.map_or(0, |(large, _)| large.calls());
        Some(Self {
            op: op.to_owned(),
            is_shared,
            workers,
            latency_s: latency(middle),
            latency_low_s: latency(low),
            latency_high_s: latency(high),
            bandwidth_bytes_per_s: byte_s.map(|s| 1.0 / s).filter(|b| b.is_finite()),
            calls: u64::try_from(calls).unwrap_or(u64::MAX),
        })
    }
}

impl Profile {
    /// An empty one.
    pub(super) fn new(host: Option<String>, mount: Option<(String, String)>) -> Self {
        let (mount, fs_type) = mount.unzip();
        Self { version: VERSION, host, mount, fs_type, cost: Vec::new(), ceiling: Vec::new() }
    }

    /// Reads a profile from a file that `diya calibrate` wrote.
    pub fn read(path: &Path) -> Result<Self, ProfileError> {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|source| ProfileError::Read { path: path.to_owned(), source })?;
        let wrong = |what| ProfileError::Format { path: path.to_owned(), what };
        Self::parse(&text).map_err(wrong)
    }

    fn parse(text: &str) -> Result<Self, String> {
        let profile: Self = toml::from_str(text).map_err(|e| e.to_string().trim().to_owned())?;
        if profile.version != VERSION {
            return Err(format!("version {} is not {VERSION}", profile.version));
        }
        let is_time = |s: f64| s.is_finite() && s >= 0.0;
        for cost in &profile.cost {
            let times = [cost.latency_s, cost.latency_low_s, cost.latency_high_s];
            let bandwidth = cost.bandwidth_bytes_per_s.unwrap_or(1.0);
            if !times.into_iter().all(is_time) || !bandwidth.is_finite() || bandwidth <= 0.0 {
                return Err(format!("the cost of {} is not a time or a bandwidth", cost.op));
            }
        }
        for ceiling in &profile.ceiling {
            let bandwidth = ceiling.bandwidth_bytes_per_s;
            if !bandwidth.is_finite() || bandwidth <= 0.0 || ceiling.request_bytes == 0 {
                return Err(format!("the ceiling of {} is not a bandwidth", ceiling.op));
            }
        }
        Ok(profile)
    }

    /// The file: TOML.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use diya_calibrate::{Calibration, calibrate};
    /// let folder = std::env::temp_dir();
    /// let profile = calibrate(&folder, &Calibration::quick())?;
    /// assert!(profile.to_toml().starts_with("version = 1"));
    /// # Ok(()) }
    /// ```
    pub fn to_toml(&self) -> String {
        toml::to_string(self).unwrap_or_default()
    }

    /// The tables `machine_profile` and `machine_ceiling`, for `Session::add` of the facade.
    pub fn tables(&self) -> [Arc<dyn BatchSource>; 2] {
        [self.costs(), self.ceilings()]
    }

    fn ceilings(&self) -> Arc<dyn BatchSource> {
        let def = TableId::MachineCeiling.def();
        let mut table = TableBuilder::new(def);
        for ceiling in &self.ceiling {
            table.push_i32(machine_ceiling::LOG, None);
            table.push_str(machine_ceiling::MOUNT, self.mount.as_deref());
            table.push_str(machine_ceiling::FS_TYPE, self.fs_type.as_deref());
            table.push_str(machine_ceiling::OP, Some(&ceiling.op));
            table.push_str(machine_ceiling::PATTERN, Some(ceiling.pattern.name()));
            table.push_i64(machine_ceiling::WORKERS, Some(i64::from(ceiling.workers)));
            let request_bytes = i64::try_from(ceiling.request_bytes).ok();
            table.push_i64(machine_ceiling::REQUEST_BYTES, request_bytes);
            let bandwidth = Some(ceiling.bandwidth_bytes_per_s);
            table.push_f64(machine_ceiling::BANDWIDTH_BYTES_PER_S, bandwidth);
            table.end_row();
        }
        Arc::new(Batches::new(def, vec![table.into_batch()]))
    }

    fn costs(&self) -> Arc<dyn BatchSource> {
        let def = TableId::MachineProfile.def();
        let mut table = TableBuilder::new(def);
        for cost in &self.cost {
            table.push_i32(machine_profile::LOG, None);
            table.push_str(machine_profile::MOUNT, self.mount.as_deref());
            table.push_str(machine_profile::FS_TYPE, self.fs_type.as_deref());
            table.push_str(machine_profile::OP, Some(&cost.op));
            table.push_bool(machine_profile::IS_SHARED, Some(cost.is_shared));
            table.push_i64(machine_profile::WORKERS, Some(i64::from(cost.workers)));
            table.push_f64(machine_profile::LATENCY_S, Some(cost.latency_s));
            table.push_f64(machine_profile::LATENCY_LOW_S, Some(cost.latency_low_s));
            table.push_f64(machine_profile::LATENCY_HIGH_S, Some(cost.latency_high_s));
            table.push_f64(machine_profile::BANDWIDTH_BYTES_PER_S, cost.bandwidth_bytes_per_s);
            table.push_i64(machine_profile::CALLS, i64::try_from(cost.calls).ok());
            table.end_row();
        }
        Arc::new(Batches::new(def, vec![table.into_batch()]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "version = 1\nmount = \"/scratch\"\nfs_type = \"lustre\"\n\n[[cost]]\n\
        op = \"write\"\nis_shared = false\nworkers = 1\nlatency_s = 0.001\nlatency_low_s = 0.0005\n\
        latency_high_s = 0.002\nbandwidth_bytes_per_s = 1e9\ncalls = 64\n\n[[ceiling]]\n\
        op = \"write\"\npattern = \"rows\"\nworkers = 4\nrequest_bytes = 4096\n\
        bandwidth_bytes_per_s = 2e8\n";

    #[test]
    fn a_file_and_a_profile_say_the_same() {
        let profile = Profile::parse(TEXT).expect("is right");
        assert_eq!(Profile::parse(&profile.to_toml()), Ok(profile.clone()));
        let rows = profile.tables().map(|table| table.rows());
        assert_eq!((rows, profile.cost[0].workers), ([1, 1], 1));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |text: &str| Profile::parse(text).expect_err("is wrong");
        assert!(wrong(&TEXT.replace("= 1\nmount", "= 2\nmount")).contains("version 2"));
        assert!(wrong(&TEXT.replace("0.002", "-1.0")).contains("cost of write"));
        assert!(wrong(&TEXT.replace("2e8", "-2e8")).contains("ceiling of write"));
        assert!(wrong(&TEXT.replace("latency_s", "latency")).contains("latency"));
    }
}
