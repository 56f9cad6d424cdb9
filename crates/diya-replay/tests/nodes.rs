//! A replay on several nodes: here each node is a thread with its own plan and connections.

use diya::OpenOptions;
use diya::input::{Input, logs};
use diya_replay::{
    Gaps, Nodes, Outcomes, Plan, ReplayError, ReplayFolder, Share, plan, prepare_files,
    prepare_folders, read, run, summary,
};
use std::path::Path;

fn go_on() -> bool {
    false
}

fn of_corpus(name: &str, nodes: u32) -> Plan {
    let path = diya_testkit::root().join("corpus/logs").join(name);
    let input = logs(&[path]).unwrap().remove(0);
    plan(read(&input, &OpenOptions::default()).unwrap(), &[], nodes)
}

fn of_strace(calls: &str, nodes: u32) -> Plan {
    let mut text = String::new();
    for line in calls.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let [pid, at, call] = line.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let at: u64 = at.parse().unwrap();
        text += &format!("{pid} 1700000000.{at:06} {call} <0.000010>\n");
    }
    let input = Input::from_bytes("calls.strace", text.into_bytes());
    plan(read(&input, &OpenOptions::default()).unwrap(), &[], nodes)
}

/// What node 0 has at the end.
fn on_node(
    plan: &Plan,
    dir: &Path,
    node: u32,
    nodes: u32,
    is_over: &(dyn Fn() -> bool + Sync),
) -> Result<Outcomes, ReplayError> {
    let (group, folder) = match node {
        0 => {
            let folder = ReplayFolder::make_for_nodes(dir, "test")?;
            prepare_folders(plan, &folder, is_over)?;
            let group = (nodes, Some("127.0.0.1"));
            (Nodes::lead(plan, Gaps::Drop, &folder, group, is_over)?, folder)
        }
        _ => Nodes::join(plan, Gaps::Drop, (dir, "test"), node, is_over)?,
    };
    prepare_files(plan, &folder, Share::First(node), false, is_over)?;
    group.meet(is_over)?;
    run(plan, &folder, Gaps::Drop, Some(&group), is_over)
}

/// The same on each of the nodes.
fn on_all(dir: &Path, plans: &[Plan]) -> Vec<Result<Outcomes, ReplayError>> {
    let nodes = plans.len() as u32;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..nodes)
            .zip(plans)
            .map(|(node, plan)| scope.spawn(move || on_node(plan, dir, node, nodes, &go_on)))
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn calls_and_bytes_equal_those_of_the_recording_on_any_number_of_nodes() {
    for name in ["ior_posix_random.darshan", "ior_mpiio_coll_hints.darshan", "rank0_writer.darshan"]
    {
        for nodes in [2, 3] {
            let folder = tempfile::tempdir().unwrap();
            let plans: Vec<Plan> = (0..nodes).map(|_| of_corpus(name, nodes)).collect();
            let mut done = on_all(folder.path(), &plans);
            let first = summary(&plans[0], &done.remove(0).unwrap());
            assert!(first.is_equal && first.different_calls == 0, "{name} {nodes}: {first:#?}");
            done.into_iter().for_each(|other| assert!(other.is_ok(), "{name}: {other:?}"));
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "files are left");
        }
    }
}

/// A process on the other node reads what the first one writes, also without gaps.
#[test]
fn a_reader_waits_for_the_writer_on_another_node() {
    let calls = r#"
        1 000000 openat(AT_FDCWD, "/s/a", O_WRONLY|O_CREAT|O_EXCL, 0644) = 3</s/a>
        2 000005 stat("/s/b", {...}) = 0
        1 000100 write(3</s/a>, "..."..., 4000000) = 4000000
        1 000200 close(3</s/a>) = 0
        2 000300 openat(AT_FDCWD, "/s/a", O_RDONLY) = 3</s/a>
        2 000400 pread64(3</s/a>, "..."..., 4000000, 0) = 4000000
        2 000500 unlink("/s/a") = 0
        1 000600 openat(AT_FDCWD, "/s/a", O_RDONLY) = -1 ENOENT (No such file or directory)
    "#;
    for _ in 0..5 {
        let folder = tempfile::tempdir().unwrap();
        let plans = [of_strace(calls, 2), of_strace(calls, 2)];
        assert_eq!(plans[0].nodes, [0, 1]);
        let done = on_all(folder.path(), &plans).remove(0).unwrap();
        let done = summary(&plans[0], &done);
        assert!(done.is_equal && done.different_calls == 0, "{done:#?}");
    }
}

#[test]
fn a_node_with_another_log_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let plans = [of_corpus("ior_posix_random.darshan", 2), of_corpus("fsync_many.darshan", 2)];
    for done in on_all(folder.path(), &plans) {
        let error = done.unwrap_err().to_string();
        assert!(error.starts_with("node 1 of the replay: has another log"), "{error}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "files are left");
}

#[test]
fn the_end_of_one_node_ends_all() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    let plans =
        [of_corpus("ior_posix_random.darshan", 2), of_corpus("ior_posix_random.darshan", 2)];
    let [first, other] = &plans;
    let error = std::thread::scope(|scope| {
        let first = scope.spawn(move || on_node(first, dir, 0, 2, &go_on));
        // It comes, and is interrupted before it is ready.
        let joined = Nodes::join(other, Gaps::Drop, (dir, "test"), 1, &go_on);
        drop(joined.unwrap());
        first.join().unwrap().unwrap_err().to_string()
    });
    assert!(error.starts_with("node 1 of the replay: ended before"), "{error}");
    assert_eq!(std::fs::read_dir(dir).unwrap().count(), 0, "files are left");
}

#[test]
fn two_replays_of_one_session_do_not_meet() {
    let folder = tempfile::tempdir().unwrap();
    let first = ReplayFolder::make_for_nodes(folder.path(), "a").unwrap();
    let error = ReplayFolder::make_for_nodes(folder.path(), "a").unwrap_err().to_string();
    assert!(error.contains("--session"), "{error}");
    assert!(ReplayFolder::make_for_nodes(folder.path(), "b").is_ok());
    let error = ReplayFolder::make_for_nodes(folder.path(), "../up").unwrap_err().to_string();
    assert!(error.contains("expected letters"), "{error}");
    drop(first);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "files are left");
}
