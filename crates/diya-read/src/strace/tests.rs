//! Lines in, calls out.

use crate::{ReadError, Request, Selection, Serial, read};
use diya_tables::{Call, CallRun, TableId, Tables, file, process, read_issue};

fn of(name: &str, text: &str) -> Result<Tables, ReadError> {
    let source = text.as_bytes().to_vec();
    let mut tables = Tables::new();
    let request = Request {
        source: &source,
        log: 0,
        log_name: name,
        outer_compression: None,
        selection: &Selection::all(),
        workers: &Serial,
    };
    read(&request, &mut tables).map(|()| tables)
}

fn tables(text: &str) -> Tables {
    of("made.strace", text).expect("a text of strace")
}

fn calls(tables: &Tables) -> Vec<(String, CallRun, Call)> {
    let mut all = Vec::new();
    for chunk in tables.calls.chunks() {
        let mut at = 0;
        for run in &chunk.runs {
            for call in at..at + run.len {
                let name = run.function.map_or("", |name| tables.calls.name(name));
                all.push((name.to_string(), *run, chunk.call(call)));
            }
            at += run.len;
        }
    }
    all
}

fn path(tables: &Tables, id: u64) -> Option<String> {
    let files = tables.table(TableId::File)?;
    let row = (0..files.rows()).find(|row| files.u64(file::FILE_ID, *row) == Some(id))?;
    files.str(file::PATH, row).map(str::to_string)
}

fn issues(tables: &Tables) -> Vec<String> {
    let Some(rows) = tables.table(TableId::ReadIssue) else { return Vec::new() };
    (0..rows.rows()).filter_map(|row| Some(rows.str(read_issue::KIND, row)?.into())).collect()
}

/// Offsets of the calls of one function.
fn offsets(tables: &Tables, name: &str) -> Vec<Option<i64>> {
    let calls = calls(tables).into_iter().filter(|(function, ..)| function == name);
    calls.map(|(_, run, call)| run.has_offset.then_some(call.offset_bytes)).collect()
}

const END: &str = "7 1700000009.0 +++ exited with 0 +++\n";

#[test]
fn reads_and_writes_have_the_offset_that_the_calls_before_lead_to() {
    let text = r#"7 1700000000.1 openat(AT_FDCWD</d>, "a", O_RDWR|O_CREAT, 0644) = 3</d/a> <0.000010>
7 1700000000.2 write(3</d/a>, "xy"..., 4096) = 4096 <0.000020>
7 1700000000.3 write(3</d/a>, "xy"..., 4096) = 1000 <0.000020>
7 1700000000.4 lseek(3</d/a>, 100, SEEK_SET) = 100 <0.000001>
7 1700000000.5 dup(3</d/a>) = 4</d/a> <0.000001>
7 1700000000.6 read(4</d/a>, "", 50) = 50 <0.000002>
7 1700000000.7 read(3</d/a>, "", 50) = 0 <0.000002>
7 1700000000.8 pwrite64(3</d/a>, "", 512, 8192) = 512 <0.000002>
"#;
    let tables = tables(&format!("{text}{END}"));
    assert_eq!(offsets(&tables, "write"), [Some(0), Some(4096)]);
    assert_eq!(offsets(&tables, "read"), [Some(100), Some(150)]);
    assert_eq!(offsets(&tables, "pwrite"), [Some(8192)]);
    let (_, run, call) = &calls(&tables)[2];
    assert_eq!((call.size_bytes, call.requested_bytes), (1000, Some(4096)));
    assert_eq!(path(&tables, run.file_id).as_deref(), Some("/d/a"));
    assert!((call.end_s - call.start_s - 20e-6).abs() < 1e-9);
    assert_eq!(issues(&tables), Vec::<String>::new());
}

#[test]
fn a_position_that_is_not_shown_is_null() {
    let text = r#"7 1700000000.1 read(5</d/unseen>, "", 50) = 50 <0.000002>
7 1700000000.2 openat(AT_FDCWD, "log", O_WRONLY|O_APPEND) = 3 <0.000010>
7 1700000000.3 write(3, "x", 1) = 1 <0.000020>
7 1700000000.4 read(4<pipe:[77]>, "x", 1) = 1 <0.000020>
"#;
    let tables = tables(&format!("{text}{END}"));
    assert_eq!(offsets(&tables, "read"), [None, None]);
    assert_eq!(offsets(&tables, "write"), [None]);
    let files = tables.table(TableId::File).expect("files");
    let kind = |path| {
        let row = (0..files.rows()).find(|row| files.str(file::PATH, *row) == Some(path))?;
        Some((files.str(file::KIND, row)?.to_string(), files.bool(file::IS_PATH_SUFFIX, row)?))
    };
    assert_eq!(kind("log"), Some(("file".to_string(), true)));
    assert_eq!(kind("pipe:[77]"), Some(("pipe".to_string(), false)));
}

