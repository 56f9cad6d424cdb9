//! What a program is, before it is started: can it be preloaded at all?

use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// Why the recorder will not be loaded into a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// It has no dynamic linker: static C, most Go.
    Static,
    /// It is a 32-bit program, the recorder a 64-bit library.
    ThirtyTwoBit,
    /// It changes its user: the system ignores preloading.
    SetUser,
    /// It is made for another processor.
    OtherMachine,
}

impl Obstacle {
    /// For people: what it means and what to do.
    pub fn text(self, program: &Path) -> String {
        let name = program.display();
        match self {
            Self::Static => format!(
                "{name} is statically linked, so nothing can be preloaded into it; \
                 `diya run --tracer ptrace` records it at about 20 µs per call, or link it dynamically"
            ),
            Self::ThirtyTwoBit => format!(
                "{name} is a 32-bit program and the recorder a 64-bit library; \
                 `diya run --tracer ptrace` does not read 32-bit programs either: record a 64-bit build"
            ),
            Self::SetUser => format!(
                "{name} runs as another user (setuid or file capabilities), for which the system \
                 ignores preloading; run a copy without that right"
            ),
            Self::OtherMachine => {
                format!(
                    "{name} is built for another processor; record it on a machine with that processor"
                )
            }
        }
    }
}

/// A program found on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Its file; for a script, the interpreter's.
    pub path: PathBuf,
    /// Why it cannot be recorded by preloading.
    pub obstacle: Option<Obstacle>,
}

/// Looks at the program a command names, following `#!` lines; `None` when
/// there is no such file, which starting it will say better.
pub fn inspect(command: &OsStr) -> Option<Program> {
    let mut path = find(command)?;
    // The kernel follows interpreters of interpreters a few times, too.
    for _ in 0..4 {
        let head = head(&path)?;
        match interpreter(&head) {
            Some(next) => path = next,
            None => return Some(Program { obstacle: obstacle(&path, &head), path }),
        }
    }
    None
}

fn find(command: &OsStr) -> Option<PathBuf> {
    let as_path = Path::new(command);
    if command.as_encoded_bytes().contains(&b'/') {
        return as_path.exists().then(|| as_path.to_path_buf());
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(as_path)).find(|path| {
        fs::metadata(path).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
    })
}

fn head(path: &Path) -> Option<Vec<u8>> {
    let mut head = Vec::new();
    fs::File::open(path).ok()?.take(64 << 10).read_to_end(&mut head).ok()?;
    Some(head)
}

fn interpreter(head: &[u8]) -> Option<PathBuf> {
    let line = head.strip_prefix(b"#!")?.split(|&b| b == b'\n').next()?;
    let text = String::from_utf8_lossy(line);
    let mut words = text.split_whitespace();
    let first = words.next()?;
    if Path::new(first).file_name() == Some(OsStr::new("env")) {
        // `env -S` and options of env come before the program.
        return find(OsStr::new(words.find(|w| !w.starts_with('-') && !w.contains('='))?));
    }
    Some(PathBuf::from(first))
}

/// Reads what the kernel reads: class, machine, and the `PT_INTERP` segment.
fn obstacle(path: &Path, head: &[u8]) -> Option<Obstacle> {
    const CLASS_64: u8 = 2;
    const PT_INTERP: u32 = 3;
    const PT_DYNAMIC: u32 = 2;
    const EXECUTABLE: u16 = 2;
    if head.get(..4) != Some(b"\x7fELF") {
        return None;
    }
    let here: u16 = if cfg!(target_arch = "aarch64") { 183 } else { 62 };
    let word = |at: usize| Some(u16::from_le_bytes(*head.get(at..)?.first_chunk()?));
    let long = |at: usize| Some(u64::from_le_bytes(*head.get(at..)?.first_chunk()?));
    if head.get(4) != Some(&CLASS_64) {
        return Some(Obstacle::ThirtyTwoBit);
    }
    if word(18)? != here {
        return Some(Obstacle::OtherMachine);
    }
    let about = fs::metadata(path).ok()?;
    let own = fs::metadata("/proc/self").ok()?;
    let mode = about.permissions().mode();
    if (mode & 0o4000 != 0 && about.uid() != own.uid())
        || (mode & 0o2000 != 0 && about.gid() != own.gid())
    {
        return Some(Obstacle::SetUser);
    }
    let (table, size, count) = (usize::try_from(long(32)?).ok()?, word(54)?, word(56)?);
    let kind = |at: u16| {
        let start = table + usize::from(at) * usize::from(size);
        Some(u32::from_le_bytes(*head.get(start..)?.first_chunk()?))
    };
    let has = |wanted: u32| (0..count).filter_map(kind).any(|k| k == wanted);
    let is_program = word(16)? == EXECUTABLE || has(PT_DYNAMIC);
    (is_program && !has(PT_INTERP)).then_some(Obstacle::Static)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shell_can_be_recorded() {
        let program = inspect(OsStr::new("sh")).expect("a shell is there");
        assert_eq!(program.obstacle, None);
    }

    #[test]
    fn an_interpreter_of_env_is_looked_up() {
        let path = interpreter(b"#!/usr/bin/env -S sh -e\n").expect("names a program");
        assert!(path.ends_with("sh"), "{}", path.display());
    }

    #[test]
    fn a_static_program_has_no_interpreter() {
        // An ELF header for this machine, of a static program: no program headers.
        let mut head = vec![0u8; 64];
        head[..6].copy_from_slice(b"\x7fELF\x02\x01");
        head[16] = 2;
        head[18] = if cfg!(target_arch = "aarch64") { 183 } else { 62 };
        head[54] = 56;
        assert_eq!(obstacle(Path::new("/proc/self/exe"), &head), Some(Obstacle::Static));
        head[4] = 1;
        assert_eq!(obstacle(Path::new("/proc/self/exe"), &head), Some(Obstacle::ThirtyTwoBit));
    }
}
