//! Each setting over small tables: when there is a reason for it, and with which value.

use crate::support::{NODES, file, finding, number, one_stripe, plan, table, values};
use diya::diagnose::CheckSet;
use diya::report::Finding;
use diya_tables::record_id;
use diya_tune::{How, Library, SettingValue, written};
use std::collections::BTreeSet;

#[test]
fn every_reason_is_a_check_and_every_statement_runs() {
    let checks = CheckSet::builtin().expect("checks").checks;
    let library = Library::built_in().expect("the settings");
    let reasons: BTreeSet<&str> =
        library.settings.iter().flat_map(|s| &s.reason).map(|r| r.check.as_str()).collect();
    for reason in &reasons {
        assert!(checks.iter().any(|check| check.id == **reason), "{reason}");
    }
    // Without rows in any table no setting applies, and none is wrong.
    let all: Vec<&str> = library.settings.iter().map(|setting| setting.id.as_str()).collect();
    let findings = reasons.iter().map(|reason| finding(reason, &[file("/none")])).collect();
    let plan = plan(&all, &[], findings);
    assert_eq!(plan.settings, []);
    assert_eq!(plan.without.len(), reasons.len());
}

#[test]
fn aggregators_follow_from_nodes_and_stripes() {
    let of = |stripes: &str| {
        let layout = format!("file rank stripe_count stripe_size\n/out -1 {stripes} 1048576");
        let tables = [("rank_host", table(NODES)), ("lustre_component", table(&layout))];
        let plan = plan(
            &["romio/cb_nodes"],
            &tables,
            vec![finding("mpiio/few-aggregators", &[file("/out")])],
        );
        values(&plan).get("romio/cb_nodes").cloned()
    };
    assert_eq!(of("1"), Some(number(2)), "one per node");
    assert_eq!(of("3"), Some(number(3)), "one per stripe");
    assert_eq!(of("64"), Some(number(4)), "no more than ranks");
}

#[test]
fn more_aggregators_than_nodes_need_several_on_a_node() {
    let layout = "file rank stripe_count stripe_size\n/out -1 64 1048576";
    let tables = [("rank_host", table(NODES)), ("lustre_component", table(layout))];
    let findings = vec![finding("mpiio/aggregators-below-stripes", &[file("/out")])];
    let plan = plan(&["romio/cb_"], &tables, findings);
    let lines: Vec<&str> = plan.settings.iter().map(|setting| setting.line.as_str()).collect();
    assert_eq!(lines, ["cb_config_list *:2", "cb_nodes 4"]);
}

#[test]
fn one_aggregator_per_node_is_no_setting_where_nothing_says_that_there_are_fewer() {
    let findings = vec![finding("mpiio/unmerged-collectives", &[file("/out")])];
    let plan = plan(&["romio/cb_nodes"], &[("rank_host", table(NODES))], findings);
    assert_eq!(plan.settings, []);
}

#[test]
fn a_hints_file_is_short_enough_for_romio() {
    let library = Library::built_in().expect("the settings");
    let mpiio = "file rank coll_writes coll_reads bytes_written bytes_read\n/out -1 1000 1000 4096000 4096000";
    let layout = "file rank stripe_count stripe_size\n/out -1 64 1048576";
    let tables =
        [("mpiio", table(mpiio)), ("rank_host", table(NODES)), ("lustre_component", table(layout))];
    let mut wordy = finding("mpiio/unmerged-collectives", &[file("/out")]);
    wordy.title = "Words ".repeat(60);
    let plan = plan(&["romio/"], &tables, vec![wordy]);
    assert!(plan.settings.len() >= 4, "{:?}", plan.settings);
    let files = written(&plan, &library).expect("files");
    let hints = files.iter().find(|file| file.name == "romio-hints.txt").expect("hints");
    assert!(hints.text.len() < 4096, "{}", hints.text.len());
    for setting in &plan.settings {
        assert!(hints.text.lines().any(|line| line == setting.line), "{}", hints.text);
    }
}

