//! What each transform makes of a small log.

use crate::common::planned;
use diya_replay::{
    Gaps, Operation, Plan, ReplayFolder, Share, Summary, prepare_files, prepare_folders, run,
    summary,
};

fn go_on() -> bool {
    false
}

/// Requests of all ranks: what, where, bytes.
fn requests(plan: &Plan) -> Vec<(Operation, u64, u64)> {
    plan.lanes.iter().flatten().map(|r| (r.operation, r.offset, r.bytes)).collect()
}

/// Requests of one operation of a lane: where, bytes.
fn of_lane(plan: &Plan, lane: usize, operation: Operation) -> Vec<(u64, u64)> {
    let requests = plan.lanes[lane].iter().filter(|request| request.operation == operation);
    requests.map(|request| (request.offset, request.bytes)).collect()
}

fn replayed(plan: &Plan) -> Summary {
    let folder = tempfile::tempdir().unwrap();
    let replay_folder = ReplayFolder::make(folder.path()).unwrap();
    prepare_folders(plan, &replay_folder, &go_on).unwrap();
    prepare_files(plan, &replay_folder, Share::All, false, &go_on).unwrap();
    let done = summary(plan, &run(plan, &replay_folder, Gaps::Drop, None, &go_on).unwrap());
    assert!(done.is_equal && done.different_calls == 0, "{done:#?}");
    done
}

const WRITES: &str = r#"
    1 000000 openat(AT_FDCWD, "/d/a", O_RDWR|O_CREAT, 0644) = 3</d/a>
    1 000100 write(3</d/a>, "..."..., 1000) = 1000
    1 000200 fsync(3</d/a>) = 0
    1 000300 write(3</d/a>, "..."..., 1000) = 1000
    1 000400 write(3</d/a>, "..."..., 1000) = 1000
    1 000500 write(3</d/a>, "..."..., 1000) = 1000
    1 000600 close(3</d/a>) = 0
"#;

#[test]
fn no_fsync_drops_the_call_and_keeps_the_computing() {
    let plan = planned(WRITES, "no-fsync");
    let done = replayed(&plan);
    let sync = done.classes.iter().find(|class| class.class == "sync").unwrap();
    assert_eq!((sync.recorded_calls, sync.planned_calls, sync.issued_calls), (1, 0, 0));
    assert_eq!(done.transforms, ["no-fsync"]);
    // 90 microseconds before the sync, 90 behind it.
    assert!((plan.lanes[0][2].gap_s - 180e-6).abs() < 1e-6, "{:?}", plan.lanes[0][2]);
}

#[test]
fn no_fsync_also_takes_the_durability_of_each_write() {
    let calls = |flags: &str| {
        format!(
            r#"
            1 000000 openat(AT_FDCWD, "/d/a", {flags}, 0644) = 3</d/a>
            1 000100 write(3</d/a>, "..."..., 10) = 10
            1 000200 close(3</d/a>) = 0
        "#
        )
    };
    let flags = |plan: &Plan| plan.lanes[0][0].aux;
    let plain = flags(&planned(&calls("O_WRONLY|O_CREAT"), ""));
    assert!(plain.is_some());
    for durable in ["O_SYNC", "O_DSYNC"] {
        let calls = calls(&format!("O_WRONLY|O_CREAT|{durable}"));
        assert_ne!(flags(&planned(&calls, "")), plain, "{durable}");
        let plan = planned(&calls, "no-fsync");
        assert_eq!(flags(&plan), plain, "{durable}");
        assert!(plan.idle_transforms.is_empty(), "{durable}");
        assert!(plan.lanes[0][1].is_changed, "{durable}");
        replayed(&plan);
    }
}

