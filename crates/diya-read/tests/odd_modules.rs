//! Logs whose parts are not where, or not as long as, their version says.

use diya_read::{Request, Selection, Serial, read};
use diya_tables::{TableId, Tables, job, posix, read_issue};
use diya_testkit::{LogPart, Packing, corpus_logs, rewrite};

/// Its eight ranks write a file each: eight POSIX records.
const LOG: &str = "ior_posix_fpp_seq.darshan";
const POSIX: LogPart = LogPart::Module(1);
const RECORD_BYTES: usize = 704;

fn log() -> Vec<u8> {
    let path = corpus_logs().into_iter().find(|path| path.ends_with(LOG));
    std::fs::read(path.expect("a log of the corpus")).expect("it can be read")
}

fn tables(log: Vec<u8>) -> Tables {
    let mut tables = Tables::new();
    let request = Request {
        source: &log,
        log: 0,
        log_name: "log",
        outer_compression: None,
        selection: &Selection::all(),
        workers: &Serial,
    };
    read(&request, &mut tables).expect("a log");
    tables
}

/// Kind, loss, tables and effect of each issue.
fn issues(tables: &Tables) -> Vec<[String; 4]> {
    let Some(rows) = tables.table(TableId::ReadIssue) else { return Vec::new() };
    let columns = [read_issue::KIND, read_issue::LOSS, read_issue::TABLES, read_issue::EFFECT];
    let text = |column, row| rows.str(column, row).unwrap_or_default().to_owned();
    (0..rows.rows()).map(|row| columns.map(|column| text(column, row))).collect()
}

fn bytes_written(tables: &Tables) -> Vec<Option<i64>> {
    let Some(rows) = tables.table(TableId::Posix) else { return Vec::new() };
    (0..rows.rows()).map(|row| rows.i64(posix::BYTES_WRITTEN, row)).collect()
}

fn edited(edit: impl Fn(&mut Vec<u8>)) -> Tables {
    tables(rewrite(&log(), Packing::Zlib, 0, &mut |part, bytes| {
        if part == POSIX {
            edit(bytes);
        }
    }))
}

#[test]
fn zeros_before_the_job_record_are_no_issue() {
    let intact = tables(log());
    let padded = tables(rewrite(&log(), Packing::Zlib, 8192, &mut |_, _| {}));
    assert_eq!(issues(&padded), Vec::<[String; 4]>::new());
    let command = |tables: &Tables| {
        let jobs = tables.table(TableId::Job).expect("a job");
        jobs.str(job::COMMAND_LINE, 0).map(str::to_owned)
    };
    assert_eq!(command(&padded), command(&intact));
    assert_eq!(bytes_written(&padded), bytes_written(&intact));
}

#[test]
fn stray_bytes_at_the_end_of_a_module_cost_no_record() {
    let stray = edited(|bytes| bytes.extend([7; 80]));
    assert_eq!(bytes_written(&stray), bytes_written(&tables(log())));
    let [[kind, loss, concerned, effect]] = &issues(&stray)[..] else { panic!("one issue") };
    assert_eq!((kind.as_str(), loss.as_str()), ("odd_length", "missing"));
    assert_eq!(concerned, "posix,stdio,size_histogram,access_size");
    assert!(effect.contains("8 whole records") && effect.contains("80 bytes"), "{effect}");
}

#[test]
fn longer_records_are_read_as_far_as_they_are_known() {
    let longer = edited(|bytes| {
        let records = bytes.chunks_exact(RECORD_BYTES);
        *bytes = records.flat_map(|record| [record, &[0; 16]].concat()).collect();
    });
    assert_eq!(bytes_written(&longer), bytes_written(&tables(log())));
    let [[kind, loss, ..]] = &issues(&longer)[..] else { panic!("one issue") };
    assert_eq!((kind.as_str(), loss.as_str()), ("longer_record", "doubtful"));
}

#[test]
fn records_of_another_layout_are_a_loss() {
    let other = edited(|bytes| {
        let records = bytes.chunks_exact(RECORD_BYTES);
        // One more counter in front of all others.
        let shifted = |record: &[u8]| [&record[..16], &[1; 8], &record[16..]].concat();
        *bytes = records.flat_map(shifted).collect();
    });
    assert_eq!(bytes_written(&other), []);
    let [[kind, loss, ..]] = &issues(&other)[..] else { panic!("one issue") };
    assert_eq!((kind.as_str(), loss.as_str()), ("record_size", "missing"));
}

#[test]
fn less_than_a_record_is_a_loss() {
    let short = edited(|bytes| bytes.truncate(RECORD_BYTES - 8));
    assert_eq!(bytes_written(&short), []);
    assert_eq!(issues(&short)[0][0], "record_size");
}