#[test]
fn a_single_node_without_stripes_gives_no_aggregators() {
    let tables = [("rank_host", table("rank host source\n0 a DXT_POSIX"))];
    let plan = plan(&["romio/cb_nodes"], &tables, vec![finding("mpiio/unmerged-collectives", &[])]);
    assert_eq!(plan.settings, []);
    assert!(plan.without[0].why.contains("per node"), "{:?}", plan.without);
}

#[test]
fn small_writes_give_collective_buffering_and_large_ones_do_not() {
    let of = |bytes: &str| {
        let mpiio = format!("file rank coll_writes bytes_written\n/out -1 1000 {bytes}");
        let findings = vec![finding("mpiio/unmerged-collectives", &[file("/out")])];
        plan(&["romio/romio_cb_write"], &[("mpiio", table(&mpiio))], findings)
    };
    let small = of("4096000");
    let word = SettingValue::Text("enable".to_owned());
    assert_eq!(values(&small)["romio/romio_cb_write"], word);
    let chosen = &small.settings[0];
    assert_eq!(chosen.line, "romio_cb_write enable");
    assert!(chosen.because.starts_with("1,000 writes of 4.00 KiB"), "{}", chosen.because);
    let saving = (chosen.saving_s, chosen.saving_low_s, chosen.saving_high_s);
    assert_eq!(saving, (Some(2.0), Some(1.0), Some(3.0)));
    assert_eq!(of("8000000000").settings, []);
}

#[test]
fn the_buffer_holds_a_call_of_all_ranks() {
    let of = |bytes: &str| {
        let mpiio = format!("file rank coll_writes bytes_written\n/out -1 100 {bytes}");
        let tables = [("mpiio", table(&mpiio)), ("rank_host", table(NODES))];
        let findings = vec![finding("mpiio/collective-request-split", &[file("/out")])];
        values(&plan(&["romio/cb_buffer_size"], &tables, findings)).into_values().next()
    };
    // 20 MB of each of four ranks on two nodes are 40 MB for an aggregator.
    assert_eq!(of("2000000000"), Some(number(64 << 20)));
    assert_eq!(of("100000000"), None, "the default is enough");
}

#[test]
fn hints_are_those_of_the_mpi_library_that_ran() {
    let mpiio = table("file rank coll_writes bytes_written\n/out -1 1000 4096000");
    let process = table("rank mpi_family\n0 openmpi");
    let tables = [("mpiio", mpiio), ("process", process), ("rank_host", table(NODES))];
    let findings = ["mpiio/few-aggregators", "mpiio/unmerged-collectives"];
    let findings = findings.map(|id| finding(id, &[file("/out")])).to_vec();
    let plan = plan(
        &["romio/romio_cb_write", "romio/cb_nodes", "openmpi/io_ompio_num"],
        &tables,
        findings,
    );
    assert_eq!(plan.mpi.as_deref(), Some("openmpi"));
    assert_eq!(values(&plan).into_keys().collect::<Vec<_>>(), ["openmpi/io_ompio_num_aggregators"]);
}

#[test]
fn a_hint_that_the_job_ran_with_is_no_setting() {
    let mpiio = "file rank coll_writes bytes_written\n/out -1 1000 4096000";
    let of = |value: &str| {
        let hints =
            format!("file hint value source\n/out romio_cb_write {value} MPI_File_get_info");
        let tables = [("mpiio", table(mpiio)), ("mpi_hint", table(&hints))];
        let findings = vec![finding("mpiio/unmerged-collectives", &[file("/out")])];
        plan(&["romio/romio_cb_write"], &tables, findings)
    };
    assert_eq!(of("automatic").settings.len(), 1);
    let plan = of("enable");
    assert_eq!(plan.settings, []);
    assert!(plan.without[0].why.contains("already"), "{:?}", plan.without);
}

#[test]
fn stripes_follow_from_ranks_targets_and_requests() {
    let path = "/scratch/run/out";
    let findings = vec![finding("lustre/single-stripe", &[file(path)])];
    let plan = plan(&["lustre/stripe_count"], &one_stripe(path), findings);
    assert_eq!(plan.settings[0].line, "lfs setstripe -c 6 -S 4194304 '/scratch/run'");
    assert_eq!(plan.settings[0].saving_s, Some(2.0));
}

