//! Small made-up reports, and what they look like in each format.
//!
//! `DIYA_BLESS=1 cargo test -p diya-report golden` writes the files of
//! `tests/golden` anew; the diff is to be read before it is committed.

use std::fs;
use std::path::PathBuf;

use diya_report::comparison::Comparison;
use diya_report::{
    Detail, Report, TextOptions, write_brief_markdown, write_comparison_json,
    write_comparison_markdown, write_comparison_text, write_csv, write_json, write_markdown,
    write_sarif, write_text,
};

const SAMPLES: [&str; 4] = ["slow", "fine", "hostile", "empty"];

/// What the facade says of the samples: the JSON files have numbers only.
const VERDICTS: [(&str, &str); 3] = [
    (
        "slow",
        "I/O takes 12.0 s of the 80.0 s run (15 %): write 9.0 s, sync 1.8 s, waiting and data \
         exchange between ranks 1.0 s, metadata 0.2 s; computing and other work: 68.0 s. 2 \
         findings are worth a fix; all fixes together save about 8.4 s (6 to 9).",
    ),
    ("fine", "I/O is not the problem: it takes 0.8 s of the 10 min 00 s run (0.1 %)."),
    ("empty", "Could not be judged: I/O time was not recorded."),
];

fn folder(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn sample(name: &str) -> Report {
    if name == "empty" {
        return Report::default();
    }
    let text = fs::read_to_string(folder("samples").join(format!("{name}.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// With its verdict in words.
fn said(name: &str) -> Report {
    let mut report = sample(name);
    if let Some((_, text)) = VERDICTS.iter().find(|(of, _)| *of == name) {
        report.verdict.text = (*text).to_owned();
    }
    report
}

/// Compares with the golden file, or writes it.
fn is_golden(file: &str, text: &[u8]) {
    let path = folder("golden").join(file);
    if std::env::var_os("DIYA_BLESS").is_some() {
        fs::write(&path, text).unwrap();
    }
    let golden = fs::read(&path).unwrap_or_default();
    assert!(
        golden == text,
        "{file} differs; read it, then DIYA_BLESS=1. It is now:\n{}",
        String::from_utf8_lossy(text)
    );
}

fn text(report: &Report, columns: usize, colour: bool, detail: Detail) -> Vec<u8> {
    let mut out = Vec::new();
    write_text(&mut out, report, &TextOptions { columns, colour, detail }).unwrap();
    out
}

#[test]
fn text_is_as_it_was_reviewed() {
    for name in SAMPLES {
        let report = said(name);
        is_golden(&format!("{name}.txt"), &text(&report, 80, false, Detail::Normal));
        is_golden(&format!("{name}-brief.txt"), &text(&report, 80, false, Detail::Brief));
    }
    let slow = said("slow");
    is_golden("slow-verbose.txt", &text(&slow, 100, false, Detail::Verbose));
    is_golden("slow-narrow.txt", &text(&slow, 46, false, Detail::Normal));
    is_golden("slow-colour.txt", &text(&slow, 80, true, Detail::Normal));
}

#[test]
fn files_for_others_are_as_they_were_reviewed() {
    let mut all = Vec::new();
    for name in SAMPLES {
        let report = sample(name);
        let mut page = Vec::new();
        write_markdown(&mut page, &report).unwrap();
        is_golden(&format!("{name}.md"), &page);
        let mut brief = Vec::new();
        write_brief_markdown(&mut brief, &report).unwrap();
        let words = String::from_utf8(brief).unwrap().split_whitespace().count();
        assert!((1..=400).contains(&words), "{name}: {words} words");
        all.push(report);
    }
    let (mut rows, mut results) = (Vec::new(), Vec::new());
    write_csv(&mut rows, &all).unwrap();
    is_golden("all.csv", &rows);
    write_sarif(&mut results, &all[..2]).unwrap();
    is_golden("two.sarif", &results);
}

#[test]
fn a_comparison_is_as_it_was_reviewed() {
    let json = fs::read_to_string(folder("samples").join("comparison.json")).unwrap();
    let comparison: Comparison = serde_json::from_str(&json).unwrap();
    let text = |detail| {
        let mut out = Vec::new();
        let options = TextOptions { columns: 80, colour: false, detail };
        write_comparison_text(&mut out, &comparison, &options).unwrap();
        assert!(!String::from_utf8_lossy(&out).contains(is_harmful));
        out
    };
    is_golden("comparison.txt", &text(Detail::Normal));
    is_golden("comparison-brief.txt", &text(Detail::Brief));
    is_golden("comparison-verbose.txt", &text(Detail::Verbose));
    let (mut page, mut again) = (Vec::new(), Vec::new());
    write_comparison_markdown(&mut page, &comparison).unwrap();
    is_golden("comparison.md", &page);
    write_comparison_json(&mut again, &comparison).unwrap();
    assert_eq!(serde_json::from_slice::<Comparison>(&again).unwrap(), comparison);
}

#[test]
fn lines_fit_the_terminal() {
    // What is there to be copied is not broken.
    let is_code = |line: &str| line.contains("hid_t") || line.contains("H5P");
    for name in SAMPLES {
        for (columns, detail) in [(80, Detail::Normal), (60, Detail::Brief), (100, Detail::Verbose)]
        {
            let text = String::from_utf8(text(&said(name), columns, false, detail)).unwrap();
            for line in text.lines().filter(|line| !is_code(line)) {
                assert!(line.chars().count() <= columns, "{name}, {columns} columns: {line}");
            }
        }
    }
}

fn is_harmful(c: char) -> bool {
    (c.is_control() && c != '\n') || c == '\u{202e}'
}

#[test]
fn nothing_of_a_log_reaches_the_terminal_raw() {
    let hostile = sample("hostile");
    for detail in [Detail::Brief, Detail::Normal, Detail::Verbose] {
        let text = String::from_utf8(text(&hostile, 80, false, detail)).unwrap();
        assert!(!text.contains(is_harmful), "{text:?}");
        assert!(text.len() < 12_000, "a long name fills {} bytes", text.len());
    }
    let (mut page, mut rows, mut results, mut json) = (vec![], vec![], vec![], vec![]);
    write_markdown(&mut page, &hostile).unwrap();
    write_csv(&mut rows, std::slice::from_ref(&hostile)).unwrap();
    write_sarif(&mut results, std::slice::from_ref(&hostile)).unwrap();
    write_json(&mut json, &hostile).unwrap();
    for format in [page, rows, results, json] {
        let text = String::from_utf8(format).unwrap();
        assert!(!text.contains(is_harmful), "{text:?}");
    }
}

#[test]
fn a_log_writes_no_markup() {
    let mut page = Vec::new();
    write_markdown(&mut page, &sample("hostile")).unwrap();
    let page = String::from_utf8(page).unwrap();
    // The action of a check is Markdown of the facility; all else is text.
    let outside_code = page.replace("<script>alert(2)</script>", "");
    for (place, part) in outside_code.split("``").enumerate().filter(|(place, _)| place % 2 == 0) {
        assert!(!part.contains("<script>"), "part {place}: {part}");
    }
}
