//! Who a process is, beyond its rank: `struct diya_identity` of `diya_trace.h`.

use super::bytes::Bytes;
use std::collections::BTreeMap;

/// Where it lies in the header.
const AT: usize = 7680;
const VERSION: u32 = 1;

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
#[allow(missing_docs)] // as in diya_trace.h
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
    /// Reads it from a segment.
    pub(super) fn read(segment: &[u8], is_big_endian: bool, header_bytes: usize) -> Self {
        let bytes = segment.get(..header_bytes.min(segment.len())).unwrap_or_default();
        Self::fields(Bytes::new(bytes, is_big_endian).from(AT)).unwrap_or_default()
    }

    fn fields(mut b: Bytes<'_>) -> Option<Self> {
        if b.u32()? != VERSION {
            return None;
        }
        let python_frames = match b.u32()? {
            2 => PythonFrames::Read,
            3 => PythonFrames::UnknownVersion,
            4 => PythonFrames::Mismatch,
            _ => PythonFrames::None,
        };
        let (language, language_version) = (text(b.take(16)?), text(b.take(40)?));
        let launcher = text(b.take(16)?);
        let mut number = || b.i32().map(|n| (n >= 0 && launcher.is_some()).then_some(n));
        let (launcher_size, local_rank, local_size) = (number()?, number()?, number()?);
        let _reserved = b.u32()?;
        Some(Self {
            python_frames,
            language,
            language_version,
            launcher,
            launcher_size,
            local_rank,
            local_size,
            launcher_step: text(b.take(64)?),
            container: text(b.take(96)?),
        })
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

fn text(field: &[u8]) -> Option<String> {
    let end = field.iter().position(|&b| b == 0).unwrap_or(field.len());
    let text = String::from_utf8_lossy(field.get(..end)?).into_owned();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(of: impl Fn(&mut [u8])) -> Identity {
        let mut bytes = vec![0; 8192];
        of(&mut bytes[AT..]);
        Identity::read(&bytes, false, bytes.len())
    }

    #[test]
    fn a_rank_of_a_launcher_is_read() {
        let identity = header(|at| {
            at[0] = 1;
            at[64..69].copy_from_slice(b"slurm");
            (at[80], at[84]) = (8, 1);
            at[88..92].copy_from_slice(&u32::MAX.to_le_bytes());
            at[96] = b'7';
        });
        assert_eq!(identity.launcher.as_deref(), Some("slurm"));
        assert_eq!((identity.launcher_size, identity.local_rank), (Some(8), Some(1)));
        assert_eq!((identity.local_size, identity.launcher_step.as_deref()), (None, Some("7")));
    }

    #[test]
    fn an_older_or_shorter_header_has_no_identity() {
        assert_eq!(header(|_| {}), Identity::default());
        assert_eq!(Identity::read(&[1; 7690], false, 8192), Identity::default());
    }

    #[test]
    fn stacks_that_end_in_an_interpreter_are_said_once_for_all_processes() {
        let java = header(|at| {
            at[0] = 1;
            at[8..11].copy_from_slice(b"jvm");
            at[24..26].copy_from_slice(b"17");
        });
        let mut missing = MissingLines::default();
        missing.note(&java, true);
        missing.note(&java, true);
        missing.note(&java, false);
        let told: Vec<_> = missing.effects().collect();
        assert_eq!(told.len(), 1);
        assert_eq!(told[0].0, 2);
        assert!(told[0].1.contains("the Java machine 17"), "{}", told[0].1);
    }
}
