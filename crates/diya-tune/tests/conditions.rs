//! Conditions of settings: what fails is no setting, what is not known is off in its file.

use crate::support::{NODES, file, finding, one_stripe, plan, table};
use diya_tune::{Library, Plan, written};

/// Collective writes by one record for each rank, or by none that tells ranks apart.
fn hdf5_transfers(records: &str) -> Plan {
    let mpiio = format!("file rank indep_writes bytes_written\n{records}");
    let job = "nprocs run_time_s\n2 10";
    let findings = vec![finding("hdf5/independent-transfers", &[file("/out.h5")])];
    plan(&["hdf5/collective_transfers"], &[("mpiio", table(&mpiio)), ("job", table(job))], findings)
}

#[test]
fn a_condition_that_holds_is_not_asked() {
    let plan = hdf5_transfers("/out.h5 0 100 400000\n/out.h5 1 100 400000");
    let chosen = &plan.settings[0];
    assert!(!chosen.is_off);
    assert_eq!(chosen.condition, None);
}

#[test]
fn a_condition_that_fails_is_the_reason_for_no_setting() {
    let plan = hdf5_transfers("/out.h5 0 100 400000\n/out.h5 1 99 400000");
    assert_eq!(plan.settings, []);
    let why = &plan.without[0].why;
    assert!(why.contains("not hold for this job that all ranks make the same number"), "{why}");
    // A rank that makes none at all has no record.
    assert_eq!(hdf5_transfers("/out.h5 0 100 400000").settings, []);
}

#[test]
fn a_condition_that_the_log_does_not_tell_makes_a_setting_that_is_off() {
    let plan = hdf5_transfers("/out.h5 -1 200 800000");
    let chosen = &plan.settings[0];
    assert!(chosen.is_off);
    assert_eq!(chosen.condition.as_deref(), Some("all ranks make the same number of calls."));
    let library = Library::built_in().expect("the settings");
    let files = written(&plan, &library).expect("files");
    let code = files.iter().find(|file| file.name == "hdf5.c").expect("a file");
    let lines: Vec<&str> = chosen.line.lines().collect();
    assert!(lines.iter().all(|line| !code.text.lines().any(|of| of == *line)), "{}", code.text);
    assert!(lines.iter().all(|line| code.text.contains(&format!("// {line}"))), "{}", code.text);
    assert!(code.text.contains("To be tried"), "{}", code.text);
}

#[test]
fn what_is_off_reaches_no_program() {
    let mpiio = "file rank indep_writes bytes_written\n/out -1 100 100000000";
    let findings = vec![finding("mpiio/read-modify-write", &[file("/out")])];
    let plan = plan(&["romio/romio_ds_write"], &[("mpiio", table(mpiio))], findings);
    assert!(plan.settings[0].is_off, "sizes of pieces are in no log");
    let library = Library::built_in().expect("the settings");
    let files = written(&plan, &library).expect("files");
    let hints = files.iter().find(|file| file.name == "romio-hints.txt").expect("hints");
    let active = hints.text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    assert_eq!(active.count(), 0, "{}", hints.text);
    assert!(hints.text.contains("\n# romio_ds_write disable\n"), "{}", hints.text);
}

#[test]
fn a_line_of_all_settings_leaves_out_what_is_off() {
    let tables = [("rank_host", table(NODES))];
    let findings = vec![finding("mpiio/waiting-collectives", &[file("/out")])];
    let plan = plan(&["cray/cray_cb"], &tables, findings);
    let library = Library::built_in().expect("the settings");
    for file in written(&plan, &library).expect("files") {
        let active = file.text.lines().any(|line| line.starts_with("export"));
        assert!(!active || file.name == "tune.toml", "{}", file.text);
    }
    assert!(plan.settings.iter().all(|setting| setting.is_off), "{:?}", plan.settings);
}

