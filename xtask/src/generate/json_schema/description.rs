//! The description of a field, and its value when it is missing.

use super::node::Node;
use super::types::{Field, Form};

/// What readers take for a field that is missing, or a word that they do not know.
pub fn default(field: &Field, is_optional: bool, choice: Option<&Form>) -> Option<Node> {
    match choice {
        Some(Form::Words { .. }) if is_optional => Some(Node::Plain(serde_json::Value::Null)),
        Some(Form::Words { default, .. }) => default.as_deref().map(Node::from),
        _ if field.skip_if.as_deref() == Some("String::is_empty") => Some(Node::from("")),
        _ => None,
    }
}

/// The doc in the words of JSON, with what each word means.
pub fn description(field: &Field, choice: Option<&Form>) -> Result<String, String> {
    let mut text = field.doc.clone();
    if text.is_empty() {
        return Err("it has no doc: readers of the JSON need one".to_owned());
    }
    match field.skip_if {
        Some(_) => {
            for nothing in ["`None`:", "empty:", "`false`:"] {
                text = text.replace(nothing, "missing:");
            }
        }
        None => text = text.replace("`None`:", "null:"),
    }
    if text.contains("`None`") {
        return Err("its doc says `None`: say it as \"; `None`: not recorded\"".to_owned());
    }
    let Some(Form::Words { words, .. }) = choice else { return Ok(text) };
    let meanings: Vec<String> = words
        .iter()
        .filter(|(_, doc)| !doc.is_empty())
        .map(|(word, doc)| format!("{word}: {}", in_sentence(doc.trim_end_matches('.'))))
        .collect();
    Ok(if meanings.is_empty() { text } else { format!("{text} {}.", meanings.join("; ")) })
}

/// With a small first letter, unless it is part of a name such as I/O.
fn in_sentence(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) if second.is_lowercase() || second == ' ' => {
            first.to_lowercase().chain(text.chars().skip(1)).collect()
        }
        _ => text.to_owned(),
    }
}
