//! The built-in checks on real logs: what is known about them comes out.

use std::path::PathBuf;

use diya::{OpenOptions, Trace, input};
use diya_checks::{Config, LogVerdicts, METRICS_NEEDED, Severity, builtin, decide};
use diya_metrics::{Catalog, compute};
use diya_query::Query;
use diya_testkit::{corpus_logs, shared_logs, skip};

/// Verdicts on those logs, with the names of the logs; refused logs have none.
fn judge(paths: &[PathBuf]) -> Vec<(String, LogVerdicts)> {
    let inputs = input::logs(paths).expect("these logs are there");
    let trace = Trace::open(&inputs, &OpenOptions::default()).expect("some can be read");
    let checks = builtin().expect("the built-in checks are valid");
    let needs: Vec<&str> = checks.iter().flat_map(|c| &c.needs).map(String::as_str).collect();
    let needs: Vec<&str> = needs.into_iter().chain(METRICS_NEEDED.iter().copied()).collect();
    let computed = compute(Catalog::built_in(), trace.tables(), &needs, 1);
    let mut tables = trace.tables().to_vec();
    tables.extend(computed.expect("the engine starts").tables);
    let mut query = Query::new(&tables, 1).expect("the engine starts");
    let verdicts = decide(&mut query, &checks, &Config::default(), Catalog::built_in(), &[])
        .expect("the tables are there");
    assert!(verdicts.problems.is_empty(), "{:?}", verdicts.problems);
    let name = |log: i32| usize::try_from(log).ok().and_then(|log| trace.log_names().get(log));
    verdicts.logs.into_iter().map(|log| (name(log.log).cloned().unwrap_or_default(), log)).collect()
}

/// The shared log with this in its name.
fn shared(part: &str) -> Option<LogVerdicts> {
    let path = shared_logs().into_iter().find(|path| path.to_string_lossy().contains(part));
    let Some(path) = path else {
        skip(&format!("no shared log has {part} in its name"));
        return None;
    };
    Some(judge(&[path]).pop().expect("it can be read").1)
}

fn corpus(name: &str) -> LogVerdicts {
    let path = corpus_logs().into_iter().find(|path| path.ends_with(name)).expect("it is there");
    judge(&[path]).pop().expect("it can be read").1
}

#[test]
fn every_log_gets_one_verdict_per_check() {
    let mut paths = corpus_logs();
    // The largest ones are the same programs with more calls.
    let is_small = |path: &PathBuf| path.metadata().is_ok_and(|m| m.len() < 5_000_000);
    paths.extend(shared_logs().into_iter().filter(is_small));
    let checks = builtin().expect("the built-in checks are valid").len();
    for (name, log) in judge(&paths) {
        let verdicts =
            log.findings.len() + log.passed.len() + log.not_applicable.len() + log.unknown.len();
        assert_eq!(verdicts, checks, "{name}");
        let is_idle = log.found().any(|f| f.id == "job/io-is-negligible");
        for finding in log.found().filter(|f| f.id != "job/partial-log") {
            assert!(!finding.text.contains("an unknown number"), "{name}: {}", finding.text);
            let is_loud = matches!(finding.severity, Severity::High | Severity::Warn);
            assert!(!(is_idle && is_loud), "{name}: {}", finding.text);
        }
    }
}

#[test]
fn waiting_and_independent_metadata_of_openpmd_come_first() {
    let Some(log) = shared("jeanbez_8_benchmark_parallel") else { return };
    // Its collective writes wait for more seconds; this is the first cause below them.
    let firsts: Vec<&str> = log.found().take(2).map(|f| f.id.as_str()).collect();
    assert_eq!(firsts, ["mpiio/waiting-collectives", "hdf5/independent-metadata"]);
    let extents = log.found().find(|f| f.id == "posix/extents-reread");
    assert!(extents.is_some_and(|f| f.text.contains("175 different extents")));
    let explained = log.found().find(|f| f.id == "posix/small-requests");
    let by = explained.and_then(|f| f.explained_by.as_deref());
    assert_eq!(by, Some("hdf5/independent-metadata"));
}

#[test]
fn ranks_of_openpmd_that_sit_in_one_small_write_each_are_named() {
    let Some(log) = shared("jeanbez_8_benchmark_parallel") else { return };
    let stuck = log.found().find(|f| f.id == "posix/stuck-calls");
    let ranks = stuck.map(|f| f.ranks.clone()).unwrap_or_default();
    assert!([97, 98, 99, 100].iter().all(|rank| ranks.contains(rank)), "{ranks:?}");
}

#[test]
fn the_bad_target_and_its_straggler_are_named() {
    let Some(log) = shared("sample-badost") else { return };
    let first = log.found().next().expect("there is a finding");
    assert_eq!(first.id, "lustre/slow-target");
    assert_eq!((first.severity, &first.targets[..]), (Severity::High, &[14][..]));
    let straggler = log.found().find(|f| f.id == "posix/slowest-rank");
    assert_eq!(straggler.map(|f| &f.ranks[..]), Some(&[1507][..]));
    assert_eq!(straggler.and_then(|f| f.explained_by.as_deref()), Some("lustre/slow-target"));
}

#[test]
fn planted_faults_are_the_first_findings() {
    let first = |name: &str| corpus(name).found().next().map(|f| f.id.clone());
    assert_eq!(first("rank0_writer.darshan").as_deref(), Some("posix/rank-zero-only"));
    assert_eq!(first("straggler10x.darshan").as_deref(), Some("posix/unbalanced-ranks"));
    assert_eq!(first("mdtest_shared_dir.darshan").as_deref(), Some("posix/metadata-storm"));
    // Eight ranks on two cores write 32 KiB at a time together, and wait for one another.
    let waiting = first("ior_mpiio_coll_hints.darshan");
    assert_eq!(waiting.as_deref(), Some("mpiio/waiting-collectives"));
}

#[test]
fn well_behaved_programs_get_no_finding() {
    for name in ["ior_posix_fpp_seq.darshan", "phases_ckpt.darshan"] {
        assert_eq!(corpus(name).found().next(), None, "{name}");
    }
}
