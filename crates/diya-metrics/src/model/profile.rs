//! Table `machine_profile`: what `diya calibrate` measured.

use super::fit::Cost;
use super::range::Range;
use diya_tables::{BatchSource, machine_profile};
use std::sync::Arc;

/// One row.
#[derive(Debug, Clone)]
struct Measured {
    /// `None`: every log.
    log: Option<i32>,
    mount: Option<String>,
    fs_type: Option<String>,
    op: String,
    is_shared: bool,
    workers: i64,
    latency_s: f64,
    latency_range_s: Range,
    bandwidth: Option<f64>,
    calls: i64,
}

/// Seconds of a metadata call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rates {
    /// From finding to making a file.
    pub open_s: Range,
    pub stat_s: Range,
}

/// All rows.
#[derive(Debug, Default)]
pub(crate) struct Profile {
    rows: Vec<Measured>,
}

impl Profile {
    pub fn read(tables: &[Arc<dyn BatchSource>]) -> Self {
        Self { rows: ProfileColumns::all(tables).flat_map(rows).collect() }
    }

    /// Cost of a request on a file system; the row of the mount point itself
    /// before that of its kind. `None`: nothing was measured.
    pub fn cost(
        &self,
        log: i32,
        (mount, fs_type): (Option<&str>, Option<&str>),
        is_write: bool,
    ) -> Option<Cost> {
        let op = if is_write { "write" } else { "read" };
        let row = self.best(log, mount, fs_type, |row| row.op == op && !row.is_shared)?;
        // Twice and half of the bandwidth: runs differ, and so do neighbours.
        let byte_s = row.bandwidth.filter(|b| *b > 0.0).map(|b| 1.0 / b);
        let byte_range_s =
            byte_s.map_or(Range::at_most(f64::INFINITY), |s| Range::new(s / 2.0, s * 2.0));
        Some(Cost {
            latency_s: Some(row.latency_s),
            latency_range_s: row.latency_range_s,
            byte_s,
            byte_range_s,
            quick_s: row.latency_range_s.low,
            tail_ratio: 1.0,
            calls: row.calls as f64,
            quick: Vec::new(),
            is_memory: false,
            missed_ratio: 0.0,
            smallest_bytes: 0.0,
            largest_bytes: 0.0,
        })
    }

    /// What opens and stats take on a file system; `None`: not measured.
    pub fn rates(&self, log: i32, (mount, fs_type): (Option<&str>, Option<&str>)) -> Option<Rates> {
        let of = |op: &str| {
            let row = self.best(log, mount, fs_type, |row| row.op == op && !row.is_shared)?;
            Some(row.latency_range_s)
        };
        // A file is found as a stat finds it, and made as a create makes it.
        let (stat_s, create_s) = (of("stat")?, of("create")?);
        Some(Rates { open_s: Range::new(stat_s.low.min(create_s.low), create_s.high), stat_s })
    }

    /// Bandwidth of all workers together over that of one, on one file.
    pub fn sharing_gain(
        &self,
        log: i32,
        (mount, fs_type): (Option<&str>, Option<&str>),
        is_write: bool,
    ) -> Option<f64> {
        let op = if is_write { "write" } else { "read" };
        let is_op = |row: &Measured| row.op == op;
        let one = self.best(log, mount, fs_type, |r| is_op(r) && !r.is_shared && r.workers == 1)?;
        let all = self.best(log, mount, fs_type, |r| is_op(r) && r.is_shared && r.workers > 1)?;
        let (one, each) = (one.bandwidth?, all.bandwidth?);
        (one > 0.0).then(|| each * all.workers as f64 / one)
    }

    fn best(
        &self,
        log: i32,
        mount: Option<&str>,
        fs_type: Option<&str>,
        is_selected: impl Fn(&Measured) -> bool,
    ) -> Option<&Measured> {
        let fits = |row: &&Measured| {
            let is_here = row.mount.is_none() || row.mount.as_deref() == mount;
            let is_kind = row.fs_type.is_none() || row.fs_type.as_deref() == fs_type;
            row.log.is_none_or(|of| of == log)
                && is_selected(row)
                && (is_here || (is_kind && row.fs_type.is_some()))
        };
        let nearness = |row: &&Measured| {
            let is_here = row.mount.is_some() && row.mount.as_deref() == mount;
            (is_here, row.fs_type.is_some(), std::cmp::Reverse(row.workers))
        };
        self.rows.iter().filter(fits).max_by_key(nearness)
    }
}

diya_tables::columns! {
    struct ProfileColumns of machine_profile {
        log: i32,
        mount: str,
        fs_type: str,
        op: str,
        is_shared: bool,
        workers: i64,
        latency_s: f64,
        latency_low_s: f64,
        latency_high_s: f64,
        bandwidth_bytes_per_s: f64,
        calls: i64,
    }
}

fn rows(of: ProfileColumns) -> Vec<Measured> {
    let row = |row: usize| Measured {
        log: of.log.get(row),
        mount: of.mount.get(row).map(str::to_owned),
        fs_type: of.fs_type.get(row).map(str::to_owned),
        op: of.op.get(row).unwrap_or_default().to_owned(),
        is_shared: of.is_shared.value(row),
        workers: of.workers.value(row),
        latency_s: of.latency_s.get(row).unwrap_or(0.0),
        latency_range_s: Range::new(
            of.latency_low_s.get(row).unwrap_or(0.0),
            of.latency_high_s.get(row).unwrap_or(f64::INFINITY),
        ),
        bandwidth: of.bandwidth_bytes_per_s.get(row),
        calls: of.calls.value(row),
    };
    (0..of.rows()).map(row).collect()
}
