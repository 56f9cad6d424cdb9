//! Logs that are small enough to read, replayed in a folder for the test.

use diya::OpenOptions;
use diya::input::{Input, logs};
use diya_replay::{
    Gaps, Initial, Operation, Plan, ReplayError, ReplayFolder, Share, Summary, clean, estimate,
    plan, predict, prepare_files, prepare_folders, read, run, summary,
};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

fn go_on() -> bool {
    false
}

/// The plan of a text of strace: lines `PID MICROSECONDS CALL`, each call takes 10 microseconds.
fn planned(calls: &str) -> Plan {
    try_plan(calls).unwrap()
}

fn try_plan(calls: &str) -> Result<Plan, ReplayError> {
    let mut text = String::new();
    for line in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let [pid, at, call] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let at: u64 = at.parse().unwrap();
        text += &format!("{pid} 1700000000.{at:06} {call} <0.000010>\n");
    }
    let input = Input::from_bytes("calls.strace", text.into_bytes());
    let plan = plan(read(&input, &OpenOptions::default())?, &[], 1);
    plan.check_lanes()?;
    Ok(plan)
}

fn of_corpus(name: &str) -> Plan {
    let path = diya_testkit::root().join("corpus/logs").join(name);
    let input = logs(&[path]).unwrap().remove(0);
    plan(read(&input, &OpenOptions::default()).unwrap(), &[], 1)
}

/// Replays without gaps in a folder that is empty afterwards.
fn replayed(plan: &Plan) -> Summary {
    let folder = tempfile::tempdir().unwrap();
    let done = replay_in(plan, folder.path());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "files are left");
    done
}

fn replay_in(plan: &Plan, folder: &Path) -> Summary {
    let replay_folder = ReplayFolder::make(folder).unwrap();
    prepare_folders(plan, &replay_folder, &go_on).unwrap();
    prepare_files(plan, &replay_folder, Share::All, false, &go_on).unwrap();
    summary(plan, &run(plan, &replay_folder, Gaps::Drop, None, &go_on).unwrap())
}

const CHECKPOINT: &str = r#"
    1 000000 mkdir("/data/out", 0755) = 0
    1 000100 openat(AT_FDCWD, "/data/out/a", O_RDWR|O_CREAT|O_TRUNC, 0644) = 3</data/out/a>
    1 000200 write(3</data/out/a>, "..."..., 5000) = 5000
    1 000300 fsync(3</data/out/a>) = 0
    1 000400 pread64(3</data/out/a>, "..."..., 6000, 1000) = 4000
    1 000500 close(3</data/out/a>) = 0
    1 000600 stat("/data/in", {...}) = 0
    1 000700 openat(AT_FDCWD, "/data/in", O_RDONLY) = 3</data/in>
    1 000800 read(3</data/in>, "..."..., 70000) = 70000
    1 000900 close(3</data/in>) = 0
    1 001000 openat(AT_FDCWD, "/data/none", O_RDONLY) = -1 ENOENT (No such file or directory)
    1 001100 unlink("/data/out/a") = 0
    1 001200 rmdir("/data/out") = 0
"#;

#[test]
fn calls_and_bytes_equal_those_of_the_recording() {
    let plan = planned(CHECKPOINT);
    let estimate = estimate(&plan);
    assert_eq!((estimate.calls, estimate.prepared_files, estimate.prepared_bytes), (13, 1, 70_000));
    assert_eq!((estimate.read_bytes, estimate.written_bytes), (74_000, 5_000));
    let done = replayed(&plan);
    assert!(done.is_equal, "{done:#?}");
    assert_eq!((done.different_calls, done.left_out.len()), (0, 0), "{done:#?}");
    let classes: Vec<(&str, u64, u64)> =
        done.classes.iter().map(|c| (c.class.as_str(), c.issued_calls, c.issued_bytes)).collect();
    assert_eq!(
        classes,
        [("read", 2, 74_000), ("write", 1, 5_000), ("sync", 1, 0), ("metadata", 9, 0)]
    );
}

