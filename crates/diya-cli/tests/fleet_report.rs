//! `diya fleet report`: the page holds what the questions say, and names stay data.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use diya_fleet_logs::{Plan, Sample, write};
use diya_testkit::root;
use serde_json::{Value, json};
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Output};

fn diya(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_diya")).args(args).output().expect("it runs")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain name")
}

/// What stands in an element of the page.
fn content<'p>(page: &'p str, id: &str) -> &'p str {
    let (_, rest) = page.split_once(&format!("id=\"{id}\">")).expect("the element");
    rest.split_once('<').expect("its end").0
}

/// The tables of a page: its head in JSON, and the bytes of the columns.
struct Tables {
    head: Value,
    columns: Vec<u8>,
}

impl Tables {
    fn of(page: &str) -> Self {
        let packed = STANDARD.decode(content(page, "diya-tables")).expect("base64");
        let mut answer = Vec::new();
        flate2::read::DeflateDecoder::new(&packed[..]).read_to_end(&mut answer).expect("deflate");
        let length = u32::from_le_bytes(answer[4..8].try_into().expect("a length")) as usize;
        let head = serde_json::from_slice(&answer[8..8 + length]).expect("JSON");
        Self { head, columns: answer.split_off((8 + length).next_multiple_of(8)) }
    }

    fn bytes<const N: usize>(&self, column: &Value) -> impl Iterator<Item = [u8; N]> {
        let number = |at: usize| {
            let value = column["$column"][at].as_u64().expect("a number");
            usize::try_from(value).expect("a place")
        };
        let part = &self.columns[number(1)..number(1) + number(2) * N];
        part.chunks_exact(N).map(|chunk| chunk.try_into().expect("N bytes"))
    }

    fn sums(&self, column: &Value) -> Vec<i32> {
        let steps = self.bytes::<4>(column).map(i32::from_le_bytes);
        steps
            .scan(0_i32, |sum, step| {
                *sum = sum.wrapping_add(step);
                Some(*sum)
            })
            .collect()
    }

    /// A column as values.
    fn column(&self, table: &str, name: &str) -> Vec<Value> {
        let of = &self.head["tables"][table];
        let columns = of["columns"].as_array().expect("columns");
        let at = columns.iter().position(|column| column["name"] == name).expect("the column");
        let data = &of["data"][at];
        if data["numbers"].is_object() {
            let numbers = self.bytes::<8>(&data["numbers"]).map(f64::from_le_bytes);
            return numbers.map(|n| if n.is_nan() { Value::Null } else { json!(n) }).collect();
        }
        if data["steps"].is_object() {
            return self.sums(&data["steps"]).into_iter().map(|n| json!(f64::from(n))).collect();
        }
        let word = |code: i32| match usize::try_from(code - 1) {
            Ok(place) => self.head["words"][place].clone(),
            Err(_) => Value::Null,
        };
        self.sums(&data["codes"]).into_iter().map(word).collect()
    }
}

/// Numbers as one kind, as the page has them.
fn plain(value: &Value) -> Value {
    value.as_f64().map_or_else(|| value.clone(), |number| json!(number))
}

/// Threads add up in any order: the last digits of a sum differ.
fn rounded(values: &[Value]) -> Vec<String> {
    let text = |value: &Value| match value.as_f64() {
        Some(number) => format!("{number:.9e}"),
        None => value.to_string(),
    };
    values.iter().map(text).collect()
}

#[test]
fn the_page_holds_what_the_questions_say() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let samples = Sample::corpus(&root().join("corpus/logs")).expect("the corpus");
    write(&path("logs"), &samples, &Plan { jobs: 80, seed: 7, has_faults: true }).expect("written");
    std::fs::write(path("logs/<b>.darshan"), "no log").expect("written");
    let (logs, data) = (path("logs"), path("data"));
    assert!(diya(&["fleet", "ingest", text(&logs), "-o", text(&data)]).status.success());
    std::fs::create_dir(path("own")).expect("a folder");
    let own = "-- Ours </script><script>alert(1)</script>.\n--\n-- needs: job\n-- picture: table\n\
               -- name | str | name | a name\nselect '</script><script>alert(2)</script>' as name\n";
    std::fs::write(path("own/ours.sql"), own).expect("written");
    let broken = own.replace("select ", "select nothing_like_it, ");
    std::fs::write(path("own/wrong.sql"), broken).expect("written");

    let (out, own) = (path("page.html"), path("own"));
    let args = ["fleet", "report", text(&data), "-o", text(&out), "--questions", text(&own)];
    let done = diya(&args);
    assert_eq!(done.status.code(), Some(1), "one question has no answer");
    assert!(String::from_utf8_lossy(&done.stderr).contains("question wrong has no answer"));

    let page = std::fs::read_to_string(&out).expect("the page");
    assert_eq!(page.matches("<script").count(), 3, "those of the template");
    assert!(!page.contains("http://") || page.contains("http://www.w3.org/2000/svg"));
    let head: Value = serde_json::from_str(content(&page, "diya-report")).expect("JSON");
    assert_eq!(head["title"], "data");
    let questions = head["questions"].as_array().expect("questions");
    let built_in: Value =
        serde_json::from_slice(&diya(&["--json", "fleet", "ask"]).stdout).expect("JSON");
    assert_eq!(questions.len(), built_in.as_array().expect("a list").len() + 2);
    assert!(questions.iter().all(|of| of["error"].is_null() == (of["name"] != "wrong")));
    let tables = Tables::of(&page);
    let asked = |name: &str| -> Vec<Value> {
        let output = diya(&["--json", "fleet", "ask", text(&data), name]);
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    for (question, column) in [
        ("who", "name"),
        ("who", "io_core_hours"),
        ("coverage", "logs"),
        ("interfaces", "jobs"),
        ("lost", "io_ratio"),
    ] {
        let expected: Vec<Value> = asked(question).iter().map(|row| plain(&row[column])).collect();
        assert!(!expected.is_empty());
        let shown = tables.column(&format!("answer/{question}"), column);
        assert_eq!(rounded(&shown), rounded(&expected), "{question}");
    }
    let jobs = tables.column("jobs", "path").len();
    assert_eq!(head["totals"]["jobs"], jobs);
    let files = head["files"].as_array().expect("files");
    let of = |status: &str| files.iter().find(|file| file["status"] == status).expect("there");
    assert_eq!(of("ok")["files"], jobs);
    assert_eq!(tables.column("answer/ours", "name"), [json!("</script><script>alert(2)</script>")]);

    let few = diya(&["fleet", "report", text(&data), "-o", text(&out), "--limit", "5"]);
    assert!(few.status.success());
    let page = std::fs::read_to_string(&out).expect("the page");
    assert_eq!(Tables::of(&page).column("jobs", "path").len(), 5);
}
