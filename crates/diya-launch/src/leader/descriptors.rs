//! What descriptors lead to that a thread waits for.

use super::activity::Activity;
use super::proc::Proc;
use super::sockets;

/// Descriptors of one call that are looked at.
const MOST: usize = 64;

/// A descriptor: what waiting for it is, and where it leads.
pub(super) fn one(proc: &mut Proc, pid: i32, number: u64) -> (Activity, Option<String>) {
    let Some(name) = proc.descriptor(pid, number) else { return (Activity::Other, None) };
    if let Some(inode) = inode(&name, "socket:[") {
        return sockets::of(proc, pid, inode);
    }
    if name.starts_with("pipe:[") {
        return (Activity::Pipe, None);
    }
    if name.starts_with("/dev/tty") || name.starts_with("/dev/pts/") {
        return (Activity::Terminal, None);
    }
    match name.strip_prefix("anon_inode:") {
        Some(kind) => (Activity::Poll, kind.contains("inotify").then(|| "inotify".to_owned())),
        None => (Activity::Disk, name.starts_with('/').then_some(name)),
    }
}

fn inode(name: &str, begin: &str) -> Option<u64> {
    name.strip_prefix(begin)?.strip_suffix(']')?.parse().ok()
}

/// The most telling of several; `None`: there are none.
fn best(proc: &mut Proc, pid: i32, numbers: &[u64]) -> Option<(Activity, Option<String>)> {
    let rank = |activity: Activity| match activity {
        Activity::Network => 0,
        Activity::Pipe => 1,
        Activity::Socket => 2,
        Activity::Terminal => 3,
        Activity::Listening => 4,
        _ => 5,
    };
    let all = numbers.iter().map(|number| one(proc, pid, *number));
    let first = all.min_by_key(|of| rank(of.0))?;
    match rank(first.0) {
        5 => Some((Activity::Poll, first.1)),
        _ => Some(first),
    }
}

/// Those of `poll`: at an address lies an array of 8 bytes each.
pub(super) fn polled(
    proc: &mut Proc,
    pid: i32,
    address: u64,
    count: u64,
) -> Option<(Activity, Option<String>)> {
    let count = usize::try_from(count).unwrap_or(MOST).min(MOST);
    if count == 0 {
        return None;
    }
    let Some(bytes) = proc.memory(pid, address, count * 8) else {
        return Some((Activity::Poll, None));
    };
    let number = |entry: &[u8]| i32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]);
    let numbers: Vec<u64> =
        bytes.chunks_exact(8).filter_map(|entry| u64::try_from(number(entry)).ok()).collect();
    best(proc, pid, &numbers)
}

/// Those of `select`: sets of bits, for reading and for writing.
pub(super) fn selected(
    proc: &mut Proc,
    pid: i32,
    count: u64,
    sets: [u64; 2],
) -> Option<(Activity, Option<String>)> {
    let count = usize::try_from(count).unwrap_or(0).min(1024);
    let mut numbers = Vec::new();
    for address in sets.into_iter().filter(|address| *address != 0 && count > 0) {
        let bits = proc.memory(pid, address, count.div_ceil(8))?;
        let is_set = |n: &usize| bits[n / 8] & (1 << (n % 8)) != 0;
        numbers.extend((0..count).filter(is_set).map(|n| n as u64));
    }
    best(proc, pid, numbers.get(..MOST).unwrap_or(&numbers))
}

/// Those of `epoll`.
pub(super) fn watched(
    proc: &mut Proc,
    pid: i32,
    number: u64,
) -> Option<(Activity, Option<String>)> {
    let text = proc.text(pid, &format!("fdinfo/{number}")).unwrap_or_default();
    let of_line = |line: &str| line.strip_prefix("tfd:")?.split_whitespace().next()?.parse().ok();
    let numbers: Vec<u64> = text.lines().filter_map(of_line).take(MOST).collect();
    best(proc, pid, &numbers).or(Some((Activity::Poll, None)))
}