#[test]
fn descriptors_without_y_are_followed_through_dup_fork_and_close() {
    let text = r#"7 1700000000.1 openat(AT_FDCWD, "/d/a", O_RDONLY) = 3 <0.000010>
7 1700000000.2 fcntl(3, F_DUPFD_CLOEXEC, 10) = 10 <0.000001>
7 1700000000.3 clone(child_stack=NULL, flags=SIGCHLD) = 8 <0.000100>
7 1700000000.4 close(3) = 0 <0.000001>
8 1700000000.5 read(3, "x", 9) = 9 <0.000001>
7 1700000000.6 read(10, "x", 9) = 9 <0.000001>
7 1700000000.7 read(3, "x", 9) = -1 EBADF (Bad file descriptor) <0.000001>
8 1700000000.8 +++ exited with 3 +++
"#;
    let tables = tables(&format!("{text}{END}"));
    let reads: Vec<_> = calls(&tables).into_iter().filter(|(name, ..)| name == "read").collect();
    let paths: Vec<_> = reads.iter().map(|(_, run, _)| path(&tables, run.file_id)).collect();
    let name = |text: &str| Some(text.to_string());
    assert_eq!(paths, [name("/d/a"), name("<unknown>"), name("/d/a")]);
    // The child moved the position of both.
    assert_eq!((reads[0].2.offset_bytes, reads[2].2.offset_bytes), (9, 0));
    assert_eq!(reads[1].1.error.map(|id| tables.calls.name(id)), Some("EBADF"));
    let rows = tables.table(TableId::Process).expect("processes");
    assert_eq!((rows.rows(), rows.i32(process::PARENT, 1)), (2, Some(0)));
    assert_eq!((rows.i64(process::PID, 1), rows.i32(process::EXIT_CODE, 1)), (Some(8), Some(3)));
}

#[test]
fn an_interrupted_call_is_one_call() {
    let text = r#"7 1700000000.1 clone3({flags=CLONE_VM|CLONE_THREAD} => {parent_tid=[8]}, 88 <unfinished ...>
8 1700000000.2 read(3</d/a>,  <unfinished ...>
7 1700000000.3 <... clone3 resumed>) = 8 <0.200000>
8 1700000000.6 <... read resumed>"ab", 2) = 2 <0.300000>
8 1700000000.7 +++ exited with 0 +++
"#;
    let tables = tables(&format!("{text}{END}"));
    let all = calls(&tables);
    assert_eq!(all.len(), 1, "{all:?}");
    let (name, run, call) = &all[0];
    assert_eq!((name.as_str(), run.process, call.thread), ("read", Some(0), Some(8)));
    assert_eq!((call.size_bytes, call.requested_bytes), (2, Some(2)));
    assert!((call.end_s - call.start_s - 0.3).abs() < 1e-9);
    assert_eq!(tables.table(TableId::Process).map(|rows| rows.rows()), Some(1));
}

#[test]
fn a_program_that_becomes_another_has_a_row_for_each() {
    let text = r#"7 1700000000.1 execve("/bin/sh", ["sh", "-c", "cat a"], 0x7f /* 3 vars */) = 0 <0.0002>
7 1700000000.2 openat(AT_FDCWD</d>, "kept", O_RDONLY) = 3</d/kept> <0.000010>
7 1700000000.3 openat(AT_FDCWD</d>, "closed", O_RDONLY|O_CLOEXEC) = 4</d/closed> <0.000010>
7 1700000000.4 execve("/bin/absent", ["cat"], 0x7f) = -1 ENOENT (No such file or directory) <0.0001>
7 1700000000.5 execve("/bin/cat", ["cat", "a"], 0x7f) = 0 <0.000200>
7 1700000000.6 read(3</d/kept>, "x", 5) = 5 <0.000001>
"#;
    let tables = tables(&format!("{text}{END}"));
    let rows = tables.table(TableId::Process).expect("processes");
    let line = |row| rows.str(process::COMMAND_LINE, row).map(str::to_string);
    assert_eq!((line(0), line(1)), (Some("sh -c 'cat a'".into()), Some("cat a".into())));
    assert_eq!((rows.i32(process::RANK, 0), rows.i32(process::RANK, 1)), (Some(0), Some(0)));
    assert_eq!(rows.str(process::ENDED, 0), Some("execed"));
    assert_eq!(rows.str(process::ENDED, 1), Some("exited"));
    assert_eq!(offsets(&tables, "read"), [Some(0)]);
    assert_eq!(calls(&tables).iter().filter(|(name, ..)| name == "exec").count(), 1);
}