#[test]
fn what_is_not_there_is_not_asked_for() {
    let calls = r#"
        1 000000 openat(AT_FDCWD, "/d/one/a", O_RDONLY) = -1 ENOENT (No such file or directory)
        1 000100 stat("/d/two/a", 0x7ffd) = -1 ENOENT (No such file or directory)
        1 000200 openat(AT_FDCWD, "/d/lock", O_WRONLY|O_CREAT|O_EXCL, 0644) = -1 EEXIST (File exists)
        1 000300 openat(AT_FDCWD, "/d/three/a", O_RDONLY) = 3</d/three/a>
        1 000400 close(3</d/three/a>) = 0
    "#;
    let operations: Vec<(Operation, bool)> = planned(calls, "drop-failed").lanes[0]
        .iter()
        .map(|request| (request.operation, request.has_failed))
        .collect();
    assert_eq!(
        operations,
        [(Operation::Open, true), (Operation::Open, false), (Operation::Close, false)]
    );
}

#[test]
fn what_is_made_and_removed_is_handed_on_in_memory() {
    let calls = r#"
        1 000000 stat("/d/tmp", 0x7ffd) = -1 ENOENT (No such file or directory)
        1 000100 openat(AT_FDCWD, "/d/tmp", O_WRONLY|O_CREAT, 0644) = 3</d/tmp>
        1 000200 write(3</d/tmp>, "..."..., 10) = 10
        1 000300 close(3</d/tmp>) = 0
        2 000400 openat(AT_FDCWD, "/d/tmp", O_RDONLY) = 3</d/tmp>
        2 000500 read(3</d/tmp>, "..."..., 10) = 10
        1 000600 unlink("/d/tmp") = 0
        2 000700 close(3</d/tmp>) = 0
        1 000800 openat(AT_FDCWD, "/d/old", O_RDONLY) = 3</d/old>
        1 000900 close(3</d/old>) = 0
        1 001000 unlink("/d/old") = 0
    "#;
    let plan = planned(calls, "drop-temporary");
    let operations: Vec<Operation> = requests(&plan).into_iter().map(|request| request.0).collect();
    assert_eq!(operations, [Operation::Open, Operation::Close, Operation::Unlink]);
    replayed(&plan);
}

#[test]
fn larger_requests_are_merged_up_to_the_size_and_never_over_a_sync() {
    let whole = planned(WRITES, "larger-requests");
    let writes = |plan: &Plan| {
        let requests = requests(plan).into_iter().filter(|request| request.0 == Operation::Write);
        requests.map(|(_, offset, bytes)| (offset, bytes)).collect::<Vec<_>>()
    };
    assert_eq!(writes(&whole), [(0, 1_000), (1_000, 3_000)]);
    let done = replayed(&whole);
    let write = done.classes.iter().find(|class| class.class == "write").unwrap();
    assert_eq!((write.recorded_calls, write.issued_calls), (4, 2));
    assert_eq!((write.recorded_bytes, write.issued_bytes), (4_000, 4_000));
    assert_eq!(
        writes(&planned(WRITES, "larger-requests=2000")),
        [(0, 1_000), (1_000, 2_000), (3_000, 1_000)]
    );
    assert_eq!(writes(&planned(WRITES, "no-fsync larger-requests")), [(0, 4_000)]);
}

#[test]
fn writes_of_two_ranks_are_merged_each_for_itself_until_somebody_reads() {
    let plan = planned(
        r#"
        1 000000 openat(AT_FDCWD, "/d/a", O_RDWR|O_CREAT, 0644) = 3</d/a>
        2 000050 openat(AT_FDCWD, "/d/a", O_RDWR|O_CREAT, 0644) = 3</d/a>
        1 000100 pwrite64(3</d/a>, "..."..., 10, 0) = 10
        2 000110 pwrite64(3</d/a>, "..."..., 10, 100) = 10
        1 000200 pwrite64(3</d/a>, "..."..., 10, 10) = 10
        2 000210 pwrite64(3</d/a>, "..."..., 10, 110) = 10
        2 000300 pread64(3</d/a>, "..."..., 20, 0) = 20
        1 000400 pwrite64(3</d/a>, "..."..., 10, 20) = 10
        1 000500 close(3</d/a>) = 0
        2 000600 close(3</d/a>) = 0
    "#,
        "larger-requests",
    );
    let transfers: Vec<_> = requests(&plan).into_iter().filter(|r| r.0.is_transfer()).collect();
    let (read, write) = (Operation::Read, Operation::Write);
    assert_eq!(transfers, [(write, 0, 20), (write, 20, 10), (write, 100, 20), (read, 0, 20)]);
    replayed(&plan);
}

