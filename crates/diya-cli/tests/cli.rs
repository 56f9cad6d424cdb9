//! The program as a user runs it.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn corpus(log: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/logs").join(log)
}

const LOG: &str = "ior_mpiio_coll_hints.darshan";

fn diya(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_diya")).args(args).output().expect("diya runs")
}

fn with_log(command: &str, rest: &[&str]) -> Output {
    let log = corpus(LOG);
    let mut args = vec![command, log.to_str().expect("a plain path")];
    args.extend(rest);
    diya(&args)
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A folder of this test's own.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    folder
}

fn piped(args: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_diya"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("diya runs");
    child.stdin.take().expect("a pipe").write_all(input).expect("diya reads its input");
    child.wait_with_output().expect("diya ends")
}

/// What is wrong with a log is one line on standard error, and code 2.
fn assert_refused(args: &[&str], words: &[&str]) {
    let output = diya(args);
    let text = err(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
    assert_eq!(text.trim_end().lines().count(), 1, "{args:?}: {text}");
    for word in words {
        assert!(text.contains(word), "{args:?}: {text:?} does not say {word:?}");
    }
}

#[test]
fn what_is_no_log_is_refused_in_one_line() {
    let folder = scratch("refused");
    let empty = folder.join("empty.darshan");
    std::fs::write(&empty, b"").expect("a file");
    let text = folder.join("notes.txt");
    std::fs::write(&text, b"these are notes about a log, but no log").expect("a file");
    let path = |p: &Path| p.to_str().expect("a plain path").to_string();
    for command in ["info", "tables", "dump"] {
        assert_refused(&[command, "missing.darshan"], &["missing.darshan", "no such file"]);
        // The folder holds that file.
        assert_refused(&[command, &path(&folder)], &["empty", "expected"]);
        assert_refused(&[command, &path(&empty)], &["empty", "expected"]);
        assert_refused(
            &[command, &path(&text)],
            &["not a log that diya reads", "byte", "expected"],
        );
    }
}

#[test]
fn one_bad_log_among_good_ones_is_named_and_the_others_are_read() {
    let folder = scratch("mixed");
    let bad = folder.join("bad.darshan");
    std::fs::write(&bad, b"no log").expect("a file");
    let output = with_log(
        "sql",
        &[bad.to_str().expect("a plain path"), "select count(*) as n from job", "--format", "csv"],
    );
    assert_eq!(output.status.code(), Some(1), "{}", err(&output));
    assert_eq!(out(&output), "n\n1\n");
    assert!(err(&output).contains("bad.darshan"));
}

#[test]
fn logs_come_from_pipes_and_from_archives() {
    let log = std::fs::read(corpus(LOG)).expect("a log of the corpus");
    let query = "select count(*) as n from call";
    let expected = out(&with_log("sql", &[query, "--format", "csv"]));
    assert!(expected.starts_with("n\n") && expected != "n\n0\n");
    assert_eq!(out(&piped(&["sql", "-", query, "--format", "csv"], &log)), expected);

    let folder = scratch("archives");
    std::fs::write(folder.join(LOG), &log).expect("a file");
    let packed = |program: &str, args: &[&str], archive: &str| {
        let made = Command::new(program).current_dir(&folder).args(args).output();
        if !made.is_ok_and(|o| o.status.success()) {
            diya_testkit::skip(&format!("no {program} here: {archive} is not tested"));
            return;
        }
        let archive = folder.join(archive);
        let archive = archive.to_str().expect("a plain path");
        let output = diya(&["sql", archive, query, "--format", "csv"]);
        assert_eq!(out(&output), expected, "{archive}: {}", err(&output));
    };
    packed("tar", &["cf", "logs.tar", LOG], "logs.tar");
    packed("tar", &["czf", "logs.tar.gz", LOG], "logs.tar.gz");
    packed("gzip", &["-k", LOG], &format!("{LOG}.gz"));
    let python = "import sys,zipfile; zipfile.ZipFile(sys.argv[1],'w',8).write(sys.argv[2])";
    packed("python3", &["-c", python, "logs.zip", LOG], "logs.zip");
}

#[test]
fn several_logs_are_told_apart_by_the_key_log() {
    let log = corpus(LOG);
    let other = corpus("stdio_text.darshan");
    let paths = [log.to_str().expect("plain"), other.to_str().expect("plain")];
    let query = "select log, nprocs from job order by log";
    let output = diya(&["sql", paths[0], paths[1], query, "--format", "csv"]);
    assert_eq!(out(&output), "log,nprocs\n0,8\n1,4\n");
}

#[test]
fn a_wrong_query_says_what_is_wrong_and_ends_with_3() {
    let output = with_log("sql", &["select nothing from posix"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(err(&output).contains("nothing"), "{}", err(&output));
    let output = with_log("sql", &["drop table posix"]);
    assert_eq!(output.status.code(), Some(3), "{}", err(&output));
}

#[test]
fn a_query_comes_from_a_file_and_its_rows_go_to_one() {
    let folder = scratch("files");
    let (query, rows) = (folder.join("q.sql"), folder.join("rows.csv"));
    std::fs::write(&query, "select sum(writes) as writes\nfrom mpiio;\n").expect("a file");
    let (query, rows_text) = (query.to_str().expect("plain"), rows.to_str().expect("plain"));
    let output = with_log("sql", &["-f", query, "-o", rows_text, "--format", "csv"]);
    assert_ne!(output.status.code(), Some(0), "mpiio has no column writes");
    std::fs::write(query, "select sum(coll_writes) as writes from mpiio").expect("a file");
    let output = with_log("sql", &["-f", query, "-o", rows_text, "--format", "csv"]);
    assert!(output.status.success(), "{}", err(&output));
    assert_eq!(std::fs::read_to_string(rows).expect("rows"), "writes\n512\n");
}

#[test]
fn every_command_prints_json() {
    let folder = scratch("json");
    let target = folder.to_str().expect("plain");
    let commands: [&[&str]; 6] = [
        &["info", "--json"],
        &["tables", "--json"],
        &["tables", "posix", "--json"],
        &["dump", "--json"],
        &["sql", "select 1 as one", "--json"],
        &["export", "-o", target, "--json"],
    ];
    for command in commands {
        let output = with_log(command[0], &command[1..]);
        assert!(output.status.success(), "{command:?}: {}", err(&output));
        let json: Result<serde_json::Value, _> = serde_json::from_slice(&output.stdout);
        assert!(json.is_ok(), "{command:?}: {json:?}");
    }
    let tables: serde_json::Value =
        serde_json::from_slice(&diya(&["tables", "--json"]).stdout).expect("JSON");
    assert!(tables.as_array().is_some_and(|t| t.len() > 20));
}

#[test]
fn functions_of_the_query_language_work() {
    let query = "select ratio(1, 2) as half, ratio(1, 0) as nothing, bytes_text(1048576) as mib, \
                 base_name('/a/b') as name, percentile(size_bytes, 0.5) as median from call";
    let output = with_log("sql", &[query, "--format", "csv"]);
    assert!(output.status.success(), "{}", err(&output));
    assert!(out(&output).contains("0.5,,1.00 MiB,b,"), "{}", out(&output));
}

#[test]
fn ranks_and_paths_narrow_what_is_read() {
    let count = |rest: &[&str]| {
        let mut args = vec![
            "select count(*) as n, min(rank) as a, max(rank) as b from call",
            "--format",
            "csv",
        ];
        args.extend(rest);
        out(&with_log("sql", &args))
    };
    assert!(count(&["--ranks", "2-3"]).contains(",2,3"));
    assert!(count(&["--path", "no such path"]).contains("0,,"));
}

#[test]
fn a_reader_that_has_had_enough_is_no_failure() {
    let log = corpus(LOG);
    let mut child = Command::new(env!("CARGO_BIN_EXE_diya"))
        .args(["dump", "--base", log.to_str().expect("plain")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("diya runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("diya ends");
    assert!(output.status.success(), "{}", err(&output));
    assert_eq!(err(&output), "");
}

#[test]
fn a_chrome_trace_has_a_slice_per_call() {
    let folder = scratch("chrome");
    let path = folder.join("trace.json");
    let output = with_log("export", &["--format", "chrome", "-o", path.to_str().expect("plain")]);
    assert!(output.status.success(), "{}", err(&output));
    let text = std::fs::read_to_string(&path).expect("a trace");
    let trace: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("events");
    let slices = events.iter().filter(|e| e["ph"] == "X").count();
    let calls = out(&with_log("sql", &["select count(*) as n from call", "--format", "csv"]));
    assert_eq!(format!("n\n{slices}\n"), calls);
}

#[test]
fn man_pages_and_completions_come_from_the_command_line() {
    let folder = scratch("manual");
    assert!(diya(&["manual", folder.to_str().expect("plain")]).status.success());
    let page = std::fs::read_to_string(folder.join("diya-sql.1")).expect("a page");
    let examples = page.split(".SH NOTES\n.nf\n").nth(1).expect("examples");
    assert!(examples.starts_with("Examples:\n") && examples.contains("\n.fi\n"), "{page}");
    assert!(folder.join("diya-fleet-ask.1").exists());
    assert!(!folder.join("diya-guard.1").exists(), "hidden commands have no page");
    assert!(out(&diya(&["completions", "bash"])).contains("diya"));
}

/// The policy of a page names its script by a hash: one byte changed on the way to the
/// file, and no browser runs it.
#[test]
fn a_page_in_a_file_has_the_script_that_was_built() {
    let built = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/dist/report.html");
    let template = std::fs::read_to_string(built).expect("scripts/page.sh builds it");
    let start = template.find("<script>").expect("a script");
    let end = template[start..].find("</script>").expect("its end") + start;
    let page = scratch("page").join("page.html");
    let output = with_log("report", &["--html", page.to_str().expect("a plain path")]);
    assert!(output.status.success(), "{}", err(&output));
    let page = std::fs::read_to_string(page).expect("a page");
    assert!(page.contains(&template[start..end]), "the script of the page is another one");
}
