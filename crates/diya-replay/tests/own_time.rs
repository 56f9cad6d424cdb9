//! What goes with dropped requests beside their own time.

use crate::common::planned;
use diya_replay::Operation;

#[test]
fn nothing_lies_between_failed_opens() {
    let plan = planned(
        r#"
        1 000000 openat(AT_FDCWD, "/d/one", O_RDONLY) = -1 ENOENT (No such file or directory)
        1 000100 openat(AT_FDCWD, "/d/two", O_RDONLY) = -1 ENOENT (No such file or directory)
        1 000300 openat(AT_FDCWD, "/d/three", O_RDONLY) = 3</d/three>
        1 000400 close(3</d/three>) = 0
    "#,
        "drop-failed",
    );
    let open = plan.lanes[0][0];
    // 190 microseconds before the open that is made; 90 between the two others are theirs.
    assert!((open.gap_s - 190e-6).abs() < 1e-6, "{open:?}");
}

#[test]
fn computing_between_two_files_stays() {
    let plan = planned(
        r#"
        1 000000 openat(AT_FDCWD, "/d/1", O_WRONLY|O_CREAT, 0644) = 3</d/1>
        1 000100 close(3</d/1>) = 0
        1 000300 openat(AT_FDCWD, "/d/2", O_WRONLY|O_CREAT, 0644) = 3</d/2>
        1 000400 close(3</d/2>) = 0
        1 000500 unlink("/d/1") = 0
        1 000600 unlink("/d/2") = 0
        1 000700 stat("/d", {...}) = 0
    "#,
        "drop-temporary",
    );
    let stat = plan.lanes[0].last().unwrap();
    // From the close of the first to the open of the second, and before the stat.
    assert_eq!((stat.operation, plan.lanes[0].len()), (Operation::Stat, 1));
    assert!((stat.gap_s - 280e-6).abs() < 1e-6, "{stat:?}");
}

#[test]
fn a_lock_goes_with_the_write_behind_it() {
    let calls = r#"
        1 000000 openat(AT_FDCWD, "/d/a", O_RDWR|O_CREAT, 0644) = 3</d/a>
        2 000050 openat(AT_FDCWD, "/d/a", O_RDWR|O_CREAT, 0644) = 3</d/a>
        1 000100 flock(3</d/a>, LOCK_EX) = 0
        1 000200 pwrite64(3</d/a>, "..."..., 10, 0) = 10
        2 000300 pwrite64(3</d/a>, "..."..., 10, 10) = 10
        1 000400 close(3</d/a>) = 0
        2 000500 close(3</d/a>) = 0
    "#;
    let close = planned(calls, "aggregate").lanes[0][1];
    assert_eq!(close.operation, Operation::Close);
    // 190 microseconds before the write, 10 of them for the lock, and 190 behind it.
    assert!((close.gap_s - 370e-6).abs() < 1e-6, "{close:?}");
    let write = planned(calls, "").lanes[0][1];
    assert!((write.gap_s - 190e-6).abs() < 1e-6, "{write:?}");
}

#[test]
fn what_is_asked_after_an_open_goes_with_it() {
    let calls: String = (0..2)
        .map(|step| {
            let (at, offset) = (step * 1000, step * 10);
            format!(
                "1 {at:06} openat(AT_FDCWD, \"/d/log\", O_RDWR|O_CREAT, 0644) = 3</d/log>\n\
                 1 {:06} fstat(3</d/log>, {{...}}) = 0\n\
                 1 {:06} lseek(3</d/log>, {offset}, SEEK_SET) = {offset}\n\
                 1 {:06} write(3</d/log>, \"...\"..., 10) = 10\n\
                 1 {:06} fstat(3</d/log>, {{...}}) = 0\n\
                 1 {:06} close(3</d/log>) = 0\n",
                at + 100,
                at + 200,
                at + 300,
                at + 400,
                at + 500
            )
        })
        .collect();
    let plan = planned(&calls, "batch-metadata");
    let operations: Vec<Operation> =
        plan.lanes[0].iter().map(|request| request.operation).collect();
    use Operation::{Close, Fstat, Open, Seek, Write};
    assert_eq!(operations, [Open, Fstat, Seek, Write, Fstat, Write, Fstat, Close]);
}