#[test]
fn logs_of_the_corpus_are_replayed_call_by_call() {
    for (name, calls, bytes) in [
        ("ior_posix_random.darshan", 8_192, 32 << 20),
        ("ior_mpiio_indep_strided.darshan", 1_024, 32 << 20),
        ("fsync_many.darshan", 4_000, 4_000 * 512),
        ("limit_files_default.darshan", 1_576, 1_576 * 100),
    ] {
        let done = replayed(&of_corpus(name));
        assert!(done.is_equal && done.different_calls == 0, "{name}: {done:#?}");
        assert_eq!(done.classes.iter().map(|c| c.issued_calls).sum::<u64>(), calls, "{name}");
        assert_eq!(done.classes.iter().map(|c| c.issued_bytes).sum::<u64>(), bytes, "{name}");
    }
}

#[test]
fn a_log_of_counters_says_what_can_be_replayed() {
    let path = diya_testkit::root().join("corpus/logs/nodxt_strided.darshan");
    let input = logs(&[path]).unwrap().remove(0);
    let error = read(&input, &OpenOptions::default()).unwrap_err().to_string();
    assert!(error.contains("only counters") && error.contains("DXT"), "{error}");
}

#[test]
fn calls_on_pipes_alone_cannot_be_replayed() {
    let error = try_plan(r#"1 000000 write(1<pipe:[77]>, "..."..., 10) = 10"#).unwrap_err();
    assert!(
        matches!(error, ReplayError::NothingToIssue { .. } | ReplayError::NoCalls(_)),
        "{error}"
    );
}

/// Another process reads what the first one writes: it waits, also without gaps.
#[test]
fn a_reader_waits_for_the_writer() {
    let plan = planned(
        r#"
        1 000000 openat(AT_FDCWD, "/s/token", O_WRONLY|O_CREAT|O_EXCL, 0644) = 3</s/token>
        2 000005 stat("/s/other", {...}) = 0
        1 000100 write(3</s/token>, "..."..., 100) = 100
        1 000200 write(3</s/token>, "..."..., 8000000) = 8000000
        1 000300 close(3</s/token>) = 0
        2 000400 openat(AT_FDCWD, "/s/token", O_RDONLY) = 3</s/token>
        2 000500 read(3</s/token>, "..."..., 8000100) = 8000100
        2 000600 close(3</s/token>) = 0
        1 000700 stat("/s/other", {...}) = 0
        2 000800 unlink("/s/token") = 0
    "#,
    );
    assert_eq!(plan.lanes.len(), 2);
    assert!(plan.waits.len() >= 2, "{:?}", plan.waits);
    for _ in 0..5 {
        let done = replayed(&plan);
        assert!(done.is_equal && done.different_calls == 0, "{done:#?}");
    }
}

/// A thread writes through the descriptor that another one opens and closes.
#[test]
fn threads_of_a_process_share_descriptors() {
    let mut csv = "start,duration,function,path,thread,size,offset\n".to_owned();
    let rows = [
        (0, "open", 1, 0, 0),
        (100, "pwrite", 2, 4_000_000, 0),
        (100, "pwrite", 3, 4_000_000, 4_000_000),
        (300, "close", 1, 0, 0),
    ];
    for (at, function, thread, size, offset) in rows {
        csv += &format!("{at},10,{function},/d/a,{thread},{size},{offset}\n");
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("calls.csv"), csv).unwrap();
    let mapping = folder.path().join("calls.toml");
    let columns = r#"
        format = "diya-mapping-1"
        file = "calls.csv"
        layer = "posix"
        [columns]
        start = { column = "start", unit = "us" }
        duration = { column = "duration", unit = "us" }
        function = "function"
        path = "path"
        thread = "thread"
        size = { column = "size", unit = "B" }
        offset = { column = "offset", unit = "B" }
    "#;
    std::fs::write(&mapping, columns).unwrap();
    let input = logs(&[mapping]).unwrap().remove(0);
    let plan = plan(read(&input, &OpenOptions::default()).unwrap(), &[], 1);
    assert_eq!(plan.lanes.len(), 3);
    for _ in 0..5 {
        let done = replayed(&plan);
        assert!(done.is_equal && done.different_calls == 0, "{done:#?}");
    }
}

/// One process reads to the end before another one adds to the file.
#[test]
fn what_grows_a_file_waits_for_who_found_its_end() {
    let plan = planned(
        r#"
        1 000000 openat(AT_FDCWD, "/s/a", O_RDWR|O_CREAT|O_TRUNC, 0644) = 3</s/a>
        2 000050 openat(AT_FDCWD, "/s/a", O_RDWR|O_CREAT, 0644) = 3</s/a>
        1 000100 pwrite64(3</s/a>, "..."..., 1000, 0) = 1000
        2 000200 pread64(3</s/a>, "..."..., 5000000, 0) = 1000
        2 000250 pread64(3</s/a>, "", 5000000, 9000) = 0
        1 000300 pwrite64(3</s/a>, "..."..., 5000000, 1000) = 5000000
        2 000400 pread64(3</s/a>, "..."..., 5000000, 0) = 5000000
        1 000500 close(3</s/a>) = 0
        2 000600 close(3</s/a>) = 0
    "#,
    );
    assert_eq!(plan.initial, [Initial::Absent]);
    for _ in 0..5 {
        let done = replayed(&plan);
        assert!(done.is_equal && done.different_calls == 0, "{done:#?}");
    }
}

#[test]
fn processes_one_after_the_other_share_a_thread() {
    let calls: String = (0..100)
        .map(|pid| format!("{} {:06} stat(\"/d/f\", {{...}}) = 0\n", 100 + pid, pid * 100))
        .collect();
    assert_eq!(planned(&calls).lanes.len(), 1);
    let at_once: String = (0..100)
        .flat_map(|pid| [(pid, pid), (pid, 500 + pid)])
        .map(|(pid, at)| format!("{} {at:06} stat(\"/d/f\", {{...}}) = 0\n", 100 + pid))
        .collect();
    let error = try_plan(&at_once).unwrap_err();
    assert!(
        matches!(error, ReplayError::TooManyRanks { needed: 100, most: 64, nodes: 2 }),
        "{error}"
    );
}

#[test]
fn hostile_paths_stay_below_the_folder() {
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().join("target");
    std::fs::write(&target, "untouched").unwrap();
    let inside = tempfile::tempdir().unwrap();
    let up = "../".repeat(30);
    let (target_text, outside_text) = (target.display(), outside.path().display());
    let calls = format!(
        r#"
        1 000000 openat(AT_FDCWD, "/d/{up}{target_text}", O_WRONLY|O_CREAT|O_TRUNC, 0644) = 3</d/{up}{target_text}>
        1 000100 write(3</d/{up}{target_text}>, "..."..., 10) = 10
        1 000200 close(3</d/{up}{target_text}>) = 0
        1 000300 symlink("{outside_text}", "/d/link") = 0
        1 000400 openat(AT_FDCWD, "/d/link/target", O_WRONLY|O_CREAT|O_TRUNC, 0644) = 3</d/link/target>
        1 000500 write(3</d/link/target>, "..."..., 10) = 10
        1 000600 close(3</d/link/target>) = 0
        1 000700 unlink("{target_text}") = 0
        1 000800 rename("{up}{target_text}", "/d/x") = 0
    "#
    );
    let done = replay_in(&planned(&calls), inside.path());
    assert!(done.is_equal, "{done:#?}");
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "untouched");
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1);
    assert_eq!(std::fs::read_dir(inside.path()).unwrap().count(), 0);
}

