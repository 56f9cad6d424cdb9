//! The ptrace tracer, on programs with known I/O (`tests/ptrace/traced.c`).
#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]

#[path = "ptrace/segment.rs"]
mod segment;

use diya_launch::{Ended, Mode, RunError, SegmentDirectory, Settings};
use diya_ptrace::{trace, trace_telling};
use nix::sys::resource::{Resource, setrlimit};
use segment::{Call, Segment, segments};
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

fn settings(directory: &SegmentDirectory) -> Settings {
    Settings {
        library: PathBuf::new(),
        directory: directory.path().into(),
        mode: Mode::Trace,
        max_trace_bytes: None,
        has_stacks: false,
        messages: diya_launch::Messages::Waits,
        skip: vec!["true".into()],
        apply: None,
        gather: None,
        home: None,
    }
}

struct Traced {
    ended: Result<Ended, RunError>,
    segments: Vec<Segment>,
    told: Vec<String>,
}

fn run_with(command: &[&str], change: impl FnOnce(&mut Settings)) -> Traced {
    let directory = SegmentDirectory::create(Some(&env::temp_dir())).expect("can be made");
    let mut settings = settings(&directory);
    change(&mut settings);
    let command: Vec<OsString> = command.iter().map(OsString::from).collect();
    let mut told = Vec::new();
    let ended = trace_telling(&command, &settings, &mut |why| told.push(why), &mut Vec::new());
    let segments = segments(directory.path());
    directory.remove().expect("can be removed");
    Traced { ended, segments, told }
}

fn run(command: &[&str]) -> Traced {
    run_with(command, |_| {})
}

/// Runs a part of traced.c in a folder of its own.
fn run_part_with(program: &Path, part: &str, change: impl FnOnce(&mut Settings)) -> Traced {
    let work = SegmentDirectory::create(Some(&env::temp_dir())).expect("can be made");
    let [program, folder] = [program, work.path()].map(|path| path.to_str().expect("is text"));
    let traced = run_with(&[program, part, folder], change);
    work.remove().expect("can be removed");
    traced
}

fn run_part(program: &Path, part: &str) -> Traced {
    run_part_with(program, part, |_| {})
}

/// Names the test that is running as skipped; fails in CI, where everything is there.
fn skip(missing: &str) {
    assert!(env::var_os("CI").is_none_or(|ci| ci != "true"), "{missing}");
    let thread = std::thread::current();
    // Past `eprintln!`, which the test harness keeps to itself where a test passes.
    let _ = writeln!(std::io::stderr(), "skipped {}: {missing}", thread.name().unwrap_or("a test"));
}

fn build(name: &str, flags: &[&str]) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptrace/traced.c");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // Another test may be running the one that is there.
    let partial = program.with_extension(std::process::id().to_string());
    let made = Command::new("cc")
        .args(["-O1", "-w", "-pthread"])
        .args(flags)
        .arg("-o")
        .arg(&partial)
        .arg(&source)
        .output()
        .expect("a C compiler is there");
    if !made.status.success() {
        eprintln!("cc {flags:?}: {}", String::from_utf8_lossy(&made.stderr));
    }
    made.status.success().then(|| {
        fs::rename(&partial, &program).expect("can be renamed");
        program
    })
}

/// The program without a dynamic linker; `None` where there is no static C
/// library: the test is skipped.
fn static_program() -> Option<&'static Path> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| build("traced-static", &["-static"])).as_deref();
    if program.is_none() {
        skip("no static C library: the compiler's message is above");
    }
    program
}

fn shown(call: &Call) -> String {
    let offset = call.offset.map_or("-".into(), |offset| offset.to_string());
    let to = if call.file2.is_empty() { String::new() } else { format!(" to {}", call.file2) };
    format!("{} {}{to} {offset} {} {}", call.function, call.file, call.requested, call.done)
}

fn shown_all<'a>(calls: impl IntoIterator<Item = &'a Call>) -> Vec<String> {
    calls.into_iter().map(shown).collect()
}

