//! `diya fleet watch`: a digest of each day, on a fleet whose faults are known.

use diya_fleet_logs::{Plan, Sample, write};
use diya_testkit::root;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// A folder with a dataset, a state and digests.
struct WatchedFleet {
    folder: TempDir,
    hour: u32,
}

impl WatchedFleet {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder"), hour: 0 }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn logs(&self, name: &str, jobs: u32) -> PathBuf {
        let samples = Sample::corpus(&root().join("corpus/logs")).expect("the corpus");
        let plan = Plan { jobs, seed: 1, has_faults: true };
        write(&self.at(name), &samples, &plan).expect("written");
        self.at(name)
    }

    /// A watch of these logs on a day, with more arguments.
    fn watch(&mut self, new: &[&Path], day: &str, more: &[&str]) -> Output {
        self.hour += 1;
        let mut command = Command::new(env!("CARGO_BIN_EXE_diya"));
        command.args(["fleet", "watch"]).arg(self.at("data"));
        command.arg("--state").arg(self.at("state.json")).arg("-o").arg(self.at("digests"));
        command.args(["--now", &format!("{day}T{:02}:00:00Z", self.hour), "--json"]).args(more);
        if !new.is_empty() {
            command.arg("--new").args(new);
        }
        command.output().expect("it runs")
    }

    /// The digest of a watch that has to succeed.
    fn digest(&mut self, new: &[&Path], day: &str, more: &[&str]) -> serde_json::Value {
        let said = self.watch(new, day, more);
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        serde_json::from_slice(&said.stdout).expect("JSON")
    }

    /// The newest digest of a form.
    fn newest(&self, ending: &str) -> String {
        let files = std::fs::read_dir(self.at("digests")).expect("a folder").flatten();
        let mut paths: Vec<_> = files.map(|file| file.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|e| e == ending));
        paths.sort();
        std::fs::read_to_string(paths.last().expect("a digest")).expect("text")
    }
}

/// Problems of a kind, as question and a column.
fn problems(digest: &serde_json::Value, kind: &str, column: &str) -> Vec<String> {
    let sections = digest["sections"].as_array().expect("sections").iter();
    let of = sections.filter(|section| section["kind"] == kind).flat_map(|section| {
        let changes = section["changes"].as_array().expect("changes").iter();
        changes.map(|change| {
            format!("{} {}", section["question"].as_str().unwrap_or(""), change["row"][column])
        })
    });
    of.collect()
}

#[test]
fn a_planted_problem_is_new_once_and_nothing_is_reported_twice() {
    let mut fleet = WatchedFleet::new();
    let logs = fleet.logs("logs", 1000);
    let options = ["--no-findings", "--days", "30", "--prometheus"];
    let series = fleet.at("fleet.prom");
    let options = [&options[..], &[series.to_str().expect("plain")]].concat();
    let first = fleet.digest(&[&logs], "2026-04-01", &options);
    assert!(first["ingested"]["logs"].as_u64() > Some(900));
    assert_eq!(problems(&first, "new", "user_name"), ["targets null", "regressions \"ines\""]);
    assert_eq!(problems(&first, "new", "ost_id"), ["targets 7", "regressions null"]);
    let text = std::fs::read_to_string(&series).expect("written");
    assert!(text.contains("diya_fleet_open_problems{question=\"targets\"} 1\n"), "{text}");
    assert!(text.contains("diya_fleet_new_problems{question=\"regressions\"} 1\n"), "{text}");
    for name in ["ines", "weather_grid", ".darshan"] {
        assert!(!text.contains(name), "{name}");
    }
    let second = fleet.digest(&[&logs], "2026-04-02", &options);
    assert_eq!(second["ingested"]["logs"], 0);
    assert_eq!(second["sections"], serde_json::json!([]));
    // The slow days lie behind, and jobs ran since: but none after the last digest.
    let third = fleet.digest(&[], "2026-04-03", &["--days", "5"]);
    assert_eq!(problems(&third, "fixed", "ost_id"), Vec::<String>::new());
}

#[test]
fn nobody_is_called_twice_within_the_quiet_days() {
    let mut fleet = WatchedFleet::new();
    let logs = fleet.logs("logs", 120);
    let users = |digest: &serde_json::Value| {
        let calls = digest["calls"].as_array().expect("calls").clone();
        calls
            .iter()
            .map(|call| call["user_name"].as_str().unwrap_or("").to_owned())
            .collect::<Vec<_>>()
    };
    let options = ["--quiet-days", "14", "--calls", "2", "--days", "60"];
    let first = users(&fleet.digest(&[&logs], "2026-04-01", &options));
    assert_eq!(first.len(), 2, "{first:?}");
    let markdown = fleet.newest("md");
    assert!(
        markdown.contains(&format!("Hello {},", first[0])) && markdown.contains("diya report /")
    );
    let second = users(&fleet.digest(&[], "2026-04-02", &options));
    assert!(second.iter().all(|user| !first.contains(user)), "{first:?} {second:?}");
    let later = users(&fleet.digest(&[], "2026-04-15", &options));
    assert_eq!(later, first);
}

