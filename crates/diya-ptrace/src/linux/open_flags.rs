//! The numbers of the flags of `open` in a recording: those of x86-64, wherever it is
//! made. aarch64 and POWER number three of them otherwise.

use nix::libc;

/// `O_DIRECT`, `O_DIRECTORY`, `O_NOFOLLOW`.
type Numbers = [u64; 3];

/// As recorded.
const RECORDED: Numbers = [0o40000, 0o200_000, 0o400_000];

/// As the kernel of this machine has them.
const HERE: Numbers = [libc::O_DIRECT as u64, libc::O_DIRECTORY as u64, libc::O_NOFOLLOW as u64];

/// Flags of this machine as a recording has them.
pub(super) fn recorded(flags: u64) -> u64 {
    renumbered(flags, HERE)
}

fn renumbered(flags: u64, here: Numbers) -> u64 {
    let rest = flags & !here.iter().fold(0, |all, flag| all | flag);
    let set = here.iter().zip(RECORDED).filter(|(here, _)| flags & **here != 0);
    set.fold(rest, |all, (_, recorded)| all | recorded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn direct_and_directory_have_one_number_on_all_processors() {
        let aarch64 = [0o200_000, 0o40000, 0o100_000];
        let create_and_write = 0o101;
        assert_eq!(renumbered(0o200_000 | create_and_write, aarch64), 0o40000 | create_and_write);
        assert_eq!(renumbered(0o40000, aarch64), 0o200_000);
        assert_eq!(renumbered(0o140_000, aarch64), 0o600_000);
        assert_eq!(renumbered(0o40000 | create_and_write, RECORDED), 0o40000 | create_and_write);
    }
}
