//! The measurement itself.

use super::ceiling::ceilings;
use super::direct::{BLOCK, Buffer, open};
use super::mount;
use super::profile::{Cost, Profile};
use super::sample::{Deadline, Sample};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The measurement failed.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct CalibrateError {
    /// Where it was to take place.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

/// How much is measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calibration {
    /// Threads where several work at the same time.
    pub workers: u32,
    /// Bytes that each of them writes and reads in large requests.
    pub bytes: usize,
    /// Small requests, and files, of each of them.
    pub calls: usize,
    /// Longest time of each step.
    pub step: Duration,
}

impl Default for Calibration {
    /// Four workers, 64 MiB each, 512 calls, 2 s: less than a minute.
    fn default() -> Self {
        Self { workers: 4, bytes: 64 << 20, calls: 512, step: Duration::from_secs(2) }
    }
}

impl Calibration {
    /// As little as gives every number: for tests.
    pub fn quick() -> Self {
        Self { workers: 2, bytes: 8 << 20, calls: 8, step: Duration::from_millis(200) }
    }
}

/// Size of a large request.
const LARGE: usize = 4 << 20;

/// Removes the folder of the measurement, whatever happened.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing is left to do when that fails: the path names its origin.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Measures what requests cost in a folder.
///
/// Writes into a folder of its own inside, `diya-calibrate-PID`, and removes
/// it. Small requests are of 4 KiB, large ones of 4 MiB; reads go past the
/// cache where the file system allows it; a sync follows a small write.
pub fn calibrate(folder: &Path, how: &Calibration) -> Result<Profile, CalibrateError> {
    let failed = |source| CalibrateError { path: folder.to_owned(), source };
    let own = folder.join(format!("diya-calibrate-{}", std::process::id()));
    std::fs::create_dir(&own).map_err(failed)?;
    let own = Folder(own);
    let host = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let host = host.map(|name| name.trim().to_owned());
    let mut profile = Profile::new(host, mount::of(folder));
    let many = how.workers.max(2);
    for (workers, is_shared) in [(1, false), (many, false), (many, true)] {
        let costs = together(&own.0, workers, is_shared, how).map_err(failed)?;
        profile.cost.extend(costs);
    }
    profile.ceiling = ceilings(&own.0, how).map_err(failed)?;
    Ok(profile)
}

/// What one worker measured.
#[derive(Default)]
struct Found {
    small: [Sample; 2],
    large: [Sample; 2],
    sync: Sample,
    metadata: [Sample; 3],
}

const METADATA: [&str; 3] = ["create", "stat", "unlink"];

/// All workers at the same time.
fn together(
    folder: &Path,
    workers: u32,
    is_shared: bool,
    how: &Calibration,
) -> io::Result<Vec<Cost>> {
    let found = std::thread::scope(|scope| -> io::Result<Found> {
        let start = |number: u32| scope.spawn(move || work(folder, number, is_shared, how));
        let threads: Vec<_> = (0..workers).map(start).collect();
        let mut all = Found::default();
        for thread in threads {
            let stopped = |_| io::Error::other("a worker of the measurement stopped");
            let found = thread.join().map_err(stopped)??;
            for (sum, one) in all.small.iter_mut().zip(found.small) {
                sum.append(one);
            }
            for (sum, one) in all.large.iter_mut().zip(found.large) {
                sum.append(one);
            }
            for (sum, one) in all.metadata.iter_mut().zip(found.metadata) {
                sum.append(one);
            }
            all.sync.append(found.sync);
        }
        Ok(all)
    })?;
    let mut costs = Vec::new();
    for (place, op) in ["read", "write"].into_iter().enumerate() {
        let large = Some((&found.large[place], [BLOCK, LARGE]));
        costs.extend(Cost::of((op, is_shared, workers), &found.small[place], large));
    }
    costs.extend(Cost::of(("sync", is_shared, workers), &found.sync, None));
    for (op, sample) in METADATA.into_iter().zip(&found.metadata) {
        costs.extend(Cost::of((op, is_shared, workers), sample, None));
    }
    Ok(costs)
}

