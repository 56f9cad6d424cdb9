//! From counters to columns: which table, which column, and when null.

use super::builder::{Abi, Log, Record};
use super::{has_issue, table, tables_of};
use crate::Selection;
use crate::darshan_legacy::counters::*;
use crate::darshan_legacy::read;
use diya_tables::{
    TableId, Tables, access_size, file, hdf5_file, job, module, mpiio, pnetcdf_file, posix,
    size_histogram, stdio,
};

fn log(record: Record) -> Log {
    Log::new("2.06").with(record)
}

#[test]
fn a_record_gives_a_row_in_the_table_of_each_layer_it_counts_calls_of() {
    let record = Record::shared("f.nc")
        .int(POSIX_WRITES, 1)
        .int(COLL_WRITES, 2)
        .int(HDF5_OPENS, 3)
        .int(INDEP_NC_OPENS, 4)
        .int(COLL_NC_OPENS, 5);
    let tables = tables_of(&log(record));
    assert_eq!(table(&tables, TableId::Mpiio).i64(mpiio::COLL_WRITES, 0), Some(2));
    assert_eq!(table(&tables, TableId::Hdf5File).i64(hdf5_file::OPENS, 0), Some(3));
    let pnetcdf = table(&tables, TableId::PnetcdfFile);
    assert_eq!(pnetcdf.i64(pnetcdf_file::INDEP_OPENS, 0), Some(4));
    assert_eq!(pnetcdf.i64(pnetcdf_file::COLL_OPENS, 0), Some(5));
    assert_eq!(pnetcdf.i64(pnetcdf_file::CREATES, 0), None);
    assert_eq!(tables.rows(TableId::Posix), 1);
    assert_eq!(tables.rows(TableId::Stdio), 0);
    let modules = table(&tables, TableId::Module);
    let names: Vec<_> =
        (0..modules.rows()).filter_map(|i| modules.str(module::MODULE, i)).collect();
    assert_eq!(names, ["POSIX", "MPI-IO", "H5F", "PNETCDF_FILE"]);
}

#[test]
fn a_record_without_calls_is_in_table_file_only() {
    let tables = tables_of(&log(Record::shared("a").int(MEM_ALIGNMENT, 16)));
    assert_eq!(tables.rows(TableId::File), 1);
    assert_eq!(tables.rows(TableId::Posix), 0);
    assert!(has_issue(&tables, "misfit", "records without calls"));
}

#[test]
fn counters_that_a_version_lacks_are_null() {
    let record = || Record::shared("a").int(POSIX_READS, 1).real(F_POSIX_READ_TIME, 1.0);
    let cells = |version| {
        let tables = tables_of(&Log::new(version).with(record()));
        let t = table(&tables, TableId::Posix);
        (
            t.i64(posix::MAX_READ_TIME_SIZE, 0),
            t.f64(posix::F_MAX_READ_TIME, 0),
            t.i64(posix::FASTEST_RANK, 0),
        )
    };
    assert_eq!(cells("1.21"), (None, None, None));
    assert_eq!(cells("1.22"), (Some(0), Some(0.0), None));
    assert_eq!(cells("2.00"), (Some(0), Some(0.0), Some(0)));
}

#[test]
fn a_converted_log_means_what_its_old_version_meant() {
    let record = Record::shared("a").int(POSIX_READS, 1).real(F_READ_START, 1_000_002.5);
    let converted = Log { metadata: "prev_ver=1.21\n", ..Log::new("2.05").with(record) };
    let tables = tables_of(&converted);
    let t = table(&tables, TableId::Posix);
    assert_eq!(t.f64(posix::F_MAX_READ_TIME, 0), None, "filled with 0 by the conversion");
    assert_eq!(t.f64(posix::F_READ_START_TIMESTAMP, 0), Some(2.5));
    assert_eq!(table(&tables, TableId::Job).str(job::LOG_VERSION, 0), Some("2.05"));
}

#[test]
fn data_of_a_file_used_by_streams_alone_are_those_of_streams() {
    let record = Record::shared("a")
        .int(POSIX_STATS, 1)
        .int(POSIX_FOPENS, 1)
        .int(POSIX_FREADS, 2)
        .int(BYTES_READ, 2000)
        .int(SIZE_READ + 1, 2)
        .int(ACCESSES, 1000)
        .int(ACCESS_COUNTS, 2)
        .real(F_POSIX_READ_TIME, 0.5);
    let tables = tables_of(&log(record));
    let streams = table(&tables, TableId::Stdio);
    assert_eq!(streams.i64(stdio::BYTES_READ, 0), Some(2000));
    assert_eq!(streams.f64(stdio::F_READ_TIME, 0), Some(0.5));
    let t = table(&tables, TableId::Posix);
    assert_eq!(t.i64(posix::STATS, 0), Some(1));
    assert_eq!(t.i64(posix::BYTES_READ, 0), Some(0), "no POSIX call read anything");
    let bins = table(&tables, TableId::SizeHistogram);
    assert_eq!(bins.str(size_histogram::LAYER, 0), Some("stdio"));
    assert_eq!(bins.i64(size_histogram::SIZE_LO_BYTES, 0), Some(101));
    assert_eq!(bins.i64(size_histogram::SIZE_HI_BYTES, 0), Some(1024));
    let sizes = table(&tables, TableId::AccessSize);
    assert_eq!(sizes.i64(access_size::SIZE_BYTES, 0), Some(1000));
}

