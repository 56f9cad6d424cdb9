//! The types of the page follow from those of the questions; questions are known by their name.

use super::*;
use ts_rs::{Config, TS};

/// The page's types, as they follow from those above.
fn typescript() -> String {
    let config = Config::default();
    let types = [
        Question::decl(&config),
        DescribeQuestion::decl(&config),
        ReportQuestion::decl(&config),
        ActivityQuestion::decl(&config),
        NearestCallQuestion::decl(&config),
        CallQuestion::decl(&config),
        CallsQuestion::decl(&config),
        AreaQuestion::decl(&config),
        TreeQuestion::decl(&config),
        StackQuestion::decl(&config),
        SqlQuestion::decl(&config),
        CallFilter::decl(&config),
        TileQuestion::decl(&config),
        TileAxis::decl(&config),
        AxisOf::decl(&config),
        TrackOrder::decl(&config),
        Plane::decl(&config),
        OrderBy::decl(&config),
        TableQuestion::decl(&config),
        TableSort::decl(&config),
    ];
    let head = "// Made from crates/diya-questions/src/lib.rs; to make it again:\n\
                // DIYA_BLESS=1 cargo test -p diya-questions\n\n\
                import type { Kind } from \"../../base/kinds\";\n\
                import type { FileIndex, Seconds, Track } from \"../../base/units\";\n";
    let text = types.iter().fold(head.to_owned(), |text, one| format!("{text}\nexport {one}\n"));
    text.lines().map(|line| frozen(line) + "\n").collect()
}

/// A field is not changed once a question is made.
fn frozen(line: &str) -> String {
    let name: &str = line.split_once(':').map_or("", |(name, _)| name.trim_end_matches('?'));
    let is_field = !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    format!("{}{line}", if is_field { "readonly " } else { "" })
}

#[test]
fn the_page_asks_with_these_types() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/data/generated/questions.ts");
    if std::env::var_os("DIYA_BLESS").is_some() {
        std::fs::write(file, typescript()).unwrap();
    }
    assert_eq!(std::fs::read_to_string(file).unwrap_or_default(), typescript());
}

#[test]
fn a_question_is_known_by_its_method() {
    let asked = Question::parse(br#"{"method":"call","index":7}"#);
    assert_eq!(asked, Ok(Question::Call(CallQuestion { index: 7 })));
    for wrong in [r#"{"method":"drop"}"#, r#"{"x":"method"}"#, "no json", r#"{"method":"call"}"#] {
        assert!(Question::parse(wrong.as_bytes()).is_err(), "{wrong}");
    }
}
