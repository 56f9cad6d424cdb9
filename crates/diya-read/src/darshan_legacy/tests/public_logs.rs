//! The public logs of the Darshan repository (darshan-test/2.x), in place.
//!
//! They are not part of this project. Without the folder the tests are skipped, and
//! fail in CI: the images made in the other tests cover the reader, not real logs.

use super::{has_issue, table, try_read};
use diya_tables::{TableId, Tables, file, job, mpiio, posix};
use std::io::Read as _;
use std::path::PathBuf;

const LOGS: &str = "logs/public/darshan-hpc+darshan/darshan-test/2.x";

/// The folder with the logs, if it is at hand.
fn folder() -> Option<PathBuf> {
    let logs = diya_testkit::shared_folder()?.join(LOGS);
    if !logs.is_dir() {
        diya_testkit::skip(&format!("no folder {}", logs.display()));
        return None;
    }
    Some(logs)
}

/// Image of the log whose name starts like this.
fn image(start: &str) -> Option<Vec<u8>> {
    let folder = folder()?;
    let folders = [folder.clone(), folder.join("example-output"), folder.join("perf")];
    let files = folders.iter().flat_map(|f| std::fs::read_dir(f).expect("a folder of logs"));
    let path = files
        .map(|entry| entry.expect("a folder of logs").path())
        .find(|path| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(start)));
    let compressed =
        std::fs::read(path.unwrap_or_else(|| panic!("no log {start}"))).expect("a log");
    let mut image = Vec::new();
    flate2::read::MultiGzDecoder::new(&compressed[..]).read_to_end(&mut image).expect("gzip");
    Some(image)
}

fn read(start: &str) -> Option<Tables> {
    Some(try_read(&image(start)?).expect("a whole log"))
}

fn sum(tables: &Tables, id: TableId, column: usize) -> i64 {
    let t = table(tables, id);
    (0..t.rows()).filter_map(|row| t.i64(column, row)).sum()
}

/// Start of the name, log version, big-endian, processes, file system.
const MPI_IO_TEST: [(&str, &str, bool, i64, Option<&str>); 21] = [
    ("carns_mpi-io-test-ppc32-1.1.0_", "1.21", true, 4, None),
    ("carns_mpi-io-test-ppc32-1.1.2_", "1.21", true, 4, None),
    ("carns_mpi-io-test-ppc32-1.1.4_", "1.22", true, 4, None),
    ("carns_mpi-io-test-ppc32-1.1.6_", "1.22", true, 4, None),
    ("carns_mpi-io-test-ppc32-1.1.8_", "1.23", true, 4, Some("pvfs2")),
    ("carns_mpi-io-test-ppc32-1.1.11_", "1.23", true, 4, Some("pvfs2")),
    ("carns_mpi-io-test-ppc32-1.1.13_", "1.24", true, 4, Some("pvfs2")),
    ("carns_mpi-io-test-ppc32-1.1.15_", "1.24", true, 4, Some("pvfs2")),
    ("carns_mpi-io-test-ppc32-2.0.0_", "2.00", true, 4, Some("pvfs2")),
    ("carns_mpi-io-test-ppc32-2.1.1_", "2.01", true, 4, Some("pvfs2")),
    ("carns_mpi-io-test-ppc32-2.2.4_", "2.02", true, 4, Some("pvfs2")),
    ("carns_mpi-io-test-ppc32-2.2.6_", "2.02", true, 4, Some("pvfs2")),
    ("carns_mpi-io-test-ppc64-2.2.5_", "2.02", true, 64, Some("gpfs")),
    ("carns_mpi-io-test-ppc64-2.2.8_", "2.02", true, 16, Some("gpfs")),
    ("carns_mpi-io-test-ppc64-2.3.1_", "2.06", true, 1, Some("nfs")),
    ("carns_mpi-io-test-x86-2.0.2_", "2.00", false, 1, Some("ext3")),
    ("carns_mpi-io-test-x86-64-2.2.4_", "2.02", false, 4, Some("ext4")),
    ("carns_mpi-io-test-x86_64-2.0.0_", "2.00", false, 4, Some("gpfs")),
    ("carns_mpi-io-test-x86_64-2.1.1_", "2.01", false, 1, Some("gpfs")),
    ("carns_mpi-io-test-x86_64-2.2.5_", "2.02", false, 4, Some("ext4")),
    ("pcarns_mpi-io-test-x86_64-2.2.9_", "2.05", false, 4, Some("ext4")),
];