const DATA: [&str; 18] = [
    "openat data - 0 0",
    "write data 0 64 64",
    "write data 64 64 64",
    "write data 128 64 64",
    "pwrite data 1000 100 100",
    "lseek data 32 0 0",
    "dup data - 0 0",
    "read data 32 10 10",
    "read data 42 20 20",
    "readv data 62 12 12",
    "preadv data 3 12 12",
    "read data 74 4096 1026",
    "write data 1100 8 -14",
    "fsync data - 0 0",
    "ftruncate data 2000 0 0",
    "close data - 0 0",
    "close data - 0 0",
    "read  - 1 -9",
];

#[test]
fn a_static_program_is_recorded_call_by_call() {
    let Some(program) = static_program() else { return };
    let traced = run_part(program, "data");
    assert_eq!(traced.ended.expect("starts"), Ended::Code(0));
    let [segment] = &traced.segments[..] else { panic!("one process, one segment") };
    assert_eq!((segment.state, segment.exit_code), (2, 0));
    let first = segment.calls.iter().position(|call| call.file == "data").expect("is opened");
    assert_eq!(shown_all(&segment.calls[first..]), DATA);
    assert!(segment.calls.iter().all(|call| call.duration > 0 && call.tid == segment.pid));
}

#[test]
fn a_dynamic_program_is_recorded_as_well() {
    let program = build("traced-dynamic", &[]).expect("can be built");
    let traced = run_part(&program, "data");
    let segment = traced.segments.last().expect("is recorded");
    let first = segment.calls.iter().position(|call| call.file == "data").expect("is opened");
    assert_eq!(shown_all(&segment.calls[first..]), DATA);
}

#[test]
fn copies_are_a_read_and_a_write_and_mappings_are_of_files() {
    let Some(program) = static_program() else { return };
    let traced = run_part(program, "copies");
    let segment = &traced.segments[0];
    let expected = [
        "write from 0 500 500",
        "openat to - 0 0",
        "write to 0 9 9",
        "write to 9 11 11",
        "sendfile_read from 100 50 50",
        "sendfile_write to 9 50 50",
        "mmap from 0 500 500",
        "msync from - 500 500",
        "mremap from - 9000 9000",
        "munmap from - 9000 9000",
        "close_range  - 0 0",
    ];
    let first = segment.calls.iter().position(|call| call.function == "write").expect("writes");
    assert_eq!(shown_all(&segment.calls[first..]), expected);
}

#[test]
fn paths_are_absolute_whatever_they_are_relative_to() {
    let Some(program) = static_program() else { return };
    let traced = run_part(program, "names");
    let segment = &traced.segments[0];
    let first = segment.calls.iter().position(|c| c.file == "folder").expect("is made");
    let expected = [
        "mkdir folder - 0 0",
        "openat folder - 0 0",
        "openat inside - 0 0",
        "close inside - 0 0",
        "fstatat missing - 0 -2",
        "renameat inside to outside - 0 0",
        "chdir folder - 0 0",
        "unlink outside - 0 0",
        "rmdir folder - 0 -22",
    ];
    assert_eq!(shown_all(&segment.calls[first..]), expected);
    let outside = segment.names.values().find(|path| path.ends_with("/outside")).expect("is named");
    assert!(outside.starts_with('/') && !outside.contains(".."), "{outside}");
}

#[test]
fn each_thread_has_its_own_calls() {
    let Some(program) = static_program() else { return };
    let traced = run_part(program, "threads");
    let segment = &traced.segments[0];
    for thread in 0..4 {
        let calls = segment.of(&format!("thread{thread}"));
        let writes: Vec<_> = calls.iter().filter(|call| call.function == "write").collect();
        assert_eq!(writes.len(), 100);
        assert!((0..100).all(|i| writes[i].offset == Some(i as i64 * 8)));
        assert!(writes.iter().all(|call| call.tid == writes[0].tid && call.tid != segment.pid));
    }
}

#[test]
fn a_program_that_a_thread_becomes_is_the_process() {
    let Some(program) = static_program() else { return };
    let traced = run_part(program, "exec");
    assert_eq!(traced.ended.expect("starts"), Ended::Code(6));
    const EXECED: u32 = 3;
    assert_eq!(traced.segments[0].state, EXECED);
    assert_eq!(shown_all(traced.segments[0].of("before")), ["openat before - 0 0"]);
    assert_eq!(shown_all(traced.segments[0].of("exec")), ["exec program - 0 -2"]);
}

