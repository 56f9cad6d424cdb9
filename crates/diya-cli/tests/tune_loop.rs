//! `diya tune --loop` as a user runs it.
use crate::report_support::faults;
use serde_json::Value as Json;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Many small writes, for which there is a setting. What it does next follows from whether it
/// was given: `DIYA_APPLY` is how settings reach a program.
const PROGRAM: &str = r#"
import os, sys
file = os.open("out.dat", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
for i in range(400000):
    os.write(file, b"0123456789abcdef")
os.close(file)
applied = "write_buffer" in os.environ.get("DIYA_APPLY", "")
"#;

struct Work {
    folder: tempfile::TempDir,
}

impl Work {
    /// A folder with the program and what it does at its end.
    fn new(end: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("app.py"), format!("{PROGRAM}{end}\n")).expect("a file");
        Self { folder }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, options: &[&str], command: &[&str]) -> Command {
        let mut diya = Command::new(env!("CARGO_BIN_EXE_diya"));
        diya.current_dir(self.folder.path()).arg("tune").args(options);
        diya.arg("--").args(command).stdout(Stdio::piped()).stderr(Stdio::piped());
        diya
    }

    /// Exit code, output and messages.
    fn run(&self, options: &[&str], command: &[&str]) -> (i32, String, String) {
        told(self.command(options, command).output().expect("diya runs"))
    }

    fn app(&self, options: &[&str]) -> (i32, String, String) {
        self.run(options, &["python3", "app.py"])
    }

    fn report(&self) -> Json {
        let text = std::fs::read_to_string(self.at("dir/loop.json")).expect("a report");
        serde_json::from_str(&text).expect("JSON")
    }

    fn names(&self) -> Vec<String> {
        let all = std::fs::read_dir(self.at("dir")).into_iter().flatten().flatten();
        let mut all: Vec<_> =
            all.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        all.sort();
        all
    }

    /// Starts a loop whose second run waits, and waits for it.
    fn started(&self) -> (Child, String) {
        let child = self
            .command(&["-q", "--loop", "3", "-o", "dir"], &["python3", "app.py"])
            .spawn()
            .expect("diya runs");
        let process = wait_for(|| std::fs::read_to_string(self.at("waits")).ok());
        (child, process)
    }
}

/// Waits with settings until it is ended, whatever Ctrl-C does.
const WAITS: &str = r#"
if applied:
    import signal, time
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with open("waits.part", "w") as file:
        file.write(str(os.getpid()))
    os.rename("waits.part", "waits")
    time.sleep(100)
"#;

fn told(Output { status, stdout, stderr }: Output) -> (i32, String, String) {
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (status.code().unwrap_or(-1), text(stdout), text(stderr))
}