#[test]
fn a_hostile_path_is_one_argument_of_the_command() {
    let folder = "/s/$(touch pwned)'; touch pwned; '`touch pwned` \\";
    let path = format!("{folder}/out");
    let findings = vec![finding("lustre/single-stripe", &[file(&path)])];
    let plan = plan(&["lustre/stripe_count"], &one_stripe(&path), findings);
    let library = Library::built_in().expect("the settings");
    let files = written(&plan, &library).expect("files");
    let script = files.iter().find(|file| file.name == "lustre.sh").expect("a script");
    let place = tempfile::tempdir().expect("a folder");
    let lfs = "lfs() { for arg; do printf '%s\\n' \"$arg\"; done; }\n";
    let said = std::process::Command::new("sh")
        .args(["-c", &format!("{lfs}{}", script.text)])
        .current_dir(place.path())
        .output()
        .expect("sh");
    assert_eq!(String::from_utf8_lossy(&said.stderr), "");
    let words: Vec<String> =
        String::from_utf8_lossy(&said.stdout).lines().map(str::to_owned).collect();
    assert_eq!(words, ["setstripe", "-c", "6", "-S", "4194304", folder]);
    assert_eq!(std::fs::read_dir(place.path()).expect("it is there").count(), 0);
    // Not in a comment either: it would end where the name has a line end.
    assert!(script.text.lines().all(|line| !line.starts_with('#') || !line.contains("pwned")));
}

#[test]
fn a_path_with_a_line_end_is_left_out() {
    let path = "/scratch/a\nrm -rf x/out";
    let findings = vec![finding("lustre/single-stripe", &[file(path)])];
    let plan = plan(&["lustre/stripe_count"], &one_stripe(path), findings);
    assert_eq!(plan.settings, []);
    assert!(plan.without[0].why.contains("control"), "{:?}", plan.without);
}

#[test]
fn small_files_get_one_stripe() {
    let mut layout = "file rank stripe_count stripe_size".to_owned();
    let mut posix = "file rank bytes_written writes max_byte_written".to_owned();
    for at in 0..20 {
        layout += &format!("\n/s/small/{at} 0 8 1048576");
        posix += &format!("\n/s/small/{at} 0 4096 1 4095");
    }
    let tables = [("lustre_component", table(&layout)), ("posix", table(&posix))];
    let findings = vec![finding("lustre/over-striped-small-files", &[])];
    let plan = plan(&["lustre/"], &tables, findings);
    let lines: Vec<&str> = plan.settings.iter().map(|setting| setting.line.as_str()).collect();
    assert_eq!(lines, ["lfs setstripe -c 1 '/s/small'"]);
}

#[test]
fn objects_are_aligned_to_the_block_of_the_file_system() {
    let posix = "file rank writes file_not_aligned file_alignment\n/out.h5 -1 1000 900 4194304";
    let findings = vec![finding("posix/unaligned-requests", &[file("/out.h5")])];
    let plan = plan(&["hdf5/"], &[("posix", table(posix))], findings);
    assert_eq!(plan.settings[0].line, "H5Pset_alignment(fapl, 1048576, 4194304);");
}

#[test]
fn the_chunk_cache_holds_the_dataset() {
    let sets = "file rank file_rec_id dataspace_ndims dataspace_npoints datatype_size chunk_size_d1 chunk_size_d2 reads
        /in.h5:d 0 FILE 2 1048576 8 128 128 4000"
        .replace("FILE", &record_id(b"/in.h5").to_string());
    let findings = vec![finding("hdf5/misfit-chunks", &[file("/in.h5")])];
    let plan = plan(&["hdf5/chunk_cache"], &[("hdf5_dataset", table(&sets))], findings);
    // 8 MiB of data in 64 chunks of 128 KiB.
    assert_eq!(plan.settings[0].line, "H5Pset_chunk_cache(dapl, 641, 8388608, 0.75);");
}

