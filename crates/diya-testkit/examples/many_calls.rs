//! A log with many more calls: `many_calls LOG TIMES OUT` writes the DXT_POSIX
//! records of a Darshan log that many times, each time as further ranks of a job that has
//! as many more processes.
//!
//! For measuring: big_10m.darshan ten times is a log of 100 million calls. Record
//! after record goes through, so that it takes no more memory than one record.

use flate2::{Compression, bufread::ZlibDecoder, write::ZlibEncoder};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

const HEADER_BYTES: usize = 1328;
/// Place and length of the names.
const NAMES_AT: usize = 32;
const MODULES_AT: usize = 48;
const MODULES: usize = 64;
/// Number of the module in logs of version 3.41.
const DXT_POSIX: usize = 10;
/// Head of a record; then its segments. docs/formats/darshan.md, "DXT_POSIX".
const RECORD_BYTES: usize = 104;
const SEGMENT_BYTES: u64 = 32;
/// The number of processes in the job record of version 3.41.
const PROCESSES_AT: usize = 40;

fn number(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [log, times, out] = args.as_slice() else {
        return Err(io::Error::other("usage: many_calls LOG TIMES OUT"));
    };
    let times: u64 = times.parse().map_err(io::Error::other)?;
    let log = std::fs::read(log)?;
    assert!(log.starts_with(b"3.41\0") && log[16] == 0, "a 3.41 log with zlib");
    let slot = |module: usize| MODULES_AT + module * 16;
    let region = |module: usize| {
        let (at, len) = (number(&log, slot(module)), number(&log, slot(module) + 8));
        &log[at as usize..(at + len) as usize]
    };
    let first = (0..MODULES).filter(|module| !region(*module).is_empty());
    let mut header = log[..HEADER_BYTES].to_vec();
    let mut file = BufWriter::new(File::create(out)?);
    file.write_all(&header)?;
    let names = number(&log, NAMES_AT) as usize;
    file.write_all(&larger_job(&log[HEADER_BYTES..names], times)?)?;
    let at = file.stream_position()?;
    header[NAMES_AT..NAMES_AT + 8].copy_from_slice(&at.to_le_bytes());
    file.write_all(&log[names..names + number(&log, NAMES_AT + 8) as usize])?;
    for module in first {
        let at = file.stream_position()?;
        if module == DXT_POSIX {
            let ranks = 1 + last_rank(region(module))?;
            for copy in 0..times {
                copy_records(region(module), copy * ranks, &mut file)?;
            }
        } else {
            file.write_all(region(module))?;
        }
        let len = file.stream_position()? - at;
        header[slot(module)..slot(module) + 8].copy_from_slice(&at.to_le_bytes());
        header[slot(module) + 8..slot(module) + 16].copy_from_slice(&len.to_le_bytes());
    }
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&header)?;
    file.flush()
}

/// The job record, of a job with so many times the processes.
fn larger_job(region: &[u8], times: u64) -> io::Result<Vec<u8>> {
    let mut job = Vec::new();
    ZlibDecoder::new(region).read_to_end(&mut job)?;
    let processes = number(&job, PROCESSES_AT) * times;
    job[PROCESSES_AT..PROCESSES_AT + 8].copy_from_slice(&processes.to_le_bytes());
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(&job)?;
    packed.finish()
}

/// A region: one zlib stream per process, one behind the other.
struct Streams<'r>(ZlibDecoder<&'r [u8]>);

impl Read for Streams<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.0.read(buffer)?;
            let rest = *self.0.get_ref();
            if read > 0 || buffer.is_empty() || rest.is_empty() {
                return Ok(read);
            }
            self.0 = ZlibDecoder::new(rest);
        }
    }
}

/// Calls `visit` with the head of each record and what holds its segments.
fn records(
    region: &[u8],
    mut visit: impl FnMut(&mut [u8; RECORD_BYTES], &mut dyn Read) -> io::Result<()>,
) -> io::Result<()> {
    let mut records = Streams(ZlibDecoder::new(region));
    let mut head = [0; RECORD_BYTES];
    // At the end of the region no head is left.
    while records.read_exact(&mut head).is_ok() {
        let segments = number(&head, 88) + number(&head, 96);
        let mut body = (&mut records).take(segments * SEGMENT_BYTES);
        visit(&mut head, &mut body)?;
        io::copy(&mut body, &mut io::sink())?;
    }
    Ok(())
}

fn last_rank(region: &[u8]) -> io::Result<u64> {
    let mut last = 0;
    records(region, |head, _| {
        last = last.max(number(head, 8));
        Ok(())
    })?;
    Ok(last)
}

fn copy_records(region: &[u8], more: u64, out: &mut impl Write) -> io::Result<()> {
    records(region, |head, body| {
        let rank = number(head, 8) + more;
        head[8..16].copy_from_slice(&rank.to_le_bytes());
        // As Darshan does it: each process packs its own part.
        let mut packed = ZlibEncoder::new(&mut *out, Compression::fast());
        packed.write_all(head)?;
        io::copy(body, &mut packed)?;
        packed.finish().map(|_| ())
    })
}
