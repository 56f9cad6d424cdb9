//! Other requests for the same work: what a changed program would do.
//!
//! A call that is no longer made is marked as dropped, not removed: the computing before it stays.

mod aggregate;
mod align;
mod drop_failed;
mod drop_temporary;
mod fewer_files;
mod keep_open;
mod larger;
mod no_sync;
mod redundant;

use crate::error::ReplayError;
use crate::recording::Recording;
use crate::step::Step;
use crate::stripe::Stripe;
use crate::text_size::bytes;
use diya::model::bytes_text;
use std::path::PathBuf;
use std::str::FromStr;

/// One change of the requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transform {
    /// Nothing is made durable.
    NoFsync,
    /// Contiguous requests of a rank are merged up to so many bytes.
    LargerRequests(u64),
    /// What a process has asked or read before is not asked or read again.
    DropRedundant,
    /// Nothing is opened or asked that is not there.
    DropFailed,
    /// Files that the job makes and removes are not there.
    DropTemporary,
    /// A process opens each file once.
    BatchMetadata,
    /// Each request starts at a multiple of so many bytes.
    Align(u64),
    /// Requests of several ranks to one file are those of one rank.
    Aggregate,
    /// The same, of so many ranks, each with a part of the file.
    Collective(usize),
    /// New files lie on so many storage targets, in stripes of so many bytes.
    Stripe(Stripe),
    /// Files that differ only in the digits of their names become one.
    FewerFiles,
    /// The files lie in memory, or in another folder.
    NodeLocal(PathBuf),
}

/// Names of transforms, what follows `=`, and what they do: for the help.
pub const TRANSFORMS: [(&str, &str); 12] = [
    ("no-fsync", "nothing is made durable"),
    ("larger-requests[=SIZE]", "contiguous requests of a rank are merged (1M)"),
    ("drop-redundant", "nothing is asked or read twice by one process"),
    ("drop-failed", "nothing is opened or asked that is not there"),
    ("drop-temporary", "files that the job makes and removes are not there"),
    ("batch-metadata", "a process opens each file once"),
    ("align[=SIZE]", "each request starts at a multiple of SIZE (4K)"),
    ("aggregate", "one rank issues the requests of all to a file"),
    ("collective[=N]", "N ranks (4) issue the requests of all to a file, each a part of it"),
    (
        "stripe=COUNT[xSIZE]",
        "new files on COUNT storage targets of Lustre, in stripes of SIZE (1M)",
    ),
    ("fewer-files", "files whose names differ only in digits become one"),
    ("node-local[=FOLDER]", "files lie in FOLDER (/dev/shm)"),
];

impl FromStr for Transform {
    type Err = ReplayError;

    fn from_str(text: &str) -> Result<Self, ReplayError> {
        let (name, value) = text.split_once('=').map_or((text, None), |(n, v)| (n, Some(v)));
        let wrong = |reason: &str| Err(ReplayError::Transform(format!("{text}: {reason}")));
        let size = |default: u64| match value {
            None => Ok(default),
            Some(value) => bytes(value).ok_or_else(|| {
                ReplayError::Transform(format!("{text}: expected a size such as 4M after ="))
            }),
        };
        Ok(match name {
            "larger-requests" => Self::LargerRequests(size(1 << 20)?),
            "align" => Self::Align(size(4 << 10)?),
            "collective" => match value.unwrap_or("4").parse() {
                Ok(ranks @ 1..) => Self::Collective(ranks),
                _ => return wrong("expected a number of ranks after ="),
            },
            "stripe" => match value.and_then(Stripe::of) {
                Some(stripe) => Self::Stripe(stripe),
                None => return wrong("expected a number of targets such as 4, or 4x1M, after ="),
            },
            "node-local" => Self::NodeLocal(PathBuf::from(value.unwrap_or("/dev/shm"))),
            _ if value.is_some() => return wrong("this transform takes no value"),
            "no-fsync" => Self::NoFsync,
            "drop-redundant" => Self::DropRedundant,
            "drop-failed" => Self::DropFailed,
            "drop-temporary" => Self::DropTemporary,
            "batch-metadata" => Self::BatchMetadata,
            "aggregate" => Self::Aggregate,
            "fewer-files" => Self::FewerFiles,
            _ => {
                let names: Vec<&str> = TRANSFORMS.iter().map(|(name, _)| *name).collect();
                return wrong(&format!("no such transform; there are {}", names.join(", ")));
            }
        })
    }
}

