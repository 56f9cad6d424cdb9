//! Logs with impossible numbers: these are left out and said, and the verdict is
//! sure of nothing.

use diya::diagnose::{CheckSet, MetricRows, diagnose};
use diya::input::Input;
use diya::report::{Confidence, Report};
use diya::{OpenOptions, Session};
use diya_testkit::{LogPart, Packing, corpus_logs, rewrite};

/// Changes the bytes of a part of a log.
type Edit<'e> = &'e dyn Fn(LogPart, &mut Vec<u8>);

/// Reports of a log of the corpus: as it is, and with these edits.
fn reports(name: &str, edits: &[Edit<'_>]) -> Vec<Report> {
    let path = corpus_logs().into_iter().find(|path| path.ends_with(name));
    let log = std::fs::read(path.expect("it is in the corpus")).expect("it can be read");
    let edited = edits
        .iter()
        .map(|edit| rewrite(&log, Packing::Zlib, 0, &mut |part, bytes| edit(part, bytes)));
    let inputs = std::iter::once(log.clone()).chain(edited);
    let inputs = inputs.enumerate().map(|(n, log)| Input::from_bytes(format!("{n}"), log));
    let mut session = Session::new(inputs.collect(), OpenOptions::default());
    let set = CheckSet::builtin().expect("the built-in checks are valid");
    diagnose(&mut session, &set, &MetricRows::None).expect("the logs can be judged")
}

const POSIX: LogPart = LogPart::Module(1);

#[test]
fn impossible_records_drop_out_and_nothing_is_sure() {
    let twice = |part: LogPart, bytes: &mut Vec<u8>| {
        if part == POSIX {
            bytes.extend(bytes.clone());
        }
    };
    let of_no_rank = |part: LogPart, bytes: &mut Vec<u8>| {
        if part == POSIX {
            bytes[8..16].copy_from_slice(&5000i64.to_le_bytes());
        }
    };
    let processes = |part: LogPart, bytes: &mut Vec<u8>| {
        if part == LogPart::Job {
            bytes[40..48].copy_from_slice(&(1i64 << 40).to_le_bytes());
        }
    };
    let all = reports("ior_posix_fpp_seq.darshan", &[&twice, &of_no_rank, &processes]);
    let [intact, twice, of_no_rank, processes] = &all[..] else { panic!("a report per log") };
    assert_eq!(intact.verdict.bytes, twice.verdict.bytes);
    for (damaged, phrase) in [
        (twice, "duplicate record"),
        (of_no_rank, "belongs to rank 5000"),
        (processes, "a job of 1099511627776 processes is impossible"),
    ] {
        let said = &damaged.verdict.not_captured;
        assert!(said.iter().any(|text| text.contains(phrase)), "{phrase}: {said:?}");
        assert_eq!(damaged.verdict.confidence, Confidence::Low, "{phrase}");
    }
    assert_eq!(processes.job.nprocs, None);
}