fn wait_for<T>(found: impl Fn() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        match found() {
            Some(found) => return found,
            None => assert!(began.elapsed() < Duration::from_secs(90), "it did not happen"),
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn is_gone(process: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"));
    // Or it is dead, and nobody has asked for its exit code.
    stat.map_or(true, |stat| stat.contains(") Z "))
}

fn signal(number: &str, child: &Child) {
    let sent = Command::new("kill").args([number, &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success());
}

const METRIC: [&str; 6] = ["--loop", "3", "-o", "dir", "--metric", "rate: ([0-9.]+)"];

#[test]
fn a_setting_that_helps_is_kept_and_can_be_applied() {
    let work = Work::new("print('rate:', 200 if applied else 100)");
    let (code, said, errors) = work.run(&METRIC, &["python3", "app.py", "<script>"]);
    assert_eq!(code, 0, "{errors}");
    assert!(said.starts_with("rate: 100\nrate: 200\nrate: 100\nKeep settings-1: "), "{said}");
    assert!(said.contains("(+100 %)"), "{said}");
    assert!(errors.contains("run 2 of at most 3, settings-1: write_buffer "), "{errors}");
    let report = work.report();
    assert_eq!((&report["answer"], &report["keep"]), (&"keep".into(), &"settings-1".into()));
    assert_eq!(report["seed"], 1);
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schema/tune-loop.schema.json");
    let schema = std::fs::read_to_string(schema).expect("a schema");
    let schema: Json = serde_json::from_str(&schema).expect("JSON");
    assert_eq!(faults(&schema, &schema, &report, "loop"), [""; 0]);
    let page = std::fs::read_to_string(work.at("dir/index.html")).expect("a page");
    assert!(page.contains("&lt;script&gt;") && !page.contains("<script"), "{page}");
    assert!(!work.names().contains(&"lock".to_owned()), "{:?}", work.names());
    let kept = Command::new(env!("CARGO_BIN_EXE_diya"))
        .current_dir(work.folder.path())
        .args(["run", "-q", "--apply", "dir/keep", "--", "python3", "app.py"])
        .output();
    assert_eq!(told(kept.expect("diya runs")).1, "rate: 200\n");
}

#[test]
fn a_figure_that_does_not_change_is_no_gain() {
    let work = Work::new("print('rate: 100')");
    let (code, said, errors) = work.app(&[&METRIC[..], &["--json"]].concat());
    assert_eq!(code, 0, "{errors}");
    let report: Json = serde_json::from_str(&said).expect("JSON and nothing else");
    assert_eq!(report["answer"], "nothing_helps");
    assert!(
        report["text"].as_str().is_some_and(|text| text.starts_with("No setting helps here: "))
    );
    assert!(!work.at("dir/keep").exists());
    // Standard output is for the JSON.
    assert!(errors.contains("rate: 100"), "{errors}");
}

#[test]
fn a_run_without_findings_ends_after_one_run() {
    let work = Work::new("");
    let (code, said, errors) =
        work.run(&["--loop", "-o", "dir"], &["sh", "-c", "echo done > out.txt"]);
    assert_eq!(code, 0, "{errors}");
    assert!(said.starts_with("No setting helps here: "), "{said}");
    assert!(said.contains("1 run of at most 5"), "{said}");
    assert_eq!(work.names(), ["index.html", "loop.json", "run-01-baseline.diya"]);
}

#[test]
fn settings_with_which_the_command_fails_are_lost_and_named() {
    let work = Work::new("sys.exit(3 if applied else 0)");
    let (code, said, errors) = work.app(&["--loop", "3", "-o", "dir"]);
    assert_eq!(code, 0, "{errors}");
    assert!(said.contains("lost: exit code 3"), "{said}");
    assert_eq!(work.report()["tried"][1]["lost"], "exit code 3");
    let work = Work::new("open('result', 'w').write('wrong' if applied else 'right')");
    let verify = "grep -q right result";
    let (_, said, _) = work.app(&["--loop", "3", "-o", "dir", "--verify", verify]);
    assert!(said.contains("its results are wrong: --verify ended with exit code 1"), "{said}");
}

#[test]
fn a_command_that_fails_without_settings_ends_the_loop_with_its_exit_code() {
    let work = Work::new("sys.exit(7)");
    let (code, _, errors) = work.app(&["--loop", "3", "-o", "dir"]);
    assert_eq!(code, 7, "{errors}");
    assert_eq!(work.names(), ["run-01-baseline.diya"]);
    let (code, _, errors) = work.run(&["--loop", "3", "-o", "none"], &["no-such-command"]);
    assert_eq!(code, 127, "{errors}");
    assert!(errors.contains("not found in PATH") && !work.at("none").exists(), "{errors}");
}

#[test]
fn ctrl_c_keeps_what_is_known_and_leaves_no_process() {
    let work = Work::new(WAITS);
    let (child, process) = work.started();
    signal("-INT", &child);
    let (code, said, errors) = told(child.wait_with_output().expect("it ends"));
    assert_eq!(code, 130, "{errors}");
    assert!(said.contains("No setting was tried") && said.contains("interrupted"), "{said}");
    assert!(is_gone(&process));
    assert!(work.at("dir/index.html").exists() && !work.at("dir/lock").exists());
}

#[test]
fn a_killed_loop_leaves_no_process_and_can_be_cleaned() {
    let work = Work::new(WAITS);
    let (mut child, process) = work.started();
    let (code, _, errors) = work.app(&["--loop", "3", "-o", "dir"]);
    assert_eq!(code, 4, "{errors}");
    assert!(errors.contains("another `diya tune --loop` works in it"), "{errors}");
    let clean = || told(work.command(&["--clean", "dir"], &[]).output().expect("diya runs"));
    assert!(clean().2.contains("a loop works in it"));
    signal("-KILL", &child);
    child.wait().expect("it ends");
    wait_for(|| is_gone(&process).then_some(()));
    let (code, _, errors) = work.app(&["--loop", "3", "-o", "dir"]);
    assert_eq!(code, 4);
    assert!(errors.contains("diya tune --clean dir"), "{errors}");
    std::fs::write(work.at("dir/mine.txt"), "mine").expect("a file");
    let (code, said, _) = clean();
    assert_eq!((code, said.contains("removed dir/lock")), (0, true), "{said}");
    assert_eq!(work.names(), ["mine.txt"]);
    let made = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let begin = format!("diya-{}-", nobody_else());
    let left = std::fs::read_dir("/dev/shm").into_iter().flatten().flatten().map(made);
    assert_eq!(left.filter(|name| name.starts_with(&begin) && is_of(name, &process)).count(), 0);
}

/// The user of this process, in the names of folders for recordings.
fn nobody_else() -> u32 {
    use std::os::unix::fs::MetadataExt as _;
    std::fs::metadata("/proc/self").map_or(0, |about| about.uid())
}

/// Whether a folder holds the recording of a process.
fn is_of(folder: &str, process: &str) -> bool {
    let all = std::fs::read_dir(Path::new("/dev/shm").join(folder)).into_iter().flatten().flatten();
    all.map(|entry| entry.file_name().to_string_lossy().into_owned())
        .any(|name| name.contains(&format!(".{process}.")))
}

#[test]
fn wrong_command_lines_and_folders_are_named_before_anything_runs() {
    let work = Work::new("");
    std::fs::create_dir(work.at("full")).expect("a folder");
    std::fs::write(work.at("full/mine.txt"), "mine").expect("a file");
    let touch = ["touch", "started"];
    for (options, code, words) in [
        (&["--loop", "3", "-o", "full"][..], 4, "is not empty"),
        (&["--loop", "3", "-o", "full/mine.txt"], 4, "is no folder"),
        (&["--loop", "3", "-o", "no/such"], 4, "mkdir -p"),
        (&["--loop", "3", "--metric", "("], 2, "no regular expression"),
        (&["--loop", "3", "--lower-is-better"], 2, "--metric"),
        (&["--loop", "3", "--accept", "cb_nodes"], 2, "no setting with a risk"),
        (&["--loop", "0"], 2, "0 is not in"),
        (&["--loop", "3", "--minutes", "0"], 2, "expected minutes"),
        (&[], 2, "diya tune --loop 5 -- COMMAND"),
    ] {
        let (ended, _, errors) = work.run(options, &touch);
        assert_eq!(ended, code, "{options:?}: {errors}");
        assert!(errors.contains(words), "{options:?}: {errors}");
        assert!(!work.at("started").exists(), "{options:?}");
    }
    let (code, _, errors) = work.run(&["--loop", "3"], &[]);
    assert_eq!(code, 2);
    assert!(errors.contains("--loop needs a command"), "{errors}");
}

#[test]
fn time_and_room_that_are_too_small_are_named() {
    let work = Work::new("import time; time.sleep(30)");
    let (code, _, errors) = work.app(&["--loop", "3", "-o", "dir", "--minutes", "0.02"]);
    assert_eq!(code, 2, "{errors}");
    assert!(errors.contains("takes longer than --minutes"), "{errors}");
    assert!(!work.at("dir").exists());
    // Files of 2 KiB at most: the recording has no room.
    let work = Work::new("");
    let diya = env!("CARGO_BIN_EXE_diya");
    let script = format!("ulimit -f 2; exec {diya} tune --loop 3 -o dir -- python3 -c pass");
    let run = Command::new("bash").current_dir(work.folder.path()).args(["-c", &script]).output();
    let (code, _, errors) = told(run.expect("bash runs"));
    assert_eq!(code, 2, "{errors}");
    assert!(errors.contains("nothing was recorded, so there is no diagnosis"), "{errors}");
    assert!(!work.at("dir").exists(), "{errors}");
}
