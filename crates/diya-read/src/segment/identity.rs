//! Who a process is, beyond its rank: `struct diya_identity`.

use super::bytes;
use diya_model::{Text, segment};
use std::collections::BTreeMap;

/// Whether stacks have the lines of Python.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PythonFrames {
    /// No Python, stacks were not asked for, or no Python code ran.
    #[default]
    None,
    /// They have.
    Read,
    /// The recorder does not know where this version keeps its frames.
    UnknownVersion,
    /// Frames were not where this version has them.
    Mismatch,
}

/// The structure; `None` where nothing is known, or an older recorder wrote it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[allow(missing_docs)] // as in schema/segment.toml
pub struct Identity {
    pub python_frames: PythonFrames,
    pub language: Option<String>,
    pub language_version: Option<String>,
    pub launcher: Option<String>,
    pub launcher_size: Option<i32>,
    pub local_rank: Option<i32>,
    pub local_size: Option<i32>,
    pub launcher_step: Option<String>,
    pub container: Option<String>,
}

impl Identity {
    /// As the recorder wrote it.
    pub(super) fn of(written: &segment::Identity) -> Self {
        if written.version != segment::IDENTITY_VERSION {
            return Self::default();
        }
        let launcher = text(&written.launcher);
        let number = |n: i32| (n >= 0 && launcher.is_some()).then_some(n);
        Self {
            python_frames: match written.python_frames {
                segment::PYTHON_READ => PythonFrames::Read,
                segment::PYTHON_UNKNOWN => PythonFrames::UnknownVersion,
                segment::PYTHON_MISMATCH => PythonFrames::Mismatch,
                _ => PythonFrames::None,
            },
            language: text(&written.language),
            language_version: text(&written.language_version),
            launcher_size: number(written.launcher_size),
            local_rank: number(written.local_rank),
            local_size: number(written.local_size),
            launcher_step: text(&written.step_id),
            container: text(&written.container),
            launcher,
        }
    }

    /// Why the stacks of this process lack lines of its language; `None`: they do not.
    fn stacks_end_in(&self) -> Option<String> {
        let version = self.language_version.as_deref().unwrap_or_default();
        let unknown = |name: &str| {
            format!("{name} {version}: stacks end in the native frames of the interpreter")
        };
        match self.python_frames {
            PythonFrames::UnknownVersion => Some(format!(
                "CPython {version}: this recorder reads the frames of 3.8 to 3.15 only"
            )),
            PythonFrames::Mismatch => Some(format!(
                "CPython {version}: its frames are at other offsets than in this version; it is another build"
            )),
            PythonFrames::None | PythonFrames::Read => match self.language.as_deref()? {
                "jvm" => Some(unknown("the Java machine")),
                "r" => Some(unknown("R")),
                "julia" => Some(unknown("Julia")),
                "perl" => Some(unknown("Perl")),
                _ => None,
            },
        }
    }
}

/// Processes whose stacks lack lines, by the reason.
#[derive(Debug, Default)]
pub(super) struct MissingLines(BTreeMap<String, u64>);

impl MissingLines {
    pub fn note(&mut self, identity: &Identity, has_stacks: bool) {
        if let Some(reason) = identity.stacks_end_in().filter(|_| has_stacks) {
            *self.0.entry(reason).or_default() += 1;
        }
    }

    /// How many processes, and what a report says of them.
    pub fn effects(&self) -> impl Iterator<Item = (u64, String)> {
        self.0.iter().map(|(reason, count)| {
            let processes = if *count == 1 { "process" } else { "processes" };
            (*count, format!("call stacks of {count} {processes} have no source lines: {reason}"))
        })
    }
}

fn text<const N: usize>(field: &Text<N>) -> Option<String> {
    Some(bytes::text(field)).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use diya_model::Layout;

    fn room<const N: usize>(text: &str) -> Text<N> {
        Text::cut(text.as_bytes(), 1).0
    }

    const NOTHING: segment::Identity =
        segment::Identity { version: segment::IDENTITY_VERSION, ..segment::Identity::ZERO };

    #[test]
    fn a_rank_of_a_launcher_is_read() {
        let identity = Identity::of(&segment::Identity {
            launcher: room("slurm"),
            launcher_size: 8,
            local_rank: 1,
            local_size: -1,
            step_id: room("7"),
            ..NOTHING
        });
        assert_eq!(identity.launcher.as_deref(), Some("slurm"));
        assert_eq!((identity.launcher_size, identity.local_rank), (Some(8), Some(1)));
        assert_eq!((identity.local_size, identity.launcher_step.as_deref()), (None, Some("7")));
    }

    #[test]
    fn an_older_header_has_no_identity() {
        assert_eq!(Identity::of(&segment::Identity::ZERO), Identity::default());
    }

    #[test]
    fn stacks_that_end_in_an_interpreter_are_said_once_for_all_processes() {
        let java = Identity::of(&segment::Identity {
            language: room("jvm"),
            language_version: room("17"),
            ..NOTHING
        });
        let mut missing = MissingLines::default();
        missing.note(&java, true);
        missing.note(&java, true);
        missing.note(&java, false);
        let effects: Vec<_> = missing.effects().collect();
        assert_eq!(effects.len(), 1);
        assert_eq!(effects[0].0, 2);
        assert!(effects[0].1.contains("the Java machine 17"), "{}", effects[0].1);
    }
}
