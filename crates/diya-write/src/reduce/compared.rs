//! Ranks compared: the fastest, the slowest, and how far they lie apart.

use super::RANK;
use diya_tables::{TableBuilder, TableDef};

/// Columns that a comparison needs and fills.
#[derive(Debug)]
pub(super) struct Compared {
    times: Vec<usize>,
    bytes: Vec<usize>,
    fastest: [usize; 3],
    slowest: [usize; 3],
    /// Of time and bytes; DFS and DAOS records have none.
    variances: Option<[usize; 2]>,
}

/// Is this one of the columns that a comparison fills?
pub(super) fn is_compared(name: &str) -> bool {
    let name = name.strip_prefix("f_").unwrap_or(name);
    ["fastest_rank", "slowest_rank", "variance_rank"].iter().any(|what| name.starts_with(what))
}

/// What one rank did with the file.
#[derive(Debug, Clone, Copy)]
struct Share {
    rank: i32,
    time_s: f64,
    bytes: i64,
}

impl Compared {
    pub fn of(def: &'static TableDef) -> Option<Self> {
        let columns = |names: &[&str]| names.iter().filter_map(|name| def.column(name)).collect();
        let extreme = |what: &str| {
            let column = |name: String| def.column(&name);
            let (rank, bytes) =
                (column(format!("{what}_rank")), column(format!("{what}_rank_bytes")));
            Some([rank?, bytes?, column(format!("f_{what}_rank_time"))?])
        };
        let variance = |of: &str| def.column(&format!("f_variance_rank_{of}"));
        Some(Self {
            times: columns(&["f_read_time", "f_write_time", "f_meta_time"]),
            bytes: columns(&["bytes_read", "bytes_written"]),
            fastest: extreme("fastest")?,
            slowest: extreme("slowest")?,
            variances: variance("time").zip(variance("bytes")).map(|(time, bytes)| [time, bytes]),
        })
    }

    fn share(&self, table: &TableBuilder, row: usize) -> Share {
        Share {
            rank: table.i32(RANK, row).unwrap_or(0),
            time_s: self.times.iter().filter_map(|&c| table.f64(c, row)).sum(),
            bytes: self.bytes.iter().filter_map(|&c| table.i64(c, row)).sum(),
        }
    }

    /// Appends the comparison of all rows, one per rank.
    pub fn push(&self, table: &TableBuilder, rows: &[usize], out: &mut TableBuilder) {
        let mut shares: Vec<Share> = rows.iter().map(|&row| self.share(table, row)).collect();
        // The lowest of several equal ranks is named.
        shares.sort_by_key(|share| share.rank);
        let by_time = |a: &&Share, b: &&Share| a.time_s.total_cmp(&b.time_s);
        let fastest = shares.iter().min_by(by_time);
        let slowest = shares.iter().rev().max_by(by_time);
        for (columns, share) in [(self.fastest, fastest), (self.slowest, slowest)] {
            let [rank, bytes, time] = columns;
            out.push_i64(rank, share.map(|s| i64::from(s.rank)));
            out.push_i64(bytes, share.map(|s| s.bytes));
            out.push_f64(time, share.map(|s| s.time_s));
        }
        if let Some([time, bytes]) = self.variances {
            out.push_f64(time, variance(shares.iter().map(|s| s.time_s)));
            out.push_f64(bytes, variance(shares.iter().map(|s| s.bytes as f64)));
        }
    }
}

/// Population variance, in one pass that keeps its digits (Welford 1962).
fn variance(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut count, mut mean, mut sum) = (0.0, 0.0, 0.0);
    for value in values {
        count += 1.0;
        let from_mean = value - mean;
        mean += from_mean / count;
        sum += from_mean * (value - mean);
    }
    (count > 0.0).then(|| sum / count)
}