#[test]
fn a_stream_gets_a_buffer_no_larger_than_its_file() {
    let stdio = "file rank writes bytes_written\n/out 0 10000 400000";
    let of = |found| plan(&["stdio/"], &[("stdio", table(stdio))], vec![found]);
    let plan = of(finding("stdio/bulk-data", &[]));
    assert_eq!(values(&plan)["stdio/stream_buffer"], number(256 << 10));
    // A part of the fix: nothing to all of the saving.
    let chosen = &plan.settings[0];
    let saving = (chosen.saving_s, chosen.saving_low_s, chosen.saving_high_s);
    assert_eq!(saving, (None, Some(0.0), Some(3.0)));
}

#[test]
fn a_finding_that_costs_nothing_gives_no_setting() {
    let stdio = table("file rank writes bytes_written\n/out 0 10000 400000");
    let cheap = Finding { lost_high_s: Some(0.0009), ..finding("stdio/bulk-data", &[]) };
    let plan = plan(&["stdio/"], &[("stdio", stdio)], vec![cheap]);
    assert_eq!(plan.settings, []);
    assert!(plan.without[0].why.contains("less than 1 ms"), "{:?}", plan.without);
}

#[test]
fn files_that_are_read_again_are_staged_with_their_sizes() {
    let posix = "file rank reads bytes_read max_byte_read
        /p/data/a.bin -1 64 64000000 999999
        /p/data/once.bin -1 1 1000000 999999
        /l/local.bin -1 64 64000000 999999";
    let names = "file mount fs_type
        /p/data/a.bin /p lustre
        /p/data/once.bin /p lustre
        /l/local.bin /l ext4";
    let tables = [("posix", table(posix)), ("file", table(names))];
    let plan = plan(&["stage/"], &tables, vec![finding("ml/dataset-reread", &[])]);
    let lines: Vec<&str> = plan.settings.iter().map(|setting| setting.line.as_str()).collect();
    assert_eq!(lines, ["diya_stage '/p/data/a.bin' 1000000"]);
}

/// What `program.conf` may name, the library knows, and the other way round.
#[test]
fn settings_inside_programs_are_those_of_the_library() {
    let text = include_str!("../../../apply/src/settings.def");
    let names = text.lines().filter_map(|line| line.strip_prefix("SETTING(")?.strip_suffix(')'));
    let known: BTreeSet<&str> = names.collect();
    let library = Library::built_in().expect("the settings");
    let (_, apply) = library.applicable().find(|(_, a)| a.how == How::Program).expect("a file");
    let keys = library.settings.iter().filter(|s| s.folder() == "program").map(|s| s.key.as_str());
    let asked: BTreeSet<&str> = keys.chain(apply.also.iter().map(String::as_str)).collect();
    assert_eq!(asked, known);
}