impl std::fmt::Display for Transform {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoFsync => f.write_str("no-fsync"),
            Self::LargerRequests(size) => write!(f, "larger-requests ({})", bytes_text(*size)),
            Self::DropRedundant => f.write_str("drop-redundant"),
            Self::DropFailed => f.write_str("drop-failed"),
            Self::DropTemporary => f.write_str("drop-temporary"),
            Self::BatchMetadata => f.write_str("batch-metadata"),
            Self::Align(size) => write!(f, "align ({})", bytes_text(*size)),
            Self::Aggregate => f.write_str("aggregate"),
            Self::Collective(ranks) => write!(f, "collective ({ranks})"),
            Self::Stripe(stripe) => {
                write!(f, "stripe ({} x {})", stripe.targets, bytes_text(stripe.bytes))
            }
            Self::FewerFiles => f.write_str("fewer-files"),
            Self::NodeLocal(folder) => write!(f, "node-local ({})", folder.display()),
        }
    }
}

/// Changes the calls of a recording.
pub fn transform(recording: &mut Recording, transforms: &[Transform]) {
    for transform in transforms {
        let before = fingerprint(recording);
        match transform {
            Transform::NoFsync => no_sync::apply(recording),
            Transform::LargerRequests(size) => larger::apply(recording, *size),
            Transform::DropRedundant => redundant::apply(recording),
            Transform::DropFailed => drop_failed::apply(recording),
            Transform::DropTemporary => drop_temporary::apply(recording),
            Transform::BatchMetadata => keep_open::apply(recording),
            Transform::Align(size) => align::apply(recording, *size),
            Transform::Aggregate => aggregate::apply(recording, 1),
            Transform::Collective(ranks) => aggregate::apply(recording, *ranks),
            Transform::FewerFiles => fewer_files::apply(recording),
            // Only the folder is another one, or has another layout.
            Transform::NodeLocal(_) | Transform::Stripe(_) => {}
        }
        recording.transforms.push(transform.to_string());
        let is_idle = fingerprint(recording) == before;
        if is_idle && !matches!(transform, Transform::NodeLocal(_) | Transform::Stripe(_)) {
            recording.idle_transforms.push(transform.to_string());
        }
    }
}

/// Sums that differ after any change: dropped requests, bytes, offsets, files and flags.
fn fingerprint(recording: &Recording) -> (usize, [u64; 4]) {
    let kept = || recording.steps.iter().filter(|step| !step.is_dropped);
    let sum = |of: fn(&Step) -> u64| kept().map(of).fold(0, u64::wrapping_add);
    let offset = sum(|step| step.offset.unwrap_or(0));
    let flags = sum(|step| step.aux.unwrap_or(0) as u64);
    (kept().count(), [sum(|step| step.bytes), offset, sum(|step| u64::from(step.file)), flags])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transforms_have_names_and_sizes() {
        let of = |text: &str| text.parse::<Transform>().map_err(|error| error.to_string());
        assert_eq!(of("no-fsync"), Ok(Transform::NoFsync));
        assert_eq!(of("larger-requests=4M"), Ok(Transform::LargerRequests(4 << 20)));
        assert_eq!(of("align"), Ok(Transform::Align(4096)));
        let stripe = |targets, bytes| Ok(Transform::Stripe(Stripe { targets, bytes }));
        assert_eq!(of("stripe=8"), stripe(8, 1 << 20));
        assert_eq!(of("stripe=2x4M"), stripe(2, 4 << 20));
        assert_eq!(of("collective=2"), Ok(Transform::Collective(2)));
        for wrong in ["stripe", "stripe=0", "stripe=2x0", "collective=0", "collective=x"] {
            assert!(of(wrong).unwrap_err().contains("expected"), "{wrong}");
        }
        assert!(of("align=0").unwrap_err().contains("such as 4M"));
        assert!(of("no-fsync=1").unwrap_err().contains("takes no value"));
        assert!(of("faster").unwrap_err().contains("there are no-fsync, larger-requests[=SIZE]"));
        for (name, _) in TRANSFORMS {
            let plain = name.split(['[', '=']).next().unwrap();
            let given = if plain == "stripe" { "stripe=4" } else { plain };
            assert!(of(given).unwrap().to_string().starts_with(plain), "{name}");
        }
    }
}
