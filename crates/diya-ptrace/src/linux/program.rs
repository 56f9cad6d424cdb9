//! Which programs of the tree are recorded.

use super::header;
use diya_launch::LAUNCHERS;
use std::collections::HashSet;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Chooses by name and kind.
#[derive(Debug)]
pub(super) struct Programs<'a> {
    skip: &'a [String],
    told: HashSet<Vec<u8>>,
}

impl<'a> Programs<'a> {
    /// `skip`: names of further programs not to record.
    pub fn new(skip: &'a [String]) -> Self {
        Self { skip, told: HashSet::new() }
    }

    /// Whether a process that has just become another program is recorded;
    /// reports what is unusual, once for each program.
    ///
    /// A 32-bit program makes calls by other numbers and with other
    /// structures: the filter lets them pass.
    pub fn is_recorded(&mut self, pid: i32, tell: &mut dyn FnMut(String)) -> bool {
        let exe = header::link(pid, "exe");
        let (is_32_bit, sets_user) = look_at(pid);
        if (is_32_bit || sets_user) && self.told.insert(exe.clone()) {
            let name = String::from_utf8_lossy(&exe);
            tell(match is_32_bit {
                true => format!(
                    "{name} is a 32-bit program, whose calls `--tracer ptrace` does not read: it ran unrecorded; \
                     record a 64-bit build"
                ),
                false => format!(
                    "{name} runs as another user (setuid). A traced program does not get this right: it ran without it"
                ),
            });
        }
        !is_32_bit && !self.is_left_out(&exe)
    }

    fn is_left_out(&self, exe: &[u8]) -> bool {
        let name = exe.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        let is = |other: &str| other.as_bytes() == name;
        LAUNCHERS.iter().any(|launcher| is(launcher)) || self.skip.iter().any(|skipped| is(skipped))
    }
}

/// Whether a running program is a 32-bit one, and whether it should run as
/// another user than ours.
fn look_at(pid: i32) -> (bool, bool) {
    const CLASS_AT: usize = 4;
    const CLASS_32: u8 = 1;
    const SET_USER: u32 = 0o4000;
    let Ok(mut exe) = File::open(Path::new("/proc").join(pid.to_string()).join("exe")) else {
        return (false, false);
    };
    let sets_user = exe.metadata().is_ok_and(|about| {
        about.mode() & SET_USER != 0
            && std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() != about.uid())
    });
    let mut start = [0; CLASS_AT + 1];
    let is_32_bit = exe.read_exact(&mut start).is_ok()
        && start.starts_with(b"\x7fELF")
        && start[CLASS_AT] == CLASS_32;
    (is_32_bit, sets_user)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn launchers_and_what_the_user_names_are_left_out() {
        let skip = ["cp".to_string()];
        let programs = Programs::new(&skip);
        assert!(programs.is_left_out(b"/usr/bin/mpirun"));
        assert!(programs.is_left_out(b"/bin/cp"));
        assert!(!programs.is_left_out(b"/home/u/diya-solver"));
    }

    #[test]
    fn this_test_is_an_ordinary_program() {
        assert_eq!(look_at(std::process::id().cast_signed()), (false, false));
    }
}
