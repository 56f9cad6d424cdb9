//! The filter that stops a program at its I/O calls only: everything else
//! runs at full speed.
//!
//! Source: `linux/seccomp.h`, `linux/bpf_common.h`; offsets of `struct
//! seccomp_data` are number 0, architecture 4, arguments from 16.

use super::system_calls::calls;
use nix::libc::{self, c_long, sock_filter};

#[cfg(target_arch = "x86_64")]
const MACHINE: u32 = 0xc000_003e; // AUDIT_ARCH_X86_64
#[cfg(target_arch = "aarch64")]
const MACHINE: u32 = 0xc000_00b7; // AUDIT_ARCH_AARCH64

const NUMBER_AT: u32 = 0;
const MACHINE_AT: u32 = 4;
/// Low half of the fourth argument: the flags of mmap.
const MAP_FLAGS_AT: u32 = 16 + 3 * 8;

const LOAD: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
const IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
const IF_SET: u16 = (libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K) as u16;
const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;

/// The program: allow other machines' calls (a 32-bit program), allow
/// anonymous memory, trace what the table names, allow the rest.
pub(super) fn program() -> Vec<sock_filter> {
    let numbers: Vec<c_long> =
        calls().map(|call| call.number).filter(|&number| number != libc::SYS_mmap).collect();
    let step = |code, k, jt, jf| sock_filter { code, jt, jf, k };
    let mut steps = vec![
        step(LOAD, MACHINE_AT, 0, 0),
        step(IF_EQUAL, MACHINE, 1, 0),
        step(RETURN, libc::SECCOMP_RET_ALLOW, 0, 0),
        step(LOAD, NUMBER_AT, 0, 0),
        step(IF_EQUAL, libc::SYS_mmap as u32, 0, 2),
        step(LOAD, MAP_FLAGS_AT, 0, 0),
        step(IF_SET, libc::MAP_ANONYMOUS as u32, 0, 0),
    ];
    // Behind the numbers follow "allow" and "trace".
    let count = u8::try_from(numbers.len()).expect("a jump reaches over the table");
    let map = steps.len() - 1;
    (steps[map].jt, steps[map].jf) = (count, count + 1);
    for (at, &number) in (0u8..).zip(&numbers) {
        steps.push(step(IF_EQUAL, number as u32, count - at, 0));
    }
    steps.push(step(RETURN, libc::SECCOMP_RET_ALLOW, 0, 0));
    steps.push(step(RETURN, libc::SECCOMP_RET_TRACE, 0, 0));
    steps
}

/// Installs the filter in the calling process and all it will start. Without
/// new privileges: a filter must not be a way to trick a setuid program.
///
/// Runs in a child between fork and exec: nothing here may allocate.
#[allow(unsafe_code)]
pub(super) fn install(steps: &[sock_filter]) -> bool {
    let program = libc::sock_fprog { len: steps.len() as u16, filter: steps.as_ptr().cast_mut() };
    // SAFETY: the kernel copies the program, which `steps` keeps alive.
    unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the filter says of a call: a reader of its few instructions.
    fn verdict(machine: u32, number: c_long, map_flags: i32) -> u32 {
        let steps = program();
        let (mut at, mut loaded) = (0, 0);
        loop {
            let step = &steps[at];
            at += 1;
            let is_true = match step.code {
                LOAD if step.k == NUMBER_AT => {
                    loaded = number as u32;
                    continue;
                }
                LOAD if step.k == MACHINE_AT => {
                    loaded = machine;
                    continue;
                }
                LOAD => {
                    loaded = map_flags as u32;
                    continue;
                }
                IF_EQUAL => loaded == step.k,
                IF_SET => loaded & step.k != 0,
                _ => return step.k,
            };
            at += usize::from(if is_true { step.jt } else { step.jf });
        }
    }

    #[test]
    fn io_calls_are_traced_and_others_are_not() {
        for call in calls() {
            assert_eq!(
                verdict(MACHINE, call.number, 0),
                libc::SECCOMP_RET_TRACE,
                "{}",
                call.number
            );
        }
        for number in [libc::SYS_getpid, libc::SYS_futex, libc::SYS_exit_group, libc::SYS_brk] {
            assert_eq!(verdict(MACHINE, number, 0), libc::SECCOMP_RET_ALLOW);
        }
    }

    #[test]
    fn anonymous_memory_and_32_bit_calls_are_let_pass() {
        let anonymous = libc::MAP_ANONYMOUS | libc::MAP_PRIVATE;
        assert_eq!(verdict(MACHINE, libc::SYS_mmap, anonymous), libc::SECCOMP_RET_ALLOW);
        assert_eq!(verdict(MACHINE, libc::SYS_mmap, libc::MAP_SHARED), libc::SECCOMP_RET_TRACE);
        assert_eq!(verdict(0x4000_0003, libc::SYS_read, 0), libc::SECCOMP_RET_ALLOW);
    }
}