/// Lines of `write_buffer` for a file of 1,000 writes with these columns besides.
fn buffers(columns: &str, cells: &str, more: &[(&'static str, &str)]) -> Vec<String> {
    let posix = format!(
        "file rank writes bytes_written consec_writes seq_writes opens {columns}
        /out 0 1000 100000 999 999 1 {cells}"
    );
    let mut tables = vec![("posix", table(&posix))];
    tables.extend(more.iter().map(|(name, text)| (*name, table(text))));
    let findings = vec![finding("posix/small-requests", &[file("/out")])];
    let plan = plan(&["program/write_buffer"], &tables, findings);
    plan.settings.into_iter().map(|setting| setting.line).collect()
}

#[test]
fn writes_that_follow_each_other_are_buffered() {
    assert_eq!(buffers("rw_switches", "0", &[]), ["write_buffer 65536 */out"]);
    assert_eq!(buffers("rw_switches", "900", &[]), ["write_buffer 65536 */out"]);
}

#[test]
fn a_file_that_is_read_between_its_writes_has_no_buffer() {
    assert_eq!(buffers("rw_switches", "1999", &[]), [] as [&str; 0]);
}

#[test]
fn a_stream_that_is_opened_for_each_line_has_no_larger_buffer() {
    let of = |opens: &str| {
        let stdio = format!("file rank opens writes bytes_written\n/out 0 {opens} 10000 400000");
        let findings = vec![finding("stdio/bulk-data", &[])];
        values(&plan(&["stdio/"], &[("stdio", table(&stdio))], findings)).into_values().next()
    };
    assert_eq!(of("1"), Some(number(256 << 10)));
    assert_eq!(of("10000"), None);
}

/// The line of `mpi_collect` for two ranks of one node: calls, bytes and seconds of both.
fn collected(calls: &str, bytes: &str, seconds: &str, fs_type: &str) -> Option<String> {
    let mpiio = format!(
        "file rank indep_writes bytes_written f_write_time
        /out -1 {calls} {bytes} {seconds}"
    );
    let names = format!("file mount fs_type\n/out /data {fs_type}");
    let tables = [
        ("mpiio", table(&mpiio)),
        ("file", table(&names)),
        ("job", table("nprocs run_time_s\n2 10")),
    ];
    let findings = vec![finding("mpiio/small-independent-writes", &[file("/out")])];
    plan(&["program/mpi_collect"], &tables, findings).settings.pop().map(|setting| setting.line)
}

#[test]
fn writes_that_take_longer_than_an_exchange_are_made_together() {
    // 8,000 writes of 4 KB: 200 µs each, which a lock or a network takes.
    let line = Some("mpi_collect 16777216".to_owned());
    assert_eq!(collected("8000", "32000000", "1.6", "nfs"), line);
    assert_eq!(collected("8000", "32000000", "1.6", "ext4"), line);
}

#[test]
fn writes_that_the_page_cache_takes_at_once_stay_as_they_are() {
    // 8 µs each.
    assert_eq!(collected("8000", "32000000", "0.064", "ext4"), None);
    assert_eq!(collected("8000", "32000000", "0.064", "nfs"), None);
}

#[test]
fn bytes_that_one_aggregator_would_have_to_write_count() {
    // 400 writes of 10 MB at 1 GB/s a rank.
    assert_eq!(collected("400", "4000000000", "4.0", "lustre"), None);
}

#[test]
fn tiny_collective_calls_that_take_less_than_an_exchange_are_not_merged() {
    let of = |seconds: &str| {
        let mpiio = format!(
            "file rank coll_writes bytes_written f_write_time
            /out -1 96000 768000 {seconds}"
        );
        let findings = vec![finding("mpiio/unmerged-collectives", &[file("/out")])];
        plan(&["romio/romio_cb_write"], &[("mpiio", table(&mpiio))], findings).settings.len()
    };
    assert_eq!(of("0.2"), 0, "2 µs each");
    assert_eq!(of("96"), 1, "1 ms each");
}

#[test]
fn large_calls_are_made_together_where_they_consist_of_small_pieces() {
    let mpiio = "file rank indep_writes bytes_written f_write_time\n/out -1 100 100000000 2.0";
    let of = |posix: &str| {
        let posix = format!("file rank writes bytes_written\n/out -1 {posix}");
        let tables = [
            ("mpiio", table(mpiio)),
            ("posix", table(&posix)),
            ("job", table("nprocs run_time_s\n2 10")),
        ];
        let findings = vec![finding("mpiio/no-collective-calls", &[file("/out")])];
        plan(&["program/mpi_collect"], &tables, findings).settings.len()
    };
    assert_eq!(of("25000 100000000"), 1, "pieces of 4 KB");
    assert_eq!(of("100 100000000"), 0, "each call is one request");
    assert_eq!(of("100 200000000"), 1, "each call writes its holes back");
}

#[test]
fn writes_that_wait_for_the_disk_one_by_one_have_a_setting_that_needs_a_yes() {
    // O_SYNC of Linux, with O_CREAT and O_WRONLY.
    let of = |flags: &str| {
        let call = format!(
            "file rank process layer op start_s end_s size_bytes offset_bytes aux
            /out 0 0 posix open 0 0.001 - - {flags}
            /out 0 0 posix write 0.001 0.011 100 0 -"
        );
        let posix = "file rank writes bytes_written f_write_time fsyncs\n/out 0 1 100 0.01 0";
        let tables = [("call", table(&call)), ("posix", table(posix))];
        let findings = vec![finding("posix/synchronous-writes", &[file("/out")])];
        plan(&["program/no_fsync"], &tables, findings).settings.len()
    };
    assert_eq!(of("1052737"), 1);
    assert_eq!(of("65"), 0);
}