#[test]
fn nothing_is_asked_or_read_twice_before_it_changes() {
    let plan = planned(
        r#"
        1 000000 stat("/d/a", {...}) = 0
        1 000100 stat("/d/a", {...}) = 0
        1 000200 openat(AT_FDCWD, "/d/a", O_RDONLY) = 3</d/a>
        1 000300 read(3</d/a>, "..."..., 100) = 100
        1 000400 close(3</d/a>) = 0
        1 000500 openat(AT_FDCWD, "/d/a", O_RDONLY) = 3</d/a>
        1 000600 read(3</d/a>, "..."..., 100) = 100
        1 000700 close(3</d/a>) = 0
        1 000800 openat(AT_FDCWD, "/d/a", O_WRONLY) = 3</d/a>
        1 000900 write(3</d/a>, "..."..., 7) = 7
        1 001000 close(3</d/a>) = 0
        1 001100 stat("/d/a", {...}) = 0
    "#,
        "drop-redundant",
    );
    let operations: Vec<Operation> = requests(&plan).into_iter().map(|request| request.0).collect();
    use Operation::{Close, Open, Read, Stat, Write};
    assert_eq!(operations, [Stat, Open, Read, Close, Open, Write, Close, Stat]);
    replayed(&plan);
}

#[test]
fn a_file_is_opened_once() {
    let calls: String = (0..3)
        .map(|step| {
            let (at, offset) = (step * 1000, step * 10);
            format!(
                "1 {at:06} openat(AT_FDCWD, \"/d/log\", O_WRONLY|O_CREAT|O_APPEND, 0644) = 3</d/log>\n\
                 1 {:06} pwrite64(3</d/log>, \"...\"..., 10, {offset}) = 10\n\
                 1 {:06} close(3</d/log>) = 0\n",
                at + 100,
                at + 200
            )
        })
        .collect();
    let operations = |transform| -> Vec<Operation> {
        requests(&planned(&calls, transform)).into_iter().map(|request| request.0).collect()
    };
    use Operation::{Close, Open, Write};
    assert_eq!(operations("batch-metadata"), [Open, Write, Write, Write, Close]);
    assert_eq!(operations("batch-metadata larger-requests"), [Open, Write, Close]);
    replayed(&planned(&calls, "batch-metadata"));
}

#[test]
fn aligned_requests_start_at_multiples() {
    let calls = r#"
        1 000000 openat(AT_FDCWD, "/d/a", O_RDWR|O_CREAT, 0644) = 3</d/a>
        1 000100 pwrite64(3</d/a>, "..."..., 3000, 0) = 3000
        1 000200 pwrite64(3</d/a>, "..."..., 5000, 3000) = 5000
        1 000300 pwrite64(3</d/a>, "..."..., 10, 8000) = 10
        1 000400 pread64(3</d/a>, "..."..., 5000, 3000) = 5000
    "#;
    let plan = planned(calls, "align");
    let transfers: Vec<_> = requests(&plan).into_iter().skip(1).map(|r| (r.1, r.2)).collect();
    assert_eq!(transfers, [(0, 3_000), (4_096, 5_000), (12_288, 10), (4_096, 5_000)]);
    replayed(&plan);
}

