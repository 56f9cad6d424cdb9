//! What a check advises: actions per software stack, gains seen, warnings.

use diya_findings::{Paragraph, Paragraphs};

use crate::gap::Template;
use crate::page::Section;
use crate::paragraphs;
use crate::{Action, CheckError};

/// The section "What to do".
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Remedy {
    /// Actions, the general one first, for no run in particular.
    pub actions: Vec<Action>,
    /// Their texts with gaps for what the run has, and their paragraphs, in the same order.
    pub(crate) templates: Vec<(Template, Paragraphs)>,
    /// Gains seen elsewhere, with their sources: no promises. Empty where none is published.
    pub gain: Paragraphs,
    /// When the actions do harm.
    pub contraindications: Vec<Paragraph>,
}

const GAIN: &str = "Gain seen elsewhere";
const CONTRAINDICATIONS: &str = "Contraindications";

impl Remedy {
    pub(crate) fn read(path: &str, section: &Section<'_>) -> Result<Self, CheckError> {
        let (before, parts) = section.split("### ");
        let mut remedy = Self::default();
        let general: Vec<&str> = before.iter().map(|(_, line)| *line).collect();
        let general = general.join("\n").trim().to_owned();
        if !general.is_empty() {
            remedy.add(
                path,
                paragraphs::first_line(section),
                Action { stack: "any".to_owned(), text: general, ..Action::default() },
            )?;
        }
        for part in &parts {
            let text = part.text();
            if text.is_empty() {
                let what = format!("nothing stands under `### {}`", part.heading);
                return Err(CheckError::page(path, part.line, what));
            }
            let line = paragraphs::first_line(part);
            match part.heading {
                GAIN => remedy.gain = paragraphs::read(path, line, &text)?,
                CONTRAINDICATIONS => {
                    let items = bullets(&text).into_iter();
                    let items = items.map(|item| paragraphs::paragraph(path, line, &item));
                    remedy.contraindications = items.collect::<Result<_, _>>()?;
                }
                heading => {
                    let (heading, case) = without_case(heading);
                    let (stack, op) = stack_and_op(heading);
                    let action = Action { stack, op, case, text, fits: false };
                    remedy.add(path, line, action)?;
                }
            }
        }
        let missing = if remedy.actions.is_empty() {
            Some("an action")
        } else if remedy.contraindications.is_empty() {
            Some("`### Contraindications` with a list")
        } else {
            None
        };
        match missing {
            Some(part) => Err(CheckError::page(path, section.line, format!("{part} is missing"))),
            None => Ok(remedy),
        }
    }
}

impl Remedy {
    fn add(&mut self, path: &str, line: usize, action: Action) -> Result<(), CheckError> {
        let parts = paragraphs::read(path, line, &action.text)?;
        let plain: Vec<&str> = parts.0.iter().map(|part| part.text.as_str()).collect();
        let template = Template::read(&plain.join("\n\n"))
            .map_err(|what| CheckError::page(path, line, what))?;
        let text = parts.map(|_| template.defaults()).labelled();
        self.actions.push(Action { text, ..action });
        self.templates.push((template, parts));
        Ok(())
    }

    /// The actions for a case, with their texts: where a stack has one for it, the stack's others
    /// are not meant.
    pub(crate) fn of_case(&self, case: Option<&str>) -> Vec<(&Action, &(Template, Paragraphs))> {
        let is_of = |action: &Action| action.case.is_some() && action.case.as_deref() == case;
        let special: Vec<&str> =
            self.actions.iter().filter(|of| is_of(of)).map(|of| of.stack.as_str()).collect();
        let is_meant = |action: &Action| match &action.case {
            Some(_) => is_of(action),
            None => !special.contains(&action.stack.as_str()),
        };
        self.actions.iter().zip(&self.templates).filter(|(action, _)| is_meant(action)).collect()
    }

    /// Columns of the evidence that the actions name.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &str> {
        self.templates.iter().flat_map(|(template, _)| template.columns())
    }
}

/// `C (a shared counter)` is for this case alone, `Any (a shared counter)` in any stack.
fn without_case(heading: &str) -> (&str, Option<String>) {
    match heading.strip_suffix(')').and_then(|of| of.split_once(" (")) {
        Some(("Any", case)) => ("any", Some(case.to_owned())),
        Some((heading, case)) => (heading, Some(case.to_owned())),
        None => (heading, None),
    }
}

/// `Python, reading` is about reads in Python, `Writing` about writes in any stack,
/// `Fortran, flushing` about writes that a flush causes.
fn stack_and_op(heading: &str) -> (String, Option<String>) {
    let (stack, direction) = heading.rsplit_once(", ").unwrap_or(("any", heading));
    let op = match direction.to_ascii_lowercase().as_str() {
        "reading" => "read",
        "writing" => "write",
        "flushing" => "flush",
        _ => return (heading.to_owned(), None),
    };
    (stack.to_owned(), Some(op.to_owned()))
}

/// The items of a list that starts with `- `; their lines are joined.
fn bullets(text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match (line.strip_prefix("- "), items.last_mut()) {
            (Some(first), _) => items.push(first.to_owned()),
            (None, Some(item)) => {
                item.push(' ');
                item.push_str(line);
            }
            (None, None) => {}
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remedy(text: &str) -> Result<Remedy, CheckError> {
        Remedy::read("a.md", &Section { heading: "", line: 3, lines: text.lines().collect() })
    }

    #[test]
    fn actions_are_told_apart_by_stack() {
        let text = "Do less.\n### HDF5\nSet it.\n### Gain seen elsewhere\n2x (M).\n\
                    ### Contraindications\n- Not for\n  large ones.\n- Not on NFS.";
        let remedy = remedy(text).unwrap();
        let stacks: Vec<&str> = remedy.actions.iter().map(|a| a.stack.as_str()).collect();
        assert_eq!(stacks, ["any", "HDF5"]);
        let risks: Vec<&str> = remedy.contraindications.iter().map(|r| r.text.as_str()).collect();
        assert_eq!(risks, ["Not for large ones.", "Not on NFS."]);
    }

    #[test]
    fn an_action_can_be_for_one_direction() {
        let of = |heading: &str| {
            let (stack, op) = stack_and_op(heading);
            (stack, op.unwrap_or_default())
        };
        assert_eq!(of("Python, reading"), ("Python".to_owned(), "read".to_owned()));
        assert_eq!(of("Writing"), ("any".to_owned(), "write".to_owned()));
        assert_eq!(of("MPI-IO"), ("MPI-IO".to_owned(), String::new()));
    }

    #[test]
    fn a_stack_can_have_another_action_for_a_case() {
        let text = "Do less.\n### Any (a counter)\nCount in memory.\n### C\nOne call.\n### C (a counter)\n\
                    Take many.\n### Python\nJoin.\n### Gain seen elsewhere\n2x\n### Contraindications\n- No.";
        let remedy = remedy(text).unwrap();
        let of = |case: Option<&str>| -> Vec<&str> {
            remedy.of_case(case).iter().map(|(action, _)| action.text.as_str()).collect()
        };
        assert_eq!(of(None), ["Do less.", "One call.", "Join."]);
        assert_eq!(of(Some("a counter")), ["Count in memory.", "Take many.", "Join."]);
    }

    #[test]
    fn advice_without_a_warning_is_refused() {
        let error = remedy("Do.\n### Gain seen elsewhere\n2x").err().unwrap().to_string();
        assert_eq!(error, "a.md:3: `### Contraindications` with a list is missing");
    }
}