#[test]
fn data_of_posix_calls_and_streams_cannot_be_divided() {
    let record = Record::shared("a").int(POSIX_READS, 1).int(POSIX_FREADS, 1).int(BYTES_READ, 2000);
    let tables = tables_of(&log(record));
    assert_eq!(table(&tables, TableId::Posix).i64(posix::BYTES_READ, 0), Some(2000));
    let streams = table(&tables, TableId::Stdio);
    assert_eq!(streams.i64(stdio::READS, 0), Some(1));
    assert_eq!(streams.i64(stdio::BYTES_READ, 0), None);
    assert!(has_issue(&tables, "misfit", "sum POSIX and stream calls"));
}

#[test]
fn the_mode_is_that_of_mpiio_where_mpiio_opened_the_file() {
    let record = || Record::shared("a").int(POSIX_OPENS, 1).int(MODE, 9);
    let tables = tables_of(&log(record()));
    assert_eq!(table(&tables, TableId::Posix).i64(posix::MODE, 0), Some(9));
    let tables = tables_of(&log(record().int(COLL_OPENS, 1)));
    assert_eq!(table(&tables, TableId::Posix).i64(posix::MODE, 0), None);
    assert_eq!(table(&tables, TableId::Mpiio).i64(mpiio::MODE, 0), Some(9));
}

#[test]
fn an_alignment_that_is_not_available_is_null_also_in_the_sum_over_ranks() {
    let record = Record::shared("a").int(POSIX_READS, 1);
    let unknown = record.clone().int(FILE_ALIGNMENT, -1).int(FILE_NOT_ALIGNED, -4);
    let tables = tables_of(&log(unknown));
    let t = table(&tables, TableId::Posix);
    assert_eq!(t.i64(posix::FILE_ALIGNMENT, 0), None);
    assert_eq!(t.i64(posix::FILE_NOT_ALIGNED, 0), None);
    let tables = tables_of(&log(record.int(FILE_ALIGNMENT, 4096)));
    assert_eq!(table(&tables, TableId::Posix).i64(posix::FILE_NOT_ALIGNED, 0), Some(0));
}

#[test]
fn ranks_are_compared_by_mpiio_time_from_2_05_on() {
    let record = Record::shared("a")
        .int(POSIX_READS, 1)
        .int(INDEP_READS, 1)
        .int(SLOWEST_RANK, 3)
        .int(SLOWEST_RANK_BYTES, 99)
        .real(F_MPI_READ_TIME, 1.0);
    let slowest = |version| {
        let tables = tables_of(&Log::new(version).with(record.clone()));
        let posix = table(&tables, TableId::Posix).i64(posix::SLOWEST_RANK, 0);
        (posix, table(&tables, TableId::Mpiio).i64(mpiio::SLOWEST_RANK, 0))
    };
    assert_eq!(slowest("2.04"), (Some(3), None));
    assert_eq!(slowest("2.05"), (None, Some(3)));
}

#[test]
fn a_condensed_record_keeps_sums_but_nothing_of_a_single_file() {
    let record = Record { file_id: 0, rank: 2, ..Record::shared("first.dat") }
        .int(POSIX_READS, 5000)
        .int(BYTES_READ, 9)
        .int(MEM_ALIGNMENT, 16 * 1024);
    let tables = tables_of(&log(record));
    let t = table(&tables, TableId::Posix);
    assert_eq!(t.i64(posix::BYTES_READ, 0), Some(9));
    assert_eq!(t.i64(posix::MEM_ALIGNMENT, 0), None);
    assert_eq!(t.i64(posix::CONSEC_READS, 0), None);
    assert_eq!(t.i64(posix::ACCESS1_COUNT, 0), None);
    assert_eq!(table(&tables, TableId::File).str(file::PATH, 0), None);
    assert_eq!(table(&tables, TableId::Module).bool(module::IS_PARTIAL, 0), Some(true));
    assert!(has_issue(&tables, "partial_module", "1,024 files"));
}