/// mpi-io-test: every process writes 16 MiB in one call and reads them back.
#[test]
fn every_version_tells_the_same_of_the_same_program() {
    for (start, version, is_big_endian, nprocs, fs_type) in MPI_IO_TEST {
        let Some(tables) = read(start) else { return };
        let job = table(&tables, TableId::Job);
        assert_eq!(job.str(job::LOG_VERSION, 0), Some(version), "{start}");
        assert_eq!(job.bool(job::IS_BIG_ENDIAN, 0), Some(is_big_endian), "{start}");
        assert_eq!(job.i64(job::NPROCS, 0), Some(nprocs), "{start}");
        let t = table(&tables, TableId::Posix);
        assert_eq!((t.rows(), t.i32(posix::RANK, 0)), (1, Some(-1)), "{start}");
        for column in [posix::BYTES_READ, posix::BYTES_WRITTEN] {
            assert_eq!(t.i64(column, 0), Some(nprocs * 16 * 1024 * 1024), "{start}");
        }
        for column in [posix::READS, posix::WRITES, posix::SIZE_READ_10M_100M] {
            assert_eq!(t.i64(column, 0), Some(nprocs), "{start}");
        }
        assert_eq!(t.i64(posix::ACCESS1_ACCESS, 0), Some(16 * 1024 * 1024), "{start}");
        assert_eq!(t.i64(posix::ACCESS1_COUNT, 0), Some(2 * nprocs), "{start}");
        let m = table(&tables, TableId::Mpiio);
        for column in [mpiio::INDEP_READS, mpiio::INDEP_WRITES, mpiio::SIZE_WRITE_AGG_10M_100M] {
            assert_eq!(m.i64(column, 0), Some(nprocs), "{start}");
        }
        // MPI_MODE_CREATE | MPI_MODE_RDWR
        assert_eq!(m.i64(mpiio::MODE, 0), Some(9), "{start}");
        let files = table(&tables, TableId::File);
        assert_eq!(files.str(file::FS_TYPE, 0), fs_type, "{start}");
        assert!(!has_issue(&tables, "truncated", ""), "{start}");
        assert_eq!(tables.rows(TableId::Stdio), 0, "{start}");
    }
}

#[test]
fn points_in_time_are_in_order_and_inside_the_run_time_where_they_are_known() {
    for (start, ..) in MPI_IO_TEST {
        let Some(tables) = read(start) else { return };
        let run_time_s = table(&tables, TableId::Job).f64(job::RUN_TIME_S, 0).expect("both times");
        let t = table(&tables, TableId::Posix);
        let in_order = [
            posix::F_OPEN_START_TIMESTAMP,
            posix::F_WRITE_START_TIMESTAMP,
            posix::F_WRITE_END_TIMESTAMP,
            posix::F_READ_START_TIMESTAMP,
            posix::F_READ_END_TIMESTAMP,
            posix::F_CLOSE_END_TIMESTAMP,
        ];
        let times: Vec<f64> = in_order.iter().filter_map(|column| t.f64(*column, 0)).collect();
        if has_issue(&tables, "known_defect", "fit neither") {
            // Blue Gene/Q: a job of 10 s opens its file at 17.7 s of that clock.
            assert!(start.contains("ppc64-2.2."), "{start}");
            assert!(times.is_empty());
            continue;
        }
        assert_eq!(times.len(), 6, "{start}");
        assert!(
            times.iter().all(|time| (0.0..=run_time_s + 1.0).contains(time)),
            "{start}: {times:?}"
        );
        // Writing ends on the last rank; another may have begun to read.
        assert!(times[0] < times[1] && times[1] < times[3] && times[4] < times[5], "{start}");
    }
}