#[test]
fn what_an_option_of_strace_would_add_is_said() {
    let text = "7 14:21:54.274004 close(3) = 0\n7 +++ exited with 0 +++\n";
    let tables = tables(text);
    assert_eq!(issues(&tables), ["untimed"]);
    let job = tables.table(TableId::Job).expect("a job");
    assert_eq!(job.i64(diya_tables::job::START_TIME, 0), None);
    let counters = tables.table(TableId::Posix);
    assert!(counters.is_none_or(|rows| rows.f64(diya_tables::posix::F_META_TIME, 0).is_none()));
    let error = of("made.strace", "7 close(3) = 0\n").expect_err("it has no times");
    assert!(error.to_string().contains("-ttt"), "{error}");
}

#[test]
fn a_file_per_process_has_the_process_in_its_name() {
    let text = "1700000000.1 close(3</d/a>) = 0 <0.000001>\n1700000000.2 +++ exited with 0 +++\n";
    let tables = of("run.strace.2503", text).expect("a text of strace");
    let rows = tables.table(TableId::Process).expect("a process");
    assert_eq!(rows.i64(process::PID, 0), Some(2503));
}

#[test]
fn lines_of_a_terminal_without_a_number_are_of_the_first_process() {
    let text = "14:00:00.1 close(3) = 0 <0.000001>\n\
                14:00:00.2 futex(0x7f, FUTEX_WAITstrace: Process 9 attached\n \
                <unfinished ...>\n\
                [pid  9] 14:00:00.3 close(4) = 0 <0.000001>\n\
                [pid  7] 14:00:00.4 close(5) = 0 <0.000001>\n\
                [pid  9] 14:00:00.5 +++ exited with 0 +++\n\
                14:00:00.6 close(6) = 0 <0.000001>\n14:00:00.7 +++ exited with 0 +++\n";
    let tables = tables(text);
    let pids = tables
        .table(TableId::Process)
        .map(|rows| (0..rows.rows()).map(|row| rows.i64(process::PID, row)).collect::<Vec<_>>());
    assert_eq!(pids, Some(vec![Some(7), Some(9)]));
    assert_eq!(issues(&tables), Vec::<String>::new());
}

#[test]
fn damage_leaves_the_other_lines() {
    let text = "7 1700000000.1 close(3</d/a>) = 0 <0.000001>\nnoise of a program\n\
                7 9700000000.1 close(3</d/a>) = 0 <0.000001>\n7 1700000000.3 close(4</d/";
    let tables = tables(text);
    assert_eq!(calls(&tables).len(), 1);
    assert_eq!(issues(&tables), ["corrupt", "truncated", "unfinished"]);
}

#[test]
fn a_text_is_known_by_its_first_lines() {
    use super::is_strace;
    let long = format!("7 1700000000.1 execve(\"/bin/a\", [{}", "\"argument\", ".repeat(200));
    assert!(is_strace(&long.as_bytes()[..1360]));
    assert!(is_strace(b"hello\n7 1700000000.1 close(3) = 0\n"));
    assert!(is_strace(b"strace: Process 9 attached\n"));
    assert!(
        !is_strace(b"main(argc)\n")
            && !is_strace(b"12 apples (red)\n")
            && !is_strace(b"\0\x01\xff")
    );
    assert!(!is_strace(b"{\"ph\":\"X\",\"name\":\"f(x) = 2\"}\n"));
}

