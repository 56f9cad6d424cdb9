//! Every version and machine: are the fields found where they are?

use super::builder::{Abi, Log, Record};
use super::{has_issue, table, tables_of};
use crate::darshan_legacy::counters::*;
use diya_tables::{TableId, file, job, mount, mpi_hint, posix};

const VERSIONS: [&str; 11] =
    ["1.21", "1.22", "1.23", "1.24", "2.00", "2.01", "2.02", "2.03", "2.04", "2.05", "2.06"];

/// First and last counters that every version has.
fn marked() -> Record {
    Record::shared("out.dat")
        .int(POSIX_READS, 3)
        .int(BYTES_READ, 300)
        .int(SIZE_WRITE + 9, 5)
        .int(ACCESS_COUNTS + 3, 7)
        .real(F_POSIX_META_TIME, 0.25)
}

fn assert_marked(log: &Log) {
    let tables = tables_of(log);
    let t = table(&tables, TableId::Posix);
    assert_eq!(t.rows(), log.records.len(), "{log:?}");
    for row in 0..t.rows() {
        assert_eq!(t.i32(posix::RANK, row), Some(-1));
        assert_eq!(t.u64(posix::FILE_ID, row), Some(77));
        assert_eq!(t.i64(posix::READS, row), Some(3));
        assert_eq!(t.i64(posix::BYTES_READ, row), Some(300));
        assert_eq!(t.i64(posix::SIZE_WRITE_1G_PLUS, row), Some(5));
        assert_eq!(t.i64(posix::ACCESS4_COUNT, row), Some(7));
        assert_eq!(t.f64(posix::F_META_TIME, row), Some(0.25));
    }
    let job = table(&tables, TableId::Job);
    assert_eq!(job.str(job::COMMAND_LINE, 0), Some("/home/u/app -n 4"));
    assert_eq!(job.str(job::EXE, 0), Some("/home/u/app"));
    assert_eq!(job.i64(job::UID, 0), Some(1000));
    assert_eq!(job.i64(job::NPROCS, 0), Some(4));
    assert_eq!(job.f64(job::RUN_TIME_S, 0), Some(10.0));
    assert_eq!(job.i64(job::START_TIME, 0), Some(1_000_000_000_000_000));
    assert_eq!(job.str(job::LOG_VERSION, 0), Some(log.version));
    assert_eq!(job.bool(job::IS_BIG_ENDIAN, 0), Some(log.abi == Abi::Ppc32));
    let path = table(&tables, TableId::File).str(file::PATH, 0);
    assert_eq!(path, Some("out.dat"));
}

#[test]
fn every_version_is_read_in_the_byte_order_of_blue_gene() {
    for version in VERSIONS {
        assert_marked(&Log::new(version).with(marked()).with(marked()));
    }
}

#[test]
fn versions_with_a_magic_number_are_read_in_either_byte_order() {
    for version in VERSIONS.into_iter().filter(|v| v.starts_with('2')) {
        assert_marked(&Log { abi: Abi::X86_64, ..Log::new(version).with(marked()) });
    }
}

#[test]
fn a_1_x_log_of_a_pc_is_read_and_said_to_be_inferred() {
    for version in ["1.21", "1.22", "1.23", "1.24"] {
        for abi in [Abi::X86, Abi::X86_64] {
            let log = Log { abi, ..Log::new(version).with(marked()).with(marked()) };
            assert_marked(&log);
            assert!(has_issue(&tables_of(&log), "inferred_layout", "not written on Blue Gene"));
        }
    }
}

#[test]
fn only_2_x_logs_hold_a_job_id() {
    let job_id = |version| {
        let tables = tables_of(&Log::new(version));
        table(&tables, TableId::Job).i64(job::JOB_ID, 0)
    };
    assert_eq!(job_id("1.24"), None);
    assert_eq!(job_id("2.00"), Some(4711));
}

#[test]
fn the_mount_table_follows_the_command_line() {
    let text = "app\n10\tnfs\t/home\n-6264612118694895410\tgpfs\t/gpfs/fs 0\nno mount";
    let tables = tables_of(&Log { text, ..Log::new("2.06").with(marked().int(DEVICE, 10)) });
    let mounts = table(&tables, TableId::Mount);
    assert_eq!(mounts.rows(), 2);
    assert_eq!(mounts.str(mount::MOUNT, 1), Some("/gpfs/fs 0"));
    assert_eq!(mounts.str(mount::FS_TYPE, 1), Some("gpfs"));
    assert_eq!(table(&tables, TableId::File).str(file::FS_TYPE, 0), Some("nfs"));
    assert!(has_issue(&tables, "corrupt", "mount table"));
}

#[test]
fn metadata_gives_the_library_and_the_hints_of_the_log() {
    let metadata = "lib_ver=2.3.0\nh=romio_no_indep_rw=true;cb_nodes=4\n";
    let tables = tables_of(&Log { metadata, ..Log::new("2.05") });
    let job = table(&tables, TableId::Job);
    assert_eq!(job.str(job::LIBRARY_VERSION, 0), Some("2.3.0"));
    assert_eq!(job.str(job::METADATA, 0), Some(metadata));
    let hints = table(&tables, TableId::MpiHint);
    assert_eq!(hints.str(mpi_hint::HINT, 0), Some("romio_no_indep_rw"));
    assert_eq!(hints.str(mpi_hint::VALUE, 1), Some("4"));
}

#[test]
fn a_log_without_records_is_a_job_without_files() {
    let tables = tables_of(&Log::new("2.06"));
    assert_eq!(tables.rows(TableId::Job), 1);
    assert_eq!(tables.rows(TableId::File), 0);
    assert_eq!(tables.rows(TableId::ReadIssue), 0);
}
