//! What a program is, before it is started: can it be preloaded at all?

use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

/// Launchers and their helpers do no I/O of the job: those that the library
/// leaves out as well (`capture/src/settings.c`).
pub const LAUNCHERS: [&str; 22] = [
    "diya",
    "mpirun",
    "mpiexec",
    "mpiexec.hydra",
    "hydra_pmi_proxy",
    "hydra_bstrap_proxy",
    "orterun",
    "orted",
    "prterun",
    "prted",
    "prun",
    "srun",
    "slurmstepd",
    "ssh",
    "sshd",
    "mpirun.openmpi",
    "mpiexec.openmpi",
    "mpirun.mpich",
    "mpiexec.mpich",
    "palsd",
    "aprun",
    "jsrun",
];

/// Why the recorder will not be loaded into a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obstacle {
    /// It has no dynamic linker: static C, most Go.
    Static,
    /// It is linked dynamically, and makes its own system calls all the same: Go with cgo.
    OwnCalls,
    /// It is a 32-bit program, the recorder a 64-bit library.
    ThirtyTwoBit,
    /// It changes its user: the system ignores preloading.
    SetUser,
    /// It is made for another processor.
    OtherMachine,
}

impl Obstacle {
    /// Whether `ptrace` records the program all the same.
    pub fn can_be_traced(self) -> bool {
        matches!(self, Self::Static | Self::OwnCalls)
    }

    /// For people: what it means and what to do.
    pub fn text(self, program: &Path) -> String {
        let name = program.display();
        match self {
            Self::Static => format!(
                "{name} is statically linked, so nothing can be preloaded into it; \
                 `diya run --tracer ptrace` records it at about 20 µs per call, or link it dynamically"
            ),
            Self::OwnCalls => format!(
                "{name} is a Go program, which makes its system calls without the C library, so that \
                 what is preloaded does not see them; `diya run --tracer ptrace` records it at about \
                 20 µs per call"
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
    const PT_NOTE: u32 = 4;
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
    if is_program && !has(PT_INTERP) {
        return Some(Obstacle::Static);
    }
    let note = |at: u16| {
        let start = table + usize::from(at) * usize::from(size);
        let from = usize::try_from(long(start + 8)?).ok()?;
        let bytes = usize::try_from(long(start + 32)?).ok()?;
        head.get(from..from.checked_add(bytes)?)
    };
    let is_go = (0..count)
        .filter(|at| kind(*at) == Some(PT_NOTE))
        .filter_map(note)
        .any(|notes| notes.windows(GO_NOTE.len()).any(|name| name == GO_NOTE));
    is_go.then_some(Obstacle::OwnCalls)
}

/// Owner of the note in which Go writes the number of a build.
const GO_NOTE: &[u8] = b"Go\0\0";

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
    fn a_dynamic_go_program_is_known_by_its_note() {
        // Two program headers: an interpreter, and a note whose owner is Go.
        let mut head = vec![0u8; 64 + 2 * 56 + 16];
        head[..6].copy_from_slice(b"\x7fELF\x02\x01");
        head[16] = 2;
        head[18] = if cfg!(target_arch = "aarch64") { 183 } else { 62 };
        (head[32], head[54], head[56]) = (64, 56, 2);
        (head[64], head[120]) = (3, 4);
        (head[120 + 8], head[120 + 32]) = (176, 16);
        head[176..192].copy_from_slice(b"\x04\0\0\0\0\0\0\0\x04\0\0\0Go\0\0");
        assert_eq!(obstacle(Path::new("/proc/self/exe"), &head), Some(Obstacle::OwnCalls));
        head[188] = b'g';
        assert_eq!(obstacle(Path::new("/proc/self/exe"), &head), None);
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