#[test]
fn parent_and_child_share_a_position() {
    let Some(program) = static_program() else { return };
    let traced = run_part(program, "fork");
    let [parent, child] = &traced.segments[..] else { panic!("two processes") };
    assert_eq!(shown_all(child.of("write")), ["write shared 10 20 20"]);
    assert_eq!(shown_all(parent.of("write")), ["write shared 0 10 10", "write shared 30 30 30"]);
    assert_eq!((child.parent, child.exit_code), (parent.pid, 3));
    assert_eq!(shown_all(parent.of("fork")), ["fork  - 0 0"]);
    assert!(child.of("fork").is_empty());
}

#[test]
fn a_call_made_again_after_a_signal_is_one_call() {
    let Some(program) = static_program() else { return };
    let traced = run_part(program, "restart");
    let parent = traced.segments.iter().find(|s| !s.of("read").is_empty()).expect("the reader");
    // The write is the handler's, while the read was waiting to be made again.
    assert_eq!(shown_all(parent.of("read")).len(), 1);
    let (read, write) = (parent.of("read")[0], parent.of("write")[0]);
    assert_eq!((read.requested, read.done), (1, 1));
    assert!(read.start < write.start && write.start < read.start + read.duration);
}

#[test]
fn a_call_given_up_after_a_signal_failed() {
    let Some(program) = static_program() else { return };
    let traced = run_part(program, "interrupt");
    let parent = traced.segments.iter().find(|s| !s.of("read").is_empty()).expect("the reader");
    let read = parent.of("read")[0];
    const EINTR: i64 = 4;
    assert_eq!((read.requested, read.done), (1, -EINTR));
    assert!(read.duration > 50_000_000, "it waited for the signal: {}", read.duration);
    assert!(read.start + read.duration <= parent.of("write")[0].start, "before the handler");
}

#[test]
fn what_was_done_before_a_kill_is_there() {
    let Some(program) = static_program() else { return };
    let traced = run_part(program, "killed");
    assert_eq!(traced.ended.expect("starts"), Ended::Signal(9));
    let segment = &traced.segments[0];
    const RUNNING_OR_KILLED: u32 = 1;
    assert_eq!((segment.state, segment.exit_code), (RUNNING_OR_KILLED, -1));
    assert_eq!(segment.of("pwrite").len(), 1000);
}

#[test]
fn beyond_the_cap_calls_are_counted() {
    let Some(program) = static_program() else { return };
    let traced = run_part_with(program, "many", |settings| settings.max_trace_bytes = Some(80_000));
    let segment = &traced.segments[0];
    let written = segment.of("pwrite").len() as u64;
    assert!(written > 5_000, "a window fits below the cap: {written}");
    assert_eq!(written + segment.counted_writes.0, 14_000);
    assert_eq!(segment.counted_writes.1, segment.counted_writes.0 * 16);
    assert_eq!(segment.dropped, segment.counted_writes.0);
}

#[test]
fn a_limit_of_file_sizes_ends_the_recording_but_not_the_program() {
    const NAME: &str = "a_limit_of_file_sizes_ends_the_recording_but_not_the_program";
    const INSIDE: &str = "DIYA_TEST_INSIDE";
    let Some(program) = static_program() else { return };
    if env::var_os(INSIDE).is_none() {
        // In a process of its own, since the limit is one of processes; with pipes, since
        // what this process prints may go to a file that is longer than the limit.
        let this = env::current_exe().expect("this test has a file");
        let done = Command::new(this).args(["--exact", NAME]).env(INSIDE, "1").output();
        let done = done.expect("can be started");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stdout));
        return;
    }
    // A window of records fits, one of counters does not.
    setrlimit(Resource::RLIMIT_FSIZE, 100_000, 100_000).expect("may be lowered");
    let traced = run_part(program, "many");
    assert_eq!(traced.ended.expect("starts"), Ended::Code(0));
    let recorded = traced.segments[0].of("pwrite").len();
    assert!((5_000..14_000).contains(&recorded), "{recorded}");
}

