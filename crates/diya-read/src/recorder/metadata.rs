//! `VERSION` and `recorder.mt`: what the other files are.

use super::bytes::Rest;
use super::members::Members;
use crate::ReadError;

/// How calls are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// 2.2: one record a call.
    Records,
    /// 2.3: signatures and a grammar for each rank.
    Grammar23,
    /// 2.4 and 2.5: signatures have a rank and a count.
    Grammar24,
    /// 3.0: the same, packed with zlib; times of all ranks in one file.
    Packed,
}

/// What `recorder.mt` says of the trace.
#[derive(Debug)]
pub(super) struct Metadata {
    pub version: String,
    pub layout: Layout,
    pub ranks: i32,
    /// Seconds since 1970 at which rank 0 began; `None`: each rank has its own.
    pub start_s: Option<f64>,
    pub tick_s: f64,
    /// One set of signatures is for all ranks.
    pub is_merged: bool,
    pub has_packed_times: bool,
    /// Names by number.
    pub functions: Vec<String>,
}

/// Where version 2.2 says how calls are stored.
const MODE_AT: usize = 12;

/// Where the names of functions begin in version 3.
const NAMES_AT_3: usize = 1024;

/// Reads both files.
pub(super) fn metadata(members: &Members<'_>) -> Result<Metadata, ReadError> {
    let member = members
        .get("recorder.mt")
        .ok_or_else(|| refusal("recorder.mt", 0, "the file is missing".into()))?;
    let Some(version) = members.get("VERSION") else {
        let found = "the file is missing: this trace is of no version from 2.2 to 3.0".into();
        return Err(refusal("VERSION", member.offset, found));
    };
    let text = String::from_utf8_lossy(version.bytes).trim().to_string();
    let layout = match text.split('.').take(2).collect::<Vec<_>>().as_slice() {
        ["2", "2"] => Layout::Records,
        ["2", "3"] => Layout::Grammar23,
        ["2", "4" | "5"] => Layout::Grammar24,
        ["3", "0"] => Layout::Packed,
        _ => return Err(refusal("VERSION", version.offset, format!("version {text:?}"))),
    };
    if layout == Layout::Grammar24 && members.get("recorder.ts").is_some() {
        let found =
            format!("version {text:?} with a file recorder.ts: written by a development build");
        return Err(refusal("VERSION", version.offset, found));
    }
    if layout == Layout::Records && member.bytes.get(MODE_AT..MODE_AT + 4) == Some(&[0; 4]) {
        let found = "calls are text (RECORDER_COMPRESSION_MODE=0); record with mode 1 or 2".into();
        return Err(refusal("recorder.mt", member.offset, found));
    }
    let short = || {
        let found = format!("{} bytes, which hold no metadata", member.bytes.len());
        refusal("recorder.mt", member.offset, found)
    };
    fields(member.bytes, layout, text).ok_or_else(short)
}

fn fields(bytes: &[u8], layout: Layout, version: String) -> Option<Metadata> {
    let mut rest = Rest(bytes);
    if layout == Layout::Records {
        let tick_s = rest.f64()?;
        let ranks = rest.i32()?;
        rest.take(12)?;
        return Some(Metadata {
            version,
            layout,
            ranks: ranks.max(0),
            start_s: None,
            tick_s: sane_tick(tick_s)?,
            is_merged: false,
            has_packed_times: false,
            functions: names(rest.0),
        });
    }
    let ranks = rest.i32()?;
    // Version 3 has eight flags here and four of them to fill; others have four to fill.
    rest.take(if layout == Layout::Packed { 12 } else { 4 })?;
    let start_s = rest.f64()?;
    let tick_s = sane_tick(rest.f64()?)?;
    rest.take(4)?;
    let (mut is_merged, mut has_packed_times) = (false, false);
    let names_at = match layout {
        Layout::Packed => {
            has_packed_times = rest.u8()? != 0;
            is_merged = rest.u8()? != 0;
            bytes.get(NAMES_AT_3..)
        }
        Layout::Grammar24 => {
            rest.take(4)?;
            is_merged = rest.i32()? != 0;
            rest.take(4)?;
            Some(rest.0)
        }
        _ => {
            rest.take(4)?;
            Some(rest.0)
        }
    };
    Some(Metadata {
        version,
        layout,
        ranks: ranks.max(0),
        start_s: Some(start_s).filter(|s| s.is_finite() && *s >= 0.0 && *s < 1e10),
        tick_s,
        is_merged,
        has_packed_times,
        functions: names(names_at?),
    })
}

/// A unit of time between a femtosecond and ten seconds.
fn sane_tick(tick_s: f64) -> Option<f64> {
    (1e-15..=10.0).contains(&tick_s).then_some(tick_s)
}

fn names(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    text.lines().map(str::to_string).collect()
}

fn refusal(file: &'static str, byte_offset: u64, found: String) -> ReadError {
    ReadError::Recorder { file, byte_offset, found }
}
