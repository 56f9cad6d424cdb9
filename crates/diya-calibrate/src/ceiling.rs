//! The highest bandwidth by pattern and size of requests: the roof of a roofline.

use super::direct::{BLOCK, Buffer, open};
use super::measure::Calibration;
use super::sample::Deadline;
use serde::{Deserialize, Serialize};
use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;
use std::sync::Barrier;
use std::time::Instant;

/// Sizes of requests, each 16 times the one before. Reads past the cache begin at a block.
const SIZES: [usize; 5] = [256, 4 << 10, 64 << 10, 1 << 20, 16 << 20];

/// Share of a step that one size may take: there are 36 of them.
const SHARE_OF_STEP: u32 = 8;

/// How the requests of the workers lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// A file of each worker, in order: IOR with a file per process.
    Own,
    /// One file, a segment of each worker: IOR.
    Segments,
    /// One file, the requests of all workers interleaved: checkpoints of arrays that are divided
    /// into blocks, such as those of S3D.
    Rows,
}

impl Pattern {
    /// Its name in tables and profiles.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Segments => "segments",
            Self::Rows => "rows",
        }
    }

    fn offset(self, worker: u64, workers: u64, request: u64, size: u64, segment: u64) -> u64 {
        match self {
            Self::Own => request * size,
            Self::Segments => worker * segment + request * size,
            Self::Rows => (request * workers + worker) * size,
        }
    }
}

/// What all workers together reached.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ceiling {
    /// read or write.
    pub op: String,
    /// How the requests lie.
    pub pattern: Pattern,
    /// Threads at work at the same time.
    pub workers: u32,
    /// Size of the requests.
    pub request_bytes: u64,
    /// Bytes of all workers over the time of the slowest.
    pub bandwidth_bytes_per_s: f64,
}

/// Measures writes, then reads of what was written, for each pattern and size. Writes go into
/// the cache, as those of programs do; reads go past it where the file system allows it.
pub(super) fn ceilings(folder: &Path, how: &Calibration) -> io::Result<Vec<Ceiling>> {
    let many = how.workers.max(2);
    let mut found = Vec::new();
    for (pattern, workers) in
        [(Pattern::Own, 1), (Pattern::Own, many), (Pattern::Segments, many), (Pattern::Rows, many)]
    {
        for size in SIZES {
            let folder = folder.join(format!("{}-{workers}-{size}", pattern.name()));
            std::fs::create_dir_all(&folder)?;
            for (op, bandwidth) in together(&folder, pattern, workers, size, how)? {
                found.push(Ceiling {
                    op: op.to_owned(),
                    pattern,
                    workers,
                    request_bytes: size as u64,
                    bandwidth_bytes_per_s: bandwidth,
                });
            }
            std::fs::remove_dir_all(&folder)?;
        }
    }
    Ok(found)
}

/// Bytes and seconds of one worker.
type Moved = (u64, f64);

/// All workers at the same time; bandwidth of writes and reads, where time passed.
fn together(
    folder: &Path,
    pattern: Pattern,
    workers: u32,
    size: usize,
    how: &Calibration,
) -> io::Result<Vec<(&'static str, f64)>> {
    let barrier = Barrier::new(workers as usize);
    let done = std::thread::scope(|scope| -> io::Result<Vec<[Moved; 2]>> {
        let start = |number: u32| {
            let barrier = &barrier;
            scope.spawn(move || work(folder, pattern, (number, workers), size, how, barrier))
        };
        let threads: Vec<_> = (0..workers).map(start).collect();
        let stopped = |_| io::Error::other("a worker of the measurement stopped");
        // All are joined before the first error is returned: nobody writes any more then.
        let ended: Vec<_> = threads.into_iter().map(|t| t.join().map_err(stopped)).collect();
        ended.into_iter().map(|worker| worker.and_then(|moved| moved)).collect()
    })?;
    let bandwidth = |place: usize| {
        let bytes: u64 = done.iter().map(|moved| moved[place].0).sum();
        let slowest_s = done.iter().map(|moved| moved[place].1).fold(0.0, f64::max);
        (bytes > 0 && slowest_s > 0.0).then(|| bytes as f64 / slowest_s)
    };
    let of = |(place, op)| Some((op, bandwidth(place)?));
    Ok([(0, "write"), (1, "read")].into_iter().filter_map(of).collect())
}

/// What one worker wrote, and then read.
fn work(
    folder: &Path,
    pattern: Pattern,
    (number, workers): (u32, u32),
    size: usize,
    how: &Calibration,
    barrier: &Barrier,
) -> io::Result<[Moved; 2]> {
    let name = if pattern == Pattern::Own { format!("own-{number}") } else { "one".to_owned() };
    let path = folder.join(name);
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let mut buffer = Buffer::new(size);
    let requests = (how.bytes / size).max(1) as u64;
    let segment = requests * size as u64;
    let offset = |request| {
        pattern.offset(u64::from(number), u64::from(workers), request, size as u64, segment)
    };
    let step = how.step / SHARE_OF_STEP;
    // Also where the file could not be opened: the others wait for this worker.
    let mut timed = |requests: u64, one: &mut dyn FnMut(&mut [u8], u64) -> io::Result<()>| {
        barrier.wait();
        let (start, deadline, mut done) = (Instant::now(), Deadline::after(step), 0);
        while done < requests && (done == 0 || !deadline.is_over()) {
            one(buffer.first(size), offset(done))?;
            done += 1;
        }
        Ok::<_, io::Error>((done, start.elapsed().as_secs_f64()))
    };
    let written = timed(requests, &mut |bytes, at| match &file {
        Ok(file) => file.write_all_at(bytes, at),
        Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
    });
    let reader = open(&path);
    let is_read = size >= BLOCK;
    let to_read = written.as_ref().map_or(0, |(requests, _)| if is_read { *requests } else { 0 });
    let read = timed(to_read, &mut |bytes, at| match &reader {
        Ok(file) => file.read_exact_at(bytes, at),
        Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
    });
    let bytes = |(requests, s): (u64, f64)| (requests * size as u64, s);
    Ok([bytes(written?), bytes(read?)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_workers_do_not_overlap() {
        for pattern in [Pattern::Segments, Pattern::Rows] {
            let mut offsets: Vec<u64> = (0..3)
                .flat_map(|worker| (0..4).map(move |k| pattern.offset(worker, 3, k, 10, 40)))
                .collect();
            offsets.sort_unstable();
            assert_eq!(offsets, (0..12).map(|k| k * 10).collect::<Vec<_>>(), "{pattern:?}");
        }
        assert_eq!(Pattern::Own.offset(2, 3, 4, 10, 40), 40);
    }
}