#[test]
fn a_hook_gets_json_and_what_it_did_not_take_comes_again() {
    let mut fleet = WatchedFleet::new();
    let logs = fleet.logs("logs", 20);
    let options = ["--no-findings", "--hook", "exit 3"];
    let said = fleet.watch(&[&logs], "2026-04-01", &options);
    assert_eq!(said.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&said.stderr).contains("the next run sends the digest again"));
    let taken = fleet.at("taken");
    let hook = format!("cat >>'{}'; echo >>'{}'", taken.display(), taken.display());
    fleet.digest(&[], "2026-04-02", &["--hook", &hook]);
    let text = std::fs::read_to_string(&taken).expect("written");
    let times: Vec<_> = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON")["time"].clone())
        .collect();
    assert_eq!(times, ["2026-04-01T01:00:00Z", "2026-04-02T02:00:00Z"]);
    let slow = fleet.watch(&[], "2026-04-03", &["--hook", "sleep 30", "--hook-timeout", "1"]);
    assert!(String::from_utf8_lossy(&slow.stderr).contains("more than 1 s"));
}

#[test]
fn hostile_names_stay_text_in_every_form() {
    let mut fleet = WatchedFleet::new();
    let logs = fleet.logs("logs", 60);
    let hostile = "<img src=x onerror=alert(1)>|`[a](http:b)**\n# x\u{202e}";
    let folder = fleet.at("logs").join(hostile.replace('/', ""));
    std::fs::rename(logs.join("2026"), &folder).expect("renamed");
    fleet.digest(&[&folder], "2026-04-01", &["--days", "60", "--calls", "5"]);
    let (markdown, html) = (fleet.newest("md"), fleet.newest("html"));
    for text in [&markdown, &html] {
        assert!(text.contains("onerror") && !text.contains('\u{202e}'));
        assert!(text.lines().all(|line| !line.starts_with("# x")));
    }
    assert!(!html.contains("<img"), "{html}");
    // In Markdown only inside of code, which shows it as it is.
    let mut is_code = false;
    for line in markdown.lines() {
        is_code ^= line.starts_with("```");
        assert!(is_code || !line.contains("<img"), "{line}");
    }
    for line in fleet.newest("jsonl").lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("JSON");
    }
}

#[test]
fn a_state_of_something_else_is_refused() {
    let mut fleet = WatchedFleet::new();
    let logs = fleet.logs("logs", 5);
    std::fs::write(fleet.at("state.json"), "[]").expect("written");
    let said = fleet.watch(&[&logs], "2026-04-01", &["--no-findings"]);
    assert_eq!(said.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&said.stderr).contains("no state of `diya fleet watch`"));
}

/// A question of a site: its rows come, grow and go with the number of jobs.
const SEEN_RARELY: &str = "\
-- Which users have fewer than ten jobs.
-- needs: job
-- watch: key=system,user_name value=jobs up ran=system,user_name
-- system | str | name | system
-- user_name | str | name | user
-- jobs | i64 | jobs | jobs
select system, user_name, count(*) as jobs from job group by system, user_name having count(*) < 10
";

#[test]
fn questions_of_a_site_are_watched_too_and_tell_worse_from_fixed() {
    let mut fleet = WatchedFleet::new();
    let (few, more) = (fleet.logs("few", 20), fleet.logs("more", 60));
    let own = fleet.at("questions");
    std::fs::create_dir(&own).expect("a folder");
    std::fs::write(own.join("seen-rarely.sql"), SEEN_RARELY).expect("written");
    let options = ["--no-findings", "--questions", own.to_str().expect("plain")];
    let first = fleet.digest(&[&few], "2026-04-01", &options);
    let mine = |digest: &serde_json::Value, kind: &str| -> Vec<String> {
        let all = problems(digest, kind, "user_name").into_iter();
        all.filter_map(|text| text.strip_prefix("seen-rarely ").map(str::to_owned)).collect()
    };
    let new = mine(&first, "new");
    assert!(new.len() > 3, "{new:?}");
    let second = fleet.digest(&[&more], "2026-04-02", &options);
    let (worse, fixed) = (mine(&second, "worse"), mine(&second, "fixed"));
    assert!(!worse.is_empty() && !fixed.is_empty(), "{second}");
    assert!(worse.iter().chain(&fixed).all(|user| new.contains(user)));
    assert!(worse.iter().all(|user| !fixed.contains(user)));
    assert!(fleet.newest("md").contains("| jobs before |"));
    let third = fleet.digest(&[&more], "2026-04-03", &options);
    assert_eq!(third["sections"], serde_json::json!([]));
}
