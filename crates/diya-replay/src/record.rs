//! The calls of a replay as a log: with what this replay measured.

use crate::error::ReplayError;
use crate::operation::Operation;
use crate::outcome::{Outcome, Outcomes};
use crate::plan::{Plan, Request};
use diya::OpenOptions;
use diya::convert::{ConvertOptions, OutputFormat, convert};
use diya::input::Input;
use std::fmt::Write as _;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Columns of the calls, for the reader of mapped files (docs/formats/mapping.md).
const MAPPING: &str = r#"format = "diya-mapping-1"
file = "calls.csv"
layer = "posix"

[columns]
start = { column = "start", unit = "ns", since = "1970" }
duration = { column = "duration", unit = "ns" }
function = "function"
path = "path"
rank = "rank"
thread = "thread"
size = { column = "size", unit = "B" }
requested = { column = "requested", unit = "B" }
offset = { column = "offset", unit = "B" }
error = "error"
"#;

/// The calls that were issued, as a `.diya` file. `files` is the folder in which they lay, and
/// `began` when the replay started.
///
/// # Errors
///
/// If no call was issued.
pub fn record(
    plan: &Plan,
    outcomes: &Outcomes,
    files: &Path,
    began: SystemTime,
) -> Result<Vec<u8>, ReplayError> {
    let failed = |reason: String| ReplayError::Record(reason);
    let csv = calls(plan, outcomes, files, began);
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in [("diya-mapping.toml", MAPPING.as_bytes()), ("calls.csv", csv.as_bytes())]
    {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o600);
        tar.append_data(&mut header, name, bytes).map_err(|error| failed(error.to_string()))?;
    }
    let bytes = tar.into_inner().map_err(|error| failed(error.to_string()))?;
    let input = Input::from_bytes(format!("replay of {}", plan.log), bytes);
    let options = ConvertOptions::default();
    let log = convert(&input, OutputFormat::Diya, &OpenOptions::default(), &options);
    Ok(log.map_err(|error| failed(error.to_string()))?.bytes)
}

/// One line for each call.
fn calls(plan: &Plan, outcomes: &Outcomes, files: &Path, began: SystemTime) -> String {
    let began_ns = began.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    let mut csv =
        "start,duration,function,path,rank,thread,size,requested,offset,error\n".to_owned();
    for (lane, (requests, done)) in plan.lanes.iter().zip(&outcomes.lanes).enumerate() {
        for (request, outcome) in requests.iter().zip(done) {
            if request.operation != Operation::Meet && outcome.is_done {
                lines(&mut csv, plan, (request, outcome), lane, (began_ns, files));
            }
        }
    }
    csv
}

/// The calls of one request. Several tiny ones were timed as one: each has its share.
fn lines(
    csv: &mut String,
    plan: &Plan,
    (request, outcome): (&Request, &Outcome),
    lane: usize,
    (began_ns, files): (u128, &Path),
) {
    let function = plan.functions.get(request.function as usize).map_or("", String::as_str);
    let path = plan.files.get(request.file as usize).map_or("", |file| file.below.as_str());
    // Quoted as RFC 4180 says.
    let path = format!("\"{}\"", files.join(path).display().to_string().replace('"', "\"\""));
    let rank = if request.rank < 0 { lane as i64 } else { i64::from(request.rank) };
    let error = outcome.error.unwrap_or("");
    let calls = request.calls.max(1);
    let duration_ns = outcome.end_ns.saturating_sub(outcome.start_ns) / calls;
    for call in 0..calls {
        let share = |all: u64| all / calls + if call + 1 == calls { all % calls } else { 0 };
        let start_ns = began_ns + u128::from(outcome.start_ns + call * duration_ns);
        let (mut size, mut requested, mut offset) = (String::new(), String::new(), String::new());
        if request.operation.is_transfer() {
            size = share(outcome.bytes).to_string();
            requested = share(request.requested).to_string();
            offset = (request.offset + call * (request.bytes / calls)).to_string();
        }
        // Writing to a text does not fail.
        let _ = writeln!(
            csv,
            "{start_ns},{duration_ns},{function},{path},{rank},{},{size},{requested},{offset},{error}",
            lane + 1
        );
    }
}