#[test]
fn points_in_time_count_from_the_start_of_the_job() {
    let start_and_end = |version, start_s: f64| {
        let record = Record::shared("a")
            .int(POSIX_READS, 1)
            .real(F_READ_START, start_s)
            .real(F_READ_END, start_s + 0.5)
            .real(F_POSIX_READ_TIME, 0.5);
        let tables = tables_of(&Log::new(version).with(record));
        let t = table(&tables, TableId::Posix);
        t.f64(posix::F_READ_START_TIMESTAMP, 0).zip(t.f64(posix::F_READ_END_TIMESTAMP, 0))
    };
    assert_eq!(start_and_end("2.03", 3.0), Some((3.0, 3.5)), "stored that way");
    assert_eq!(start_and_end("2.03", 3000.0), Some((3000.0, 3000.5)), "and not doubted");
    assert_eq!(start_and_end("2.02", 3.0), Some((3.0, 3.5)), "the clock of Blue Gene/P");
    assert_eq!(start_and_end("2.02", 1_000_003.0), Some((3.0, 3.5)), "the clock of Linux");
    assert_eq!(start_and_end("2.02", 17.0), None, "the clock of Blue Gene/Q");
    assert_eq!(start_and_end("2.02", 999_999.0), None, "before the job");
}

#[test]
fn a_point_in_time_of_zero_never_happened() {
    let tables =
        tables_of(&log(Record::shared("a").int(POSIX_OPENS, 1).real(F_OPEN_TIMESTAMP, 1.0)));
    let t = table(&tables, TableId::Posix);
    assert_eq!(t.f64(posix::F_OPEN_START_TIMESTAMP, 0), Some(1.0));
    assert_eq!(t.f64(posix::F_READ_START_TIMESTAMP, 0), None);
}

#[test]
fn without_a_running_clock_durations_are_null() {
    let record = Record::shared("a").int(POSIX_READS, 1).int(BYTES_READ, 1);
    let tables = tables_of(&log(record));
    assert_eq!(table(&tables, TableId::Posix).f64(posix::F_READ_TIME, 0), None);
    assert!(has_issue(&tables, "known_defect", "DARSHAN_DISABLE_TIMING"));
}

#[test]
fn the_largest_32_bit_offset_is_a_limit_in_old_logs() {
    let highest = |version, value| {
        let record = Record::shared("a").int(POSIX_READS, 1).int(MAX_BYTE_READ, value);
        let tables = tables_of(&Log::new(version).with(record));
        table(&tables, TableId::Posix).i64(posix::MAX_BYTE_READ, 0)
    };
    assert_eq!(highest("2.01", 2_147_483_647), None);
    assert_eq!(highest("2.01", 2_147_483_646), Some(2_147_483_646));
    assert_eq!(highest("2.02", 2_147_483_647), Some(2_147_483_647));
}

#[test]
fn a_name_is_whole_only_when_it_is_absolute_and_shorter_than_its_field() {
    let is_suffix = |name| {
        let tables = tables_of(&log(Record::shared(name).int(POSIX_OPENS, 1)));
        table(&tables, TableId::File).bool(file::IS_PATH_SUFFIX, 0)
    };
    assert_eq!(is_suffix("/tmp/abcdefghi"), Some(false));
    assert_eq!(is_suffix("/tmp/abcdefghij"), Some(true), "15 characters may be the end of more");
    assert_eq!(is_suffix("test.out"), Some(true), "relative to a folder that is not recorded");
}

#[test]
fn devices_of_other_nodes_give_no_mount_in_1_23() {
    let fs_type = |version, rank| {
        let record = Record { rank, ..Record::shared("a").int(POSIX_OPENS, 1).int(DEVICE, 10) };
        let log = Log { text: "app\n10\tnfs\t/home", ..Log::new(version).with(record) };
        let tables = tables_of(&log);
        table(&tables, TableId::File).str(file::FS_TYPE, 0).map(str::to_string)
    };
    assert_eq!(fs_type("1.23", 0).as_deref(), Some("nfs"));
    assert_eq!(fs_type("1.23", 1), None);
    assert_eq!(fs_type("1.24", 1).as_deref(), Some("nfs"));
}

#[test]
fn only_what_is_wanted_is_read() {
    let other = |file_id, rank| Record {
        file_id,
        rank,
        ..Record::shared("a").int(POSIX_READS, 1).int(INDEP_READS, 1)
    };
    let image = Log { abi: Abi::X86_64, ..Log::new("2.06") }
        .with(other(1, 0))
        .with(other(1, 1))
        .with(other(2, -1))
        .image();
    let mut selection = Selection::tables([TableId::Posix].into_iter().collect());
    selection.ranks = Some(1..=1);
    let mut tables = Tables::new();
    read(&image, 0, "log", "gzip", &selection, &mut tables).expect("a whole log");
    let t = table(&tables, TableId::Posix);
    let ranks: Vec<_> = (0..t.rows()).filter_map(|row| t.i32(posix::RANK, row)).collect();
    assert_eq!(ranks, [1, -1]);
    assert_eq!(tables.rows(TableId::Mpiio) + tables.rows(TableId::File), 0);
    assert_eq!(tables.rows(TableId::Job), 1);
}