/// Names that are both file and folder, sizes that cannot be: nothing panics or hangs.
#[test]
fn impossible_logs_end() {
    let plan = planned(
        r#"
        1 000000 openat(AT_FDCWD, "/a", O_WRONLY|O_CREAT, 0644) = 3</a>
        1 000100 write(3</a>, "..."..., 10) = 10
        1 000200 openat(AT_FDCWD, "/a/b", O_RDONLY) = 4</a/b>
        1 000300 read(4</a/b>, "..."..., 10) = 10
        1 000400 close(9</never/opened>) = 0
        1 000500 fstat(9</never/opened>, {...}) = 0
        1 000600 rmdir("/a") = 0
    "#,
    );
    let done = replayed(&plan);
    assert_eq!(done.classes.iter().map(|c| c.issued_calls).sum::<u64>(), 7);
    let huge = planned(
        r#"
        1 000000 openat(AT_FDCWD, "/a", O_RDONLY) = 3</a>
        1 000100 pread64(3</a>, "..."..., 4096, 1000000000000000) = 4096
    "#,
    );
    assert_eq!(huge.initial, [Initial::File(1_000_000_000_004_096)]);
    let folder = tempfile::tempdir().unwrap();
    let error = diya_replay::check_space(&huge, folder.path()).unwrap_err().to_string();
    assert!(error.contains("needed") && error.contains("--ranks"), "{error}");
}

