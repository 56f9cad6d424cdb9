//! `diya-bench-inflate LOG...`: inflates every stream of Darshan 3.41 logs and
//! does nothing else. No reader of a log can be faster, so reading is measured
//! as a ratio to it.

use std::process::ExitCode;

/// As much as the reader inflates at a time.
const BUFFER_BYTES: usize = 256 * 1024;

fn main() -> ExitCode {
    let outcome = std::env::args().skip(1).try_for_each(|log| inflate(&log));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("diya-bench-inflate: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Offset and length of every compressed region: job, names, modules. A 3.41
/// little-endian header is enough for a benchmark.
fn regions(log: &[u8]) -> Option<Vec<(usize, usize)>> {
    let number = |at: usize| {
        let word = log.get(at..at + 8)?.first_chunk::<8>()?;
        usize::try_from(u64::from_le_bytes(*word)).ok()
    };
    let pair = |at: usize| Some((number(at)?, number(at + 8)?));
    let names = pair(32)?;
    let mut regions = vec![(1328, names.0.checked_sub(1328)?), names];
    for module in 0..64 {
        regions.push(pair(48 + module * 16)?);
    }
    Some(regions)
}

fn inflate(path: &str) -> Result<(), String> {
    let log = std::fs::read(path).map_err(|e| format!("{path}: {e}"))?;
    let regions = regions(&log).ok_or_else(|| format!("{path}: not a 3.41 log"))?;
    let mut buffer = vec![0; BUFFER_BYTES];
    let mut zlib = flate2::Decompress::new(true);
    let mut inflated = 0;
    for (offset, len) in regions {
        let mut input = log.get(offset..offset + len).ok_or_else(|| format!("{path}: cut"))?;
        while !input.is_empty() {
            let (before_in, before_out) = (zlib.total_in(), zlib.total_out());
            let status = zlib
                .decompress(input, &mut buffer, flate2::FlushDecompress::None)
                .map_err(|e| format!("{path}: {e}"))?;
            input = input.get((zlib.total_in() - before_in) as usize..).unwrap_or_default();
            inflated += zlib.total_out() - before_out;
            if status == flate2::Status::StreamEnd {
                zlib.reset(true);
            }
        }
    }
    println!("{path}: {inflated} bytes inflated");
    Ok(())
}