/// Collective writes of 4 KiB each, and of a few large ones besides.
fn merged(large: &str) -> Plan {
    let mpiio = format!(
        "file rank coll_writes bytes_written size_read_agg_4m_10m size_write_agg_4m_10m
        /out -1 1000 4096000 0 {large}"
    );
    let findings = vec![finding("mpiio/unmerged-collectives", &[file("/out")])];
    plan(&["romio/romio_cb_write"], &[("mpiio", table(&mpiio))], findings)
}

#[test]
fn a_loss_that_the_log_does_not_exclude_is_said_first() {
    let chosen = &merged("3").settings[0];
    assert!(chosen.can_be_slower);
    assert_eq!((chosen.saving_low_s, chosen.saving_high_s), (None, Some(3.0)));
    let chosen = &merged("0").settings[0];
    assert!(!chosen.can_be_slower);
    assert_eq!(chosen.saving_low_s, Some(1.0));
    assert!(chosen.harm.iter().all(|words| !words.contains("a stripe or more")), "{chosen:?}");
}

#[test]
fn a_folder_with_large_files_only_makes_no_small_one_slower() {
    let path = "/scratch/run/out";
    let findings = vec![finding("lustre/single-stripe", &[file(path)])];
    let plan = plan(&["lustre/stripe_count"], &one_stripe(path), findings);
    assert!(!plan.settings[0].can_be_slower, "{:?}", plan.settings[0]);
}

#[test]
fn the_chunk_cache_is_for_files_that_mpi_io_does_not_write() {
    let sets = "file rank reads dataspace_ndims dataspace_npoints datatype_size chunk_size_d1 chunk_size_d2
        /in.h5 0 4000 2 1048576 8 128 128";
    let of = |mpiio: &str, posix: &str| {
        let mpiio = format!("file rank bytes_written bytes_read\n{mpiio}");
        let posix = format!("file rank reads\n{posix}");
        let tables =
            [("hdf5_dataset", table(sets)), ("mpiio", table(&mpiio)), ("posix", table(&posix))];
        let findings = vec![finding("hdf5/misfit-chunks", &[file("/in.h5")])];
        let plan = plan(&["hdf5/chunk_cache"], &tables, findings);
        plan.settings.first().map(|setting| setting.is_off)
    };
    assert_eq!(of("", "/in.h5 0 4000"), Some(false), "one process");
    assert_eq!(of("/in.h5 -1 0 32000000", "/in.h5 -1 4000"), Some(false), "all only read it");
    assert_eq!(of("/in.h5 -1 1000 0", "/in.h5 -1 4000"), None, "MPI-IO writes it");
    assert_eq!(of("", "/in.h5 -1 4000"), Some(true), "several processes, and nobody saw MPI-IO");
}

#[test]
fn the_opposite_of_a_condition_is_asked_with_the_same_statement() {
    // Each rank writes a range of its own, or the ranks take turns of 8 MB.
    let of = |offsets: [i64; 4]| {
        let mut call =
            "file rank process layer op function start_s end_s size_bytes offset_bytes is_collective".to_owned();
        for (at, offset) in offsets.iter().enumerate() {
            let (rank, start) = (at % 2, at / 2);
            let end = start + 1;
            call += &format!(
                "\n/out {rank} {rank} mpiio write MPI_File_write_at_all {start} {end} 8000000 {offset} true"
            );
        }
        let mpiio = "file rank coll_writes bytes_written\n/out 0 2 16000000\n/out 1 2 16000000";
        let tables = [("call", table(&call)), ("mpiio", table(mpiio))];
        let findings = vec![finding("mpiio/collective-request-split", &[file("/out")])];
        let plan = plan(&["romio/cb_write_off"], &tables, findings);
        plan.settings.first().map(|setting| setting.is_off)
    };
    assert_eq!(of([0, 16_000_000, 8_000_000, 24_000_000]), Some(false), "contiguous parts");
    assert_eq!(of([0, 8_000_000, 16_000_000, 24_000_000]), None, "parts that interleave");
}
