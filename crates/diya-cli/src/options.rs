//! Options that several commands have.

use crate::failure::Failure;
use clap::{Args, ValueEnum};
use diya::Within;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Options of every command.
#[derive(Debug, Args)]
pub struct Common {
    /// Print the result as JSON instead of text
    #[arg(long, global = true)]
    pub json: bool,
    /// Threads that diya itself uses (default: one per processor)
    #[arg(long, global = true, value_name = "N", default_value_t = 0, hide_default_value = true)]
    pub threads: usize,
    /// No progress bar and no notes on standard error
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

/// Filter of records.
#[derive(Debug, Args)]
pub struct Filter {
    /// Read only these ranks: N or FIRST-LAST. Records shared by all ranks are always included
    #[arg(long, value_name = "RANKS", value_parser = parse_ranks)]
    pub ranks: Option<RangeInclusive<i32>>,
    /// Read only files whose path contains this text (may be given several times)
    #[arg(long = "path", value_name = "TEXT")]
    pub paths: Vec<String>,
}

impl Filter {
    /// Whether something is left out.
    pub fn is_set(&self) -> bool {
        self.ranks.is_some() || !self.paths.is_empty()
    }
}

/// Filter of records and calls.
#[derive(Debug, Args)]
pub struct CallFilter {
    #[command(flatten)]
    pub records: Filter,
    /// Keep only calls in regions of this name, and what can be counted from them (may be given
    /// several times)
    #[arg(long = "region", value_name = "NAME")]
    pub regions: Vec<String>,
    /// Keep only calls in these steps of the program: N or FIRST-LAST
    #[arg(long, value_name = "STEPS", value_parser = parse_steps)]
    pub steps: Option<RangeInclusive<i64>>,
}

impl CallFilter {
    /// Whether something is left out.
    pub fn is_set(&self) -> bool {
        self.records.is_set() || self.within().is_set()
    }

    /// The regions and steps.
    pub fn within(&self) -> Within {
        Within { regions: self.regions.clone(), steps: self.steps.clone() }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    Table,
    Csv,
    Json,
    Parquet,
}

/// The key for hashes of names: itself, or `@FILE` with it, so that `ps` does not show it.
pub(crate) fn key_of(given: &str) -> Result<String, Failure> {
    let key = match given.strip_prefix('@') {
        Some(file) => std::fs::read_to_string(file)
            .map(|text| text.trim_end().to_owned())
            .map_err(|e| Failure::Input(format!("{file}: {e}; expected a file with a key")))?,
        None => given.to_owned(),
    };
    match key.is_empty() {
        true => {
            let text = "the key is empty, so the names could be guessed; use a long key";
            Err(Failure::Input(text.to_owned()))
        }
        false => Ok(key),
    }
}

fn parse_ranks(text: &str) -> Result<RangeInclusive<i32>, String> {
    parse_range(text)
}

fn parse_steps(text: &str) -> Result<RangeInclusive<i64>, String> {
    parse_range(text)
}

fn parse_range<N: FromStr + Copy + PartialOrd + Default>(
    text: &str,
) -> Result<RangeInclusive<N>, String> {
    let number = |t: &str| t.parse::<N>().ok().filter(|n| *n >= N::default());
    let range = match text.split_once('-') {
        Some((first, last)) => number(first).zip(number(last)),
        None => number(text).map(|n| (n, n)),
    };
    range
        .map(|(first, last)| first..=last)
        .ok_or_else(|| "expected N or FIRST-LAST, for example 0-3".into())
}

/// A number of bytes, with K, M, G or T for powers of 1024.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text.get(digits.len()..).unwrap_or_default().to_ascii_uppercase();
    let shift = match unit.trim_end_matches("IB").trim_end_matches('B') {
        "" => 0,
        "K" => 10,
        "M" => 20,
        "G" => 30,
        "T" => 40,
        _ => return Err(format!("{text} is not a size; examples: 512M, 4G")),
    };
    let number: u64 =
        digits.parse().map_err(|_| format!("{text} is not a size; examples: 512M, 4G"))?;
    number.checked_mul(1 << shift).ok_or_else(|| format!("{text} is too large"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_one_number_or_two() {
        assert_eq!(parse_ranks("3"), Ok(3..=3));
        assert_eq!(parse_ranks("0-15"), Ok(0..=15));
        assert!(parse_ranks("-1").is_err());
        assert!(parse_ranks("a-b").is_err());
    }

    #[test]
    fn steps_may_be_larger_than_ranks() {
        assert_eq!(parse_steps("7"), Ok(7..=7));
        assert_eq!(parse_steps("0-5000000000"), Ok(0..=5_000_000_000));
        assert!(parse_ranks("5000000000").is_err() && parse_steps("3-").is_err());
    }

    #[test]
    fn sizes_have_binary_units() {
        assert_eq!(parse_size("512M"), Ok(512 << 20));
        assert_eq!(parse_size("1GiB"), Ok(1 << 30));
        assert_eq!(parse_size("64"), Ok(64));
        assert!(parse_size("4 apples").is_err());
    }
}