/// What one worker does: in a shared file, in stripes of large requests.
fn work(folder: &Path, number: u32, is_shared: bool, how: &Calibration) -> io::Result<Found> {
    let mut found = Found::default();
    let name = if is_shared { "shared".to_owned() } else { format!("own-{number}") };
    let path = folder.join(name);
    let file =
        OpenOptions::new().create(true).truncate(false).read(true).write(true).open(&path)?;
    let place = WorkerPosition {
        number: u64::from(number),
        workers: u64::from(how.workers.max(2)),
        is_shared,
    };
    let mut buffer = Buffer::new(LARGE);
    let requests = (how.bytes / LARGE).max(1);
    let deadline = Deadline::after(how.step);
    for request in 0..requests {
        let bytes = buffer.first(LARGE);
        found.large[1].time(|| file.write_all_at(bytes, place.of(request, LARGE)))?;
        if deadline.is_over() {
            break;
        }
    }
    let written = found.large[1].calls();
    let deadline = Deadline::after(how.step);
    // Behind the large ones, where nothing lies yet: as these were written.
    let behind = (requests as u64) * place.workers * LARGE as u64;
    for call in 0..how.calls {
        let offset = behind + place.of(call, BLOCK);
        found.small[1].time(|| file.write_all_at(buffer.first(BLOCK), offset))?;
        if deadline.is_over() {
            break;
        }
    }
    let deadline = Deadline::after(how.step);
    for call in 0..how.calls {
        let offset = place.of(call % written, LARGE) + spread(call);
        file.write_all_at(buffer.first(BLOCK), offset)?;
        // The first sync writes all that went before.
        let mut first = Sample::default();
        let sample = if call == 0 { &mut first } else { &mut found.sync };
        sample.time(|| file.sync_data())?;
        if deadline.is_over() && found.sync.calls() > 0 {
            break;
        }
    }
    read(&path, place, written, how, &mut buffer, &mut found)?;
    drop(file);
    metadata(folder, number, is_shared, how, &mut found)?;
    Ok(found)
}

fn read(
    path: &Path,
    place: WorkerPosition,
    written: usize,
    how: &Calibration,
    buffer: &mut Buffer,
    found: &mut Found,
) -> io::Result<()> {
    let file = open(path)?;
    let deadline = Deadline::after(how.step);
    for request in 0..written {
        found.large[0]
            .time(|| file.read_exact_at(buffer.first(LARGE), place.of(request, LARGE)))?;
        if deadline.is_over() {
            break;
        }
    }
    let deadline = Deadline::after(how.step);
    for call in 0..how.calls {
        let offset = place.of(call % written, LARGE) + spread(call);
        found.small[0].time(|| file.read_exact_at(buffer.first(BLOCK), offset))?;
        if deadline.is_over() {
            break;
        }
    }
    Ok(())
}

/// Creates, asks about and removes files; several workers share a folder.
fn metadata(
    folder: &Path,
    number: u32,
    is_shared: bool,
    how: &Calibration,
    found: &mut Found,
) -> io::Result<()> {
    let folder = if is_shared { folder.to_owned() } else { folder.join(format!("files-{number}")) };
    std::fs::create_dir_all(&folder)?;
    let path = |file: usize| folder.join(format!("f-{number}-{file}"));
    let [create, stat, unlink] = &mut found.metadata;
    let deadline = Deadline::after(how.step);
    let mut files = 0;
    while files < how.calls && !deadline.is_over() {
        create.time(|| File::create(path(files)).map(drop))?;
        files += 1;
    }
    for file in 0..files {
        stat.time(|| std::fs::metadata(path(file)))?;
    }
    for file in 0..files {
        unlink.time(|| std::fs::remove_file(path(file)))?;
    }
    Ok(())
}

/// Where a worker's requests go.
#[derive(Clone, Copy)]
struct WorkerPosition {
    number: u64,
    workers: u64,
    is_shared: bool,
}

impl WorkerPosition {
    /// Offset of its request with this number.
    fn of(self, request: usize, size: usize) -> u64 {
        let (request, size) = (request as u64, size as u64);
        match self.is_shared {
            true => (request * self.workers + self.number) * size,
            false => request * size,
        }
    }
}

/// Another block of a large request each time, not in order.
fn spread(call: usize) -> u64 {
    let blocks = LARGE / BLOCK;
    (call.wrapping_mul(389) % blocks * BLOCK) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_request_is_measured_and_nothing_is_left() {
        let folder =
            std::env::temp_dir().join(format!("diya-calibrate-test-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for the test");
        let profile = calibrate(&folder, &Calibration::quick()).expect("is measured");
        let left = std::fs::read_dir(&folder).expect("is there").count();
        std::fs::remove_dir_all(&folder).expect("is removed");
        assert_eq!(left, 0);
        let has = |op: &str, shared| {
            let of = |cost: &&Cost| cost.op == op && cost.is_shared == shared;
            profile.cost.iter().filter(of).count()
        };
        for op in ["read", "write", "sync", "create", "stat", "unlink"] {
            assert_eq!((has(op, false), has(op, true)), (2, 1), "{op}");
        }
        // Five sizes written and four read: alone, in own files, in segments and in rows of one.
        assert_eq!(profile.ceiling.len(), 36);
        assert!(profile.ceiling.iter().all(|ceiling| ceiling.bandwidth_bytes_per_s > 0.0));
        let writes = profile.cost.iter().filter(|cost| cost.op == "write");
        assert!(writes.into_iter().all(|cost| cost.bandwidth_bytes_per_s.is_some_and(|b| b > 0.0)));
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let error = calibrate(Path::new("/no/such/folder"), &Calibration::quick());
        assert!(error.expect_err("fails").to_string().starts_with("/no/such/folder: "));
    }
}
