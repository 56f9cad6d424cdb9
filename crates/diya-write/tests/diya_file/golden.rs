//! A file of version 1 gives the same rows for ever.
//!
//! `DIYA_BLESS=1 cargo test -p diya-write --test diya_file golden` writes the
//! file and its text anew: only when a new version of the format begins.

use crate::common::{alone, own_trace, read_as};
use diya_read::Selection;
use diya_tables::{
    AttributeRow, FileRow, HeatmapRecord, JobRow, Kind, Layer, OpCountRow, ProcessRow, TableId,
    Tables,
};
use diya_write::diya_file::to_bytes;
use std::fmt::Write as _;
use std::path::PathBuf;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/diya_file/golden").join(name)
}

/// One process that wrote, read and failed on three files.
fn small_trace() -> Tables {
    let mut tables = own_trace(12);
    let log = 0;
    tables.push_job(JobRow {
        log,
        log_name: "v1.diya",
        format: "diya",
        job_id: Some(4711),
        uid: Some(1000),
        exe: Some("./app"),
        command_line: Some("./app --steps 3"),
        nprocs: Some(2),
        start_time: Some(1_750_000_000_123_456_789),
        log_version: Some("1"),
        is_big_endian: false,
        compression: "deflate",
        ..JobRow::UNKNOWN
    });
    let (mount, fs_type) = (Some("/scratch"), Some("lustre"));
    for (file_id, name) in [(7, "in"), (1 << 60 | 7, "out"), (2 << 60 | 7, "log")] {
        let path = format!("/scratch/{name}.dat");
        tables.push_file(FileRow {
            log,
            file_id,
            path: Some(&path),
            mount,
            fs_type,
            is_path_suffix: false,
            kind: Some("file"),
            parent_id: None,
        });
    }
    tables.push_process(ProcessRow {
        log,
        process: 0,
        rank: 0,
        host: Some("node7"),
        pid: Some(4242),
        parent_pid: Some(4200),
        uid: Some(1000),
        exe: "/home/u/app",
        command_line: "./app --steps 3",
        cwd: Some("/scratch"),
        start_s: 0.000_001,
        start_time: Some(1_750_000_000_123_457_789),
        ended: Some("killed or still running"),
        mode: Some("trace"),
        clock: Some("tsc"),
        clock_hz: Some(2.6e9),
        threads: Some(2),
        calls_recorded: Some(12),
        calls_counted: Some(0),
        calls_dropped: Some(0),
        segment_bytes: Some(12_288),
        ..ProcessRow::UNKNOWN
    });
    let (layer, file_id, rank) = ("posix", 7, 0);
    tables.push_op_count(OpCountRow {
        log,
        file_id,
        rank,
        layer,
        op: "write",
        function: Some("pwrite64"),
        calls: 3,
        failed: 1,
        bytes: Some(123_456),
        time_s: 0.25,
        exclusive_s: None,
        first_s: Some(0.5),
        last_s: Some(0.75),
    });
    let (rank, name, value) = (None, "comm_size", "2");
    tables.push_attribute(AttributeRow { log, file_id, rank, layer: "mpiio", name, value });
    tables.heatmap.push(HeatmapRecord {
        log,
        layer: Some(Layer::Posix),
        file_id: 99,
        rank: 0,
        bin_width_s: 0.1,
        write: vec![0, 0, 4096, 1],
        read: vec![7, 0, 0, 0],
    });
    tables
}

/// Everything in the tables, one line per row.
fn text_of(tables: &Tables) -> String {
    let mut out = String::new();
    for id in TableId::ALL {
        let Some(table) = tables.table(id) else { continue };
        for row in 0..table.rows() {
            let _ = write!(out, "{}", id.def().name);
            for (column, def) in id.def().columns.iter().enumerate() {
                let cell = match def.kind {
                    Kind::Bool => format!("{:?}", table.bool(column, row)),
                    Kind::I32 => format!("{:?}", table.i32(column, row)),
                    Kind::I64 | Kind::TimestampNs => format!("{:?}", table.i64(column, row)),
                    Kind::U64 => format!("{:?}", table.u64(column, row)),
                    Kind::F64 => format!("{:?}", table.f64(column, row)),
                    Kind::Str => format!("{:?}", table.str(column, row)),
                };
                // Columns that came later are not in an old file.
                if cell != "None" {
                    let _ = write!(out, " {}={}", def.name, &cell[5..cell.len() - 1]);
                }
            }
            out.push('\n');
        }
    }
    for record in tables.heatmap.records() {
        let _ = writeln!(out, "{record:?}");
    }
    for chunk in tables.calls.chunks() {
        let mut call = 0;
        for run in &chunk.runs {
            let name = |id: Option<_>| id.map_or("-", |id| tables.calls.name(id));
            let _ = writeln!(
                out,
                "run {} {} {} {} {} {} {} {:?} {:?} {} {}",
                run.layer.name(),
                run.op.name(),
                run.file_id,
                run.rank,
                name(run.host),
                name(run.function),
                name(run.error),
                run.process,
                run.is_collective,
                run.has_offset,
                run.has_size
            );
            for _ in 0..run.len {
                let _ = writeln!(out, "  {:?}", chunk.call(call));
                call += 1;
            }
        }
    }
    out
}

#[test]
fn a_file_of_version_1_gives_the_same_rows() {
    let _alone = alone();
    if std::env::var_os("DIYA_BLESS").is_some() {
        std::fs::write(path("v1.diya"), to_bytes(&small_trace(), "diya 0.1.0")).expect("written");
        std::fs::write(path("v1.txt"), text_of(&small_trace())).expect("written");
    }
    let file = std::fs::read(path("v1.diya")).expect("the file is part of the repository");
    let expected = std::fs::read_to_string(path("v1.txt")).expect("its text, too");
    let tables = read_as(&file, 0, "v1.diya", &Selection::all()).expect("a diya file");
    assert_eq!(text_of(&tables), expected);
}