#[test]
fn ior_moves_half_a_tebibyte_through_each_of_four_shared_files() {
    let Some(tables) = read("harms_IOR_") else { return };
    let t = table(&tables, TableId::Posix);
    assert_eq!(t.rows(), 4);
    assert_eq!(sum(&tables, TableId::Posix, posix::BYTES_READ), 4 << 39);
    assert_eq!(sum(&tables, TableId::Posix, posix::BYTES_WRITTEN), 4 << 39);
    assert_eq!(t.i64(posix::SLOWEST_RANK, 0), Some(803));
    assert_eq!(t.i64(posix::MODE, 0), Some(0o664));
    assert_eq!(t.i64(posix::MAX_BYTE_READ, 0), None, "stored as the 32-bit limit");
    assert!(has_issue(&tables, "clipped", "32-bit"));
    assert_eq!(tables.rows(TableId::Mpiio), 0);
}

#[test]
fn files_shared_by_some_ranks_keep_a_row_per_rank() {
    let Some(tables) = read("harms_partshared_") else { return };
    assert_eq!(table(&tables, TableId::Posix).rows(), 2048);
    assert_eq!(table(&tables, TableId::Mpiio).rows(), 2048);
    assert_eq!(table(&tables, TableId::File).rows(), 64);
    assert_eq!(sum(&tables, TableId::Posix, posix::BYTES_WRITTEN), 2048 * 50 * 1024 * 1024);
    let t = table(&tables, TableId::Posix);
    assert_eq!(t.i32(posix::RANK, 2047), Some(2047));
    assert_eq!(t.i64(posix::FASTEST_RANK, 0), None, "nothing to compare in a record of one rank");
}

#[test]
fn the_only_log_of_1_4_copies_2736_files() {
    let Some(tables) = read("pcarns_cp_") else { return };
    assert_eq!(table(&tables, TableId::File).rows(), 5472);
    for (read, written) in
        [(posix::BYTES_READ, posix::BYTES_WRITTEN), (posix::READS, posix::WRITES)]
    {
        let t = table(&tables, TableId::Posix);
        let both = |row| t.i64(read, row).unwrap_or(0) > 0 && t.i64(written, row).unwrap_or(0) > 0;
        assert!(!(0..t.rows()).any(both), "a file is read or written");
    }
    assert_eq!(sum(&tables, TableId::Posix, posix::BYTES_READ), 429_455_960);
    assert_eq!(sum(&tables, TableId::Posix, posix::BYTES_WRITTEN), 429_455_960);
    let bins = (posix::SIZE_READ_0_100..=posix::SIZE_READ_1G_PLUS)
        .map(|column| sum(&tables, TableId::Posix, column));
    assert_eq!(bins.sum::<i64>(), sum(&tables, TableId::Posix, posix::READS));
    assert_eq!(table(&tables, TableId::Job).i64(job::UID, 0), Some(1000));
    assert!(has_issue(&tables, "inferred_layout", "1.4"));
    assert!(!has_issue(&tables, "known_defect", "TIMING"), "1.4 has no times to be zero");
}

#[test]
fn no_cut_of_a_real_log_panics_or_invents_a_row() {
    for start in ["pcarns_mpi-io-test-x86_64-2.2.9_", "carns_mpi-io-test-ppc32-1.1.0_"] {
        let Some(image) = image(start) else { return };
        for len in 0..image.len() {
            let rows = try_read(&image[..len]).map_or(0, |tables| tables.rows(TableId::Posix));
            assert_eq!(rows, 0, "{start} cut at {len}");
        }
    }
    let Some(image) = image("harms_partshared_") else { return };
    for len in (0..image.len()).step_by(99_991) {
        let Ok(tables) = try_read(&image[..len]) else { continue };
        let whole = len.saturating_sub(1024) / 1328;
        assert_eq!(tables.rows(TableId::Posix), whole);
        assert!(has_issue(&tables, "truncated", ""));
    }
}