#[test]
fn a_profile_counts_and_records_no_calls() {
    let Some(program) = static_program() else { return };
    let traced = run_part_with(program, "some", |settings| settings.mode = Mode::Profile);
    let segment = &traced.segments[0];
    assert_eq!((segment.calls.len(), segment.dropped), (0, 0));
    assert_eq!(segment.counted_writes, (1_000, 16_000));
    assert_eq!(segment.heat_bytes, 16_000);
    assert!(segment.names.values().any(|path| path.ends_with("/many")));
}

#[test]
fn each_process_of_a_tree_has_its_segment() {
    let traced = run(&["sh", "-c", "cat /dev/null | wc -c >/dev/null; true; exit 7"]);
    assert_eq!(traced.ended.expect("starts"), Ended::Code(7));
    let of = |name: &str| traced.segments.iter().find(|s| s.exe.ends_with(name));
    let (shell, cat) = (traced.segments.first().expect("the shell's"), of("cat").expect("cat's"));
    assert_eq!((shell.exit_code, shell.state), (7, 2));
    assert_eq!((cat.parent, cat.exit_code), (shell.pid, 0));
    assert!(of("wc").is_some());
    assert!(of("true").is_none(), "is in the list of programs to skip");
}

#[test]
fn exit_codes_and_signals_are_the_programs() {
    let sh = |script: &str| run(&["sh", "-c", script]).ended.expect("starts");
    assert_eq!(sh("exit 7"), Ended::Code(7));
    assert_eq!(sh("kill -TERM $$"), Ended::Signal(15));
    assert_eq!(sh("trap 'exit 5' USR1; kill -USR1 $$; sleep 5"), Ended::Code(5));
    assert_eq!(sh("(sleep 0.2; kill -CONT $$) & kill -STOP $$; exit 4"), Ended::Code(4));
    assert_eq!(sh("trap '' PIPE; exit 3"), Ended::Code(3));
}

#[test]
fn a_program_that_cannot_start_is_an_error() {
    let directory = SegmentDirectory::create(Some(&env::temp_dir())).expect("can be made");
    let code = |name: &str| {
        trace(&[name.into()], &settings(&directory)).expect_err("cannot start").exit_code()
    };
    assert_eq!((code("/no/such/program"), code("/etc/passwd")), (127, 126));
    directory.remove().expect("can be removed");
}

#[test]
fn a_32_bit_program_runs_unrecorded_and_is_named() {
    // exit(9), by the 32-bit way into the kernel: an ELF header, one program
    // header, and five instructions.
    const BYTES: [u8; 96] = {
        let mut elf = [0; 96];
        let head = *b"\x7fELF\x01\x01\x01\0\0\0\0\0\0\0\0\0\
            \x02\0\x03\0\x01\0\0\0\x54\x80\x04\x08\x34\0\0\0\0\0\0\0\0\0\0\0\x34\0\x20\0\x01\0\0\0\0\0\0\0";
        let load = *b"\x01\0\0\0\0\0\0\0\0\x80\x04\x08\0\x80\x04\x08\x60\0\0\0\x60\0\0\0\x05\0\0\0\0\x10\0\0";
        let code = *b"\x31\xc0\x40\xb3\x09\xcd\x80";
        let mut at = 0;
        while at < head.len() {
            elf[at] = head[at];
            at += 1;
        }
        while at < head.len() + load.len() {
            elf[at] = load[at - head.len()];
            at += 1;
        }
        while at < head.len() + load.len() + code.len() {
            elf[at] = code[at - head.len() - load.len()];
            at += 1;
        }
        elf
    };
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exit-32");
    fs::write(&path, BYTES).expect("can be written");
    let script =
        format!("chmod +x {0}; {0}; echo $? > {0}.code; cat {0}.code >/dev/null", path.display());
    let traced = run(&["sh", "-c", &script]);
    let code = fs::read_to_string(path.with_extension("code")).expect("was written");
    if code.trim() != "9" {
        println!("skipped: this kernel runs no 32-bit programs (code {})", code.trim());
        return;
    }
    assert_eq!(traced.told.len(), 1);
    assert!(traced.told[0].contains("exit-32"), "{:?}", traced.told);
    assert!(traced.segments.iter().all(|s| !s.exe.ends_with("exit-32")));
    assert!(traced.segments.iter().any(|s| s.exe.ends_with("cat")));
}