#[test]
fn files_of_ranks_become_parts_of_one() {
    let calls: String = (0..3)
        .map(|rank| {
            format!(
                "{} {:06} openat(AT_FDCWD, \"/d/out.{rank}\", O_RDWR|O_CREAT|O_TRUNC, 0644) = 3</d/out.{rank}>\n\
                 {} {:06} pwrite64(3</d/out.{rank}>, \"...\"..., 100, 50) = 100\n\
                 {} {:06} close(3</d/out.{rank}>) = 0\n\
                 {} {:06} unlink(\"/d/out.{rank}\") = 0\n",
                rank + 1, rank, rank + 1, 100 + rank, rank + 1, 200 + rank, rank + 1, 300 + rank
            )
        })
        .collect();
    let plan = planned(&calls, "fewer-files");
    let requests = requests(&plan);
    let of = |operation: Operation| {
        requests.iter().filter(|r| r.0 == operation).map(|r| r.1).collect::<Vec<_>>()
    };
    assert_eq!(of(Operation::Write), [50, (1 << 20) + 50, (2 << 20) + 50]);
    assert_eq!((of(Operation::Open).len(), of(Operation::Unlink).len()), (3, 1));
    replayed(&plan);
}

#[test]
fn one_rank_writes_what_all_ranks_wrote() {
    let calls = r#"
        1 000000 openat(AT_FDCWD, "/d/a", O_RDWR|O_CREAT, 0644) = 3</d/a>
        2 000050 openat(AT_FDCWD, "/d/a", O_RDWR|O_CREAT, 0644) = 3</d/a>
        1 000100 pwrite64(3</d/a>, "..."..., 10, 0) = 10
        2 000120 pwrite64(3</d/a>, "..."..., 10, 10) = 10
        1 000200 lseek(3</d/a>, 20, SEEK_SET) = 20
        1 000300 pwrite64(3</d/a>, "..."..., 10, 20) = 10
        2 000350 pwrite64(3</d/a>, "..."..., 10, 90) = 10
        1 000400 fsync(3</d/a>) = 0
        1 000500 pwrite64(3</d/a>, "..."..., 10, 40) = 10
        1 000600 close(3</d/a>) = 0
        2 000700 close(3</d/a>) = 0
    "#;
    let plan = planned(calls, "aggregate");
    let writes = |lane: usize| of_lane(&plan, lane, Operation::Write);
    assert_eq!((writes(0), writes(1)), (vec![(40, 10)], vec![(0, 30), (90, 10)]));
    replayed(&plan);
    // Two aggregators: the extent of the first three writes is divided between them.
    let plan = planned(calls, "collective=2");
    let bytes =
        |lane: usize| of_lane(&plan, lane, Operation::Write).iter().map(|of| of.1).sum::<u64>();
    assert_eq!(bytes(0) + bytes(1), 50);
    assert!(bytes(0) > 10 && bytes(1) > 0, "{} {}", bytes(0), bytes(1));
    replayed(&plan);
}

#[test]
fn one_rank_reads_once_what_all_ranks_read() {
    let calls = r#"
        1 000000 openat(AT_FDCWD, "/d/a", O_RDONLY) = 3</d/a>
        2 000050 openat(AT_FDCWD, "/d/a", O_RDONLY) = 3</d/a>
        1 000100 pread64(3</d/a>, "..."..., 10, 0) = 10
        2 000120 pread64(3</d/a>, "..."..., 10, 10) = 10
        1 000200 pread64(3</d/a>, "..."..., 10, 10) = 10
        2 000300 pread64(3</d/a>, "..."..., 10, 20) = 10
        1 000400 close(3</d/a>) = 0
        2 000500 close(3</d/a>) = 0
    "#;
    let plan = planned(calls, "aggregate");
    let reads = |lane: usize| of_lane(&plan, lane, Operation::Read);
    assert_eq!((reads(0), reads(1)), (vec![(0, 30)], vec![]));
    replayed(&plan);
}