#[test]
fn clean_removes_what_a_killed_replay_left_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let mut killed = ReplayFolder::make(folder.path()).unwrap();
    killed.keep();
    std::fs::write(killed.files().join("data"), "data").unwrap();
    let of_others = folder.path().join("diya-replay-mine");
    std::fs::create_dir(&of_others).unwrap();
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("lock"), "").unwrap();
    std::os::unix::fs::symlink(outside.path(), folder.path().join("diya-replay-1-0")).unwrap();

    let cleaned = clean(folder.path()).unwrap();
    assert_eq!((cleaned.removed.len(), cleaned.in_use.len()), (0, 1), "it is still locked");
    drop(killed);
    let cleaned = clean(folder.path()).unwrap();
    assert_eq!((cleaned.removed.len(), cleaned.in_use.len()), (1, 0));
    assert!(of_others.exists() && outside.path().join("lock").exists());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn a_stop_ends_the_replay_and_removes_its_files() {
    let calls: String =
        (0..50).map(|at| format!("1 {:06} stat(\"/d/f\", {{...}}) = 0\n", at * 10_000)).collect();
    let (plan, folder) = (planned(&calls), tempfile::tempdir().unwrap());
    let stop = AtomicBool::new(false);
    let replay_folder = ReplayFolder::make(folder.path()).unwrap();
    prepare_folders(&plan, &replay_folder, &go_on).unwrap();
    prepare_files(&plan, &replay_folder, Share::All, false, &go_on).unwrap();
    let is_over = || stop.load(Ordering::Relaxed);
    let done = std::thread::scope(|scope| {
        let run =
            scope.spawn(|| run(&plan, &replay_folder, Gaps::Times(10.0), None, &is_over).unwrap());
        stop.store(true, Ordering::SeqCst);
        run.join().unwrap()
    });
    assert!(!summary(&plan, &done).is_equal);
    drop(replay_folder);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn the_log_of_a_replay_holds_its_calls() {
    let (plan, folder) = (planned(CHECKPOINT), tempfile::tempdir().unwrap());
    let replay_folder = ReplayFolder::make(folder.path()).unwrap();
    prepare_folders(&plan, &replay_folder, &go_on).unwrap();
    prepare_files(&plan, &replay_folder, Share::All, true, &go_on).unwrap();
    let began = std::time::SystemTime::now();
    let done = run(&plan, &replay_folder, Gaps::Drop, None, &go_on).unwrap();
    let log = diya_replay::record(&plan, &done, &replay_folder.files(), began).unwrap();
    let again = read(&Input::from_bytes("replay.diya", log), &OpenOptions::default()).unwrap();
    let moved = |operation: Operation| {
        let steps = again.steps.iter().filter(|step| step.operation == operation);
        steps.map(|step| step.bytes).collect::<Vec<_>>()
    };
    assert_eq!(
        (moved(Operation::Read), moved(Operation::Write)),
        (vec![4_000, 70_000], vec![5_000])
    );
    assert_eq!(again.steps.len(), 13);
    assert!(again.files.iter().all(|file| file.path.starts_with(folder.path().to_str().unwrap())));
    let failed = again.steps.iter().filter(|step| step.has_failed).count();
    assert_eq!(failed, 1, "the open of /data/none");
}

#[test]
fn a_prediction_of_the_unchanged_plan_is_the_recording() {
    let plan = planned(CHECKPOINT);
    let predicted = predict(&plan, Gaps::Times(1.0));
    let told = summary(&plan, &predicted);
    assert!(told.is_equal, "{told:#?}");
    // 13 calls of 10 microseconds at 0 to 1200 microseconds.
    assert!((predicted.elapsed_s - 1_210e-6).abs() < 1e-6, "{}", predicted.elapsed_s);
    let dropped = predict(&plan, Gaps::Drop).elapsed_s;
    assert!((dropped - 130e-6).abs() < 1e-6, "{dropped}");
}
