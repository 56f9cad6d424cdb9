//! Settings for file systems, libraries and batch systems, over small tables.

use crate::support::{file, finding, one_stripe, plan, table};
use diya_tables::record_id;
use diya_tune::{Library, written};
use std::collections::BTreeSet;

/// Nearly every access is flushed: the cache would save nothing, and each flush goes through it.
#[test]
fn a_file_that_is_flushed_often_gets_no_chunk_cache() {
    let sets = "file rank file_rec_id dataspace_ndims dataspace_npoints datatype_size \
        chunk_size_d1 chunk_size_d2 bytes_written writes
        /out.h5:d 0 FILE 2 1920000 8 64 32 15360000 60000"
        .replace("FILE", &record_id(b"/out.h5").to_string());
    let of = |flushes: u32| {
        let files = format!("file rank flushes\n/out.h5 0 {flushes}");
        let tables = [("hdf5_dataset", table(&sets)), ("hdf5_file", table(&files))];
        let findings = vec![finding("hdf5/misfit-chunks", &[file("/out.h5")])];
        plan(&["hdf5/chunk_cache"], &tables, findings).settings.len()
    };
    assert_eq!((of(60_000), of(15)), (0, 0));
    assert_eq!((of(14), of(0)), (1, 1), "more than 1 MiB between two flushes");
}

#[test]
fn netcdf_has_its_own_calls() {
    let sets = "file rank file_rec_id dataspace_ndims dataspace_npoints datatype_size chunk_size_d1 chunk_size_d2 reads
        /in.nc:d 0 FILE 2 8388608 8 128 128 4000"
        .replace("FILE", &record_id(b"/in.nc").to_string());
    let posix = "file rank writes file_not_aligned file_alignment\n/in.nc -1 1000 900 16777216";
    let findings = ["hdf5/misfit-chunks", "gpfs/requests-below-block"];
    let findings = findings.map(|id| finding(id, &[file("/in.nc")])).to_vec();
    let tables = [("hdf5_dataset", table(&sets)), ("posix", table(posix))];
    let plan = plan(&["netcdf/alignment", "netcdf/chunk_cache"], &tables, findings);
    let lines: BTreeSet<&str> = plan.settings.iter().map(|s| s.line.as_str()).collect();
    let cache = "nc_set_chunk_cache(67108864, 5121, 0.75f);";
    assert_eq!(lines, BTreeSet::from([cache, "nc_set_alignment(1048576, 16777216);"]));
}

#[test]
fn layouts_of_beegfs_and_daos_follow_from_ranks_and_requests() {
    let of = |fs_type: &str, folder: &str, bytes: &str| {
        let posix = format!(
            "file rank bytes_written writes max_byte_written\n/s/out -1 {bytes} 1000 999999999"
        );
        let names = format!("file mount fs_type\n/s/out /s {fs_type}");
        let hosts: String = (0..64).map(|rank| format!("\n{rank} n{rank} DXT_POSIX")).collect();
        let tables = [
            ("posix", table(&posix)),
            ("file", table(&names)),
            ("job", table("nprocs run_time_s\n64 100")),
            ("rank_host", table(&format!("rank host source{hosts}"))),
        ];
        let findings = vec![finding("posix/contended-shared-file", &[file("/s/out")])];
        let plan = plan(&[folder], &tables, findings);
        plan.settings.into_iter().map(|setting| setting.line).collect::<Vec<_>>()
    };
    let beegfs = ["beegfs-ctl --setpattern --numtargets=64 '/s'"];
    assert_eq!(of("beegfs", "beegfs/targets", "1000000000"), beegfs, "one per node");
    assert_eq!(of("lustre", "beegfs/targets", "1000000000"), [""; 0]);
    let daos = ["daos fs set-attr --path='/s' --chunk-size=4194304"];
    assert_eq!(of("fuse.dfuse", "daos/chunk_size", "4000000000"), daos);
    assert_eq!(
        of("fuse.dfuse", "daos/chunk_size", "1000000000"),
        [""; 0],
        "the default holds them"
    );
}

#[test]
fn cray_mpich_gets_the_hints_of_its_library_in_one_variable() {
    let path = "/scratch/run/out";
    let mut tables = one_stripe(path);
    tables
        .push(("mpiio", table(&format!("file rank indep_writes bytes_written\n{path} -1 10 10"))));
    let findings = vec![finding("lustre/single-stripe", &[file(path)])];
    let plan = plan(&["cray/"], &tables, findings);
    let library = Library::built_in().expect("the settings");
    let files = written(&plan, &library).expect("files");
    let script = files.iter().find(|file| file.name == "cray-mpich-hints.sh").expect("a script");
    let script = format!("{}printf %s \"$MPICH_MPIIO_HINTS\"", script.text);
    let said = std::process::Command::new("sh").args(["-c", &script]).output().expect("sh");
    assert_eq!(String::from_utf8_lossy(&said.stdout), "*:striping_factor=6");
}

/// Two tasks of one node: one copies, and both get the variable.
#[test]
fn the_prolog_copies_a_file_once_to_a_node() {
    let place = tempfile::tempdir().expect("a folder");
    let data = place.path().join("it's $(here).bin");
    std::fs::write(&data, "data").expect("a file");
    let path = data.to_str().expect("a plain path");
    let again = "attempts";
    let tables = |path: &str| {
        // Names in small tables have no spaces.
        let mut tables = vec![
            ("posix", table("file rank reads bytes_read max_byte_read\n/F -1 64 256 3")),
            ("file", table("file mount fs_type\n/F / lustre")),
        ];
        for (_, table) in &mut tables {
            let cells = table.rows.iter_mut().flatten().flatten();
            cells.filter(|cell| *cell == "/F").for_each(|cell| *cell = path.to_owned());
        }
        tables
    };
    let plan = plan(&["prolog/"], &tables(path), vec![finding("ml/dataset-reread", &[])]);
    let library = Library::built_in().expect("the settings");
    let files = written(&plan, &library).expect("files");
    let script = files.iter().find(|file| file.name == "task-prolog.sh").expect("a script");
    let stage = place.path().join("stage");
    let counting =
        format!("cp() {{ echo x >> '{}/{again}'; command cp \"$@\"; }}\n", place.path().display());
    let task = || {
        std::process::Command::new("sh")
            .args(["-c", &format!("{counting}{}", script.text)])
            .env("DIYA_STAGE", &stage)
            .env("SLURM_JOB_ID", "1")
            .stdout(std::process::Stdio::piped())
            .spawn()
            .expect("sh")
    };
    for task in [task(), task()] {
        let done = task.wait_with_output().expect("an end");
        let said = String::from_utf8_lossy(&done.stdout);
        assert_eq!(said.trim(), format!("export DIYA_STAGE={}", stage.display()));
    }
    let copied = format!("{}{path}", stage.display());
    assert_eq!(std::fs::read_to_string(copied).expect("the copy"), "data");
    assert_eq!(std::fs::read_to_string(place.path().join(again)).expect("one"), "x\n");
}
