//! Paragraphs of a check, each with the condition that stands before it: `{if = "one rank is late"}`.

use diya_findings::{Condition, Paragraph, Paragraphs};

use crate::CheckError;
use crate::page::Section;

/// How a condition begins.
const BEGIN: &str = "{if = \"";

/// How a condition ends.
const END: &str = "\"}";

/// The paragraphs of a text that begins in this line.
pub(crate) fn read(path: &str, line: usize, text: &str) -> Result<Paragraphs, CheckError> {
    let mut line = line;
    let mut all = Vec::new();
    for part in text.split("\n\n") {
        all.push(paragraph(path, line, part)?);
        line += part.matches('\n').count() + 2;
    }
    Ok(Paragraphs(all))
}

/// One paragraph, or one item of a list.
pub(crate) fn paragraph(path: &str, line: usize, text: &str) -> Result<Paragraph, CheckError> {
    let wrong = |what: String| Err(CheckError::page(path, line, what));
    // Words that nobody asks would be shown to everyone.
    if let Some((_, rest)) = text.split_once(&format!("\n{BEGIN}")) {
        let name = rest.split('"').next().unwrap_or_default();
        return wrong(format!("{name:?} is not the beginning: put an empty line before it"));
    }
    let Some(rest) = text.trim_start().strip_prefix(BEGIN) else {
        let is_label = |of: &Condition| text.starts_with(&format!("{}: ", of.label()));
        return match Condition::ALL.into_iter().find(is_label) {
            Some(of) => {
                wrong(format!("write {BEGIN}{}{END} instead of {:?}", of.name(), of.label()))
            }
            None => Ok(Paragraph { condition: None, text: text.to_owned() }),
        };
    };
    let Some((name, rest)) = rest.split_once(END) else {
        return wrong(format!("the condition is not closed by {END}"));
    };
    let Some(condition) = Condition::from_name(name) else {
        let names = Condition::ALL.map(Condition::name).join(", ");
        return wrong(format!("{name:?} is no condition; there are: {names}"));
    };
    Ok(Paragraph { condition: Some(condition), text: rest.trim_start().to_owned() })
}

/// Line of the first word below a heading.
pub(crate) fn first_line(section: &Section<'_>) -> usize {
    let blank = section.lines.iter().take_while(|line| line.trim().is_empty()).count();
    section.line + 1 + blank
}

/// The conditions of a page that the evidence answers: line, condition and column.
pub(crate) fn of_evidence(sections: &[Section<'_>]) -> Vec<(usize, Condition, &'static str)> {
    let numbered = sections.iter().flat_map(|section| (section.line + 1..).zip(&section.lines));
    let condition = |(line, text): (usize, &&str)| {
        let text = text.trim_start().trim_start_matches("- ");
        let (name, _) = text.strip_prefix(BEGIN)?.split_once(END)?;
        let condition = Condition::from_name(name)?;
        Some((line, condition, condition.flag()?.0))
    };
    numbered.filter_map(condition).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_is_read_with_its_paragraph() {
        let text = "Do.\n\n{if = \"several nodes\"} copy it\nonce.\n\nLast.";
        let all = read("a.md", 3, text).unwrap();
        let conditions: Vec<Option<Condition>> = all.0.iter().map(|part| part.condition).collect();
        assert_eq!(conditions, [None, Some(Condition::SeveralNodes), None]);
        assert_eq!(all.0[1].text, "copy it\nonce.");
        assert!(all.labelled().contains("Several nodes: copy it\nonce."));
    }

    #[test]
    fn a_condition_that_is_none_is_told_by_line() {
        let error = read("a.md", 3, "Do.\n\n{if = \"it rains\"} wait.").unwrap_err().to_string();
        assert!(error.starts_with("a.md:5: \"it rains\" is no condition; there are: "), "{error}");
        let error = read("a.md", 3, "{if = \"it rains").unwrap_err().to_string();
        assert_eq!(error, "a.md:3: the condition is not closed by \"}");
    }
    #[test]
    fn a_condition_that_nobody_would_ask_is_told_by_line() {
        let told = |text: &str| read("a.md", 3, text).unwrap_err().to_string();
        assert_eq!(
            told("Do.\n\nSeveral nodes: copy it once."),
            "a.md:5: write {if = \"several nodes\"} instead of \"Several nodes\""
        );
        assert_eq!(
            told("Do.\n{if = \"reading\"} ask."),
            "a.md:3: \"reading\" is not the beginning: put an empty line before it"
        );
    }
}