/// What the same four calls are with each option: file, position and bytes of the reads, command
/// line, processes.
#[test]
fn options_that_change_the_look_of_a_call_change_nothing_else() {
    let plain = r#"7 1700000000.1 execve("/bin/a", ["a"], 0x7f /* 3 vars */) = 0 <0.0002>
7 1700000000.2 openat(AT_FDCWD</d>, "x", O_RDONLY|O_CLOEXEC) = 3</d/x> <0.000010>
7 1700000000.3 clone(child_stack=NULL, flags=SIGCHLD) = 8 <0.000100>
8 1700000000.4 lseek(3</d/x>, 10, SEEK_SET) = 10 <0.000001>
8 1700000000.5 read(3</d/x>, "ab", 9) = 2 <0.000001>
8 1700000000.6 exit_group(3) = ?
8 1700000000.6 +++ exited with 3 +++
"#;
    let named = r#"7 1700000000.1 execve(pathname="/bin/a", argv=["a"], envp=0x7f /* 3 vars */) = 0 <0.0002>
7 1700000000.2 openat(dirfd=AT_FDCWD</d>, pathname="x", flags=O_RDONLY) = 3</d/x> <0.000010>
7 1700000000.3 clone(child_stack=NULL, flags=SIGCHLD) = 8 <0.000100>
8 1700000000.4 lseek(fd=3</d/x>, offset=10, whence=SEEK_SET) = 10 <0.000001>
8 1700000000.5 read(fd=3</d/x>, buf="ab", count=9) = 2 <0.000001>
8 1700000000.6 +++ exited with 3 +++
"#;
    let with_names_of_processes = plain.replace("\n8 ", "\n8<a> ").replace("= 8 ", "= 8<a> ");
    let in_namespace = plain.replace("= 8 ", "= 2<a> /* 8 in strace's PID NS */ ");
    let numbers = r#"7 1700000000.1 [  59] [00007f] execve("/bin/a", ["a"], 0x7f /* 3 vars */) = 0 <0.0002>
7 1700000000.2 [ 257] [00007f] openat(-100 /* AT_FDCWD */</d>, "x", 0x80000 /* O_RDONLY */) = 3</d/x> <0.1>
 > /usr/lib/libc.so.6(open64+0x1) [0x2]
7 1700000000.3 [  56] [00007f] clone(child_stack=NULL, flags=0x11 /* SIGCHLD */) = 8 <0.000100>
8 1700000000.4 [   8] [00007f] lseek(3</d/x>, 10, 0 /* SEEK_SET */) = 10 <0.000001>
8 1700000000.5 [   0] [00007f] read(3</d/x>, "ab", 9) = 2 <0.000001>
 | 00000  61 62                                             ab               |
8 1700000000.6 [ 231] [????????????????] +++ exited with 3 +++
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
100.00    0.000000           0         1           read
"#;
    let quiet = plain.replace("8 1700000000.6 +++ exited with 3 +++\n", "");
    for text in [plain, named, &with_names_of_processes, &in_namespace, numbers, &quiet] {
        let tables = tables(&format!("{text}{END}"));
        let reads = calls(&tables).into_iter().filter(|(name, ..)| name == "read");
        let reads: Vec<_> = reads
            .map(|(_, run, call)| (path(&tables, run.file_id), call.offset_bytes, call.size_bytes))
            .collect();
        assert_eq!(reads, [(Some("/d/x".to_string()), 10, 2)], "{text}");
        let rows = tables.table(TableId::Process).expect("processes");
        assert_eq!(rows.str(process::COMMAND_LINE, 0), Some("a"), "{text}");
        assert_eq!((rows.rows(), rows.i32(process::PARENT, 1)), (2, Some(0)), "{text}");
        assert_eq!(rows.i32(process::EXIT_CODE, 1), Some(3), "{text}");
        assert_eq!(issues(&tables), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_call_that_a_note_breaks_off_goes_on_in_the_next_line() {
    let text = "14:00:00.1 clone(child_stack=NULL, flags=SIGCHLDstrace: Process 9<sh> attached\n\
                , child_tidptr=0x7f) = 9<sh> <0.000317>\n\
                [pid     9<sh>] 14:00:00.3 +++ exited with 0 +++\n\
                14:00:00.7 +++ exited with 0 +++\n";
    let tables = tables(text);
    assert_eq!((calls(&tables).len(), issues(&tables)), (1, Vec::new()));
    let rows = tables.table(TableId::Process).expect("processes");
    assert_eq!((rows.rows(), rows.i32(process::PARENT, 1)), (2, Some(0)));
}

#[test]
fn a_file_whose_path_is_an_address_is_unknown_and_its_calls_count() {
    let text = "7 1700000000.1 openat(0xffffff9c, 0x7ffd5a, 0x80000) = 0x3 <0.000010>\n\
                7 1700000000.2 read(0x3, 0x7ffd5a, 0x9) = 0x2 <0.000010>\n";
    let tables = tables(&format!("{text}{END}"));
    let all = calls(&tables);
    assert_eq!((all[0].0.as_str(), all[1].0.as_str()), ("openat", "read"));
    assert_eq!((all[1].2.size_bytes, all[1].2.requested_bytes), (2, Some(9)));
    assert_eq!(path(&tables, all[1].1.file_id).as_deref(), Some("<unknown>"));
}

#[test]
fn a_summary_without_calls_says_how_to_record_them() {
    let text = "% time     seconds  usecs/call     calls    errors syscall\n\
                ------ ----------- ----------- --------- --------- ----------------\n\
                100.00    0.000000           0         1           read\n";
    let error = of("made.strace", text).expect_err("it has no calls").to_string();
    assert!(error.contains("without -c"), "{error}");
}
